import { describe, expect, test } from 'vitest';
import { benchFor } from '../../checker/images/bench.ts';
import { runCase } from '../../checker/images/case.ts';
import { describe as describeCase } from '../../counterexamples/images/describe.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { KERNEL } from '../../properties/observed/subject.ts';
import { plantedNamed } from '../../properties/planted/images/all.ts';
import { editItems } from '../../properties/planted/images/edit.ts';
import { KNOWN } from './known.ts';

const bench = benchFor(undefined);

describe('known breaches', () => {
  test.each(KNOWN.map((known) => [known.name, known] as const))('%s is met in its example', (_, known) => {
    const { verdict, known: met } = runCase(bench, known.example, { laws: IMAGE_LAWS, known: KNOWN });
    expect(met).toContain(known);
    expect(verdict!.breach).toBeUndefined();
  });

  test.each(KNOWN.map((known) => [known.name, known] as const))(
    '%s is a breach when it is not listed',
    (_, known) => {
      const others = KNOWN.filter((other) => other !== known);
      const { verdict } = runCase(bench, known.example, { laws: IMAGE_LAWS, known: others });
      expect(verdict!.breach!.law.name).toBe(known.law);
    },
  );

  test('a listed breach is known in a changed kernel if the unchanged one shows it in the same place', () => {
    const [earlyReturn, wideReturn] = KNOWN;
    const tools = editItems((items) => items.filter(({ op }) => op !== 'align'))(KERNEL);
    const changed = { ...bench, tools, isChanged: true };
    const laws = IMAGE_LAWS.filter(({ name }) => name === earlyReturn!.law);
    const shown = runCase(changed, earlyReturn!.example, { laws, known: KNOWN });
    expect(shown.known).toEqual([earlyReturn]);
    const unrefused = benchFor(plantedNamed('wide-return-not-refused'));
    const listed = { ...wideReturn!, kernels: KERNELS };
    const c = { ...wideReturn!.example, kernel: '6.12', ibt: true } as const;
    const asked = { laws: IMAGE_LAWS.filter(({ name }) => name === listed.law), known: [listed] };
    expect(runCase({ ...unrefused, isChanged: false }, c, asked).known).toEqual([listed]);
    expect(runCase(unrefused, c, asked).known).toEqual([]);
    expect(runCase(unrefused, c, asked).verdict?.breach?.law.name).toBe(listed.law);
    expect(runCase(unrefused, listed.example, asked).known).toEqual([listed]);
  });

  test('another breach of the same law, in the same case, is a new one, and is the one reported', () => {
    const [earlyReturn] = KNOWN;
    const spoiled = benchFor(plantedNamed('nop-before-the-store'));
    const { verdict } = runCase(spoiled, earlyReturn!.example, { laws: IMAGE_LAWS, known: KNOWN });
    const { law, finding } = verdict!.breach!;
    expect(law.name).toBe(earlyReturn!.law);
    const origin = { planted: undefined, seed: undefined, drawnSteps: undefined };
    const told = describeCase(spoiled, earlyReturn!.example, { law, known: KNOWN }, origin);
    expect(told!.breach.finding).toEqual(finding);
  });
});
