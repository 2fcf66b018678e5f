import { describe, expect, test } from 'vitest';
import { benchFor } from '../../checker/images/bench.ts';
import { runCase } from '../../checker/images/case.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { plantedNamed } from '../../properties/planted/images/all.ts';
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

  test('another breach of the same law, in the same case, is a new one', () => {
    const [earlyReturn] = KNOWN;
    const spoiled = benchFor(plantedNamed('nop-before-the-store'));
    const { verdict } = runCase(spoiled, earlyReturn!.example, { laws: IMAGE_LAWS, known: KNOWN });
    expect(verdict!.breach!.law.name).toBe(earlyReturn!.law);
  });
});
