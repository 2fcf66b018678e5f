import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { designsOf } from '../../checker/sequences/known-breach.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { describeSequence } from '../../counterexamples/sequences/attach-describe.ts';
import { printAttachTrace } from '../../counterexamples/sequences/attach-trace.ts';
import { RECORDED_KERNELS } from '../../model/core/profile.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { someOf } from '../../test/thorough.ts';
import type { KnownAttach } from './attach.ts';
import { recordedKernelsOf } from './attach.ts';
import { KNOWN_ATTACH } from './attach-all.ts';
import { canStandOn, exampleOf, isMetByItsExample } from './attach-example.ts';
import { confirmKnown } from './confirm.ts';

const UPDATES = process.env['UPDATE'] === '1';

const CORPUS = join(import.meta.dirname, '../../counterexamples/corpus');

/**
 * Those whose example is played in all kernels, and without each of its calls, and whose report is generated again;
 * the default run plays all examples and replays all traces.
 */
const NEEDED = someOf(KNOWN_ATTACH, 12);

function traceOf(entry: KnownAttach): { path: string; text: string } {
  const law = ATTACH_LAWS.find(({ name }) => name === entry.law)!;
  const named = { planted: undefined, known: entry.name, listed: KNOWN_ATTACH };
  const origin = { ...named, seed: undefined, drawn: undefined };
  const { path, trace } = describeSequence(exampleOf(entry), law, origin)!;
  return { path, text: printAttachTrace(trace) };
}

test('known breaches have unique names, and traces', () => {
  expect(new Set(KNOWN_ATTACH.map(({ name }) => name)).size).toBe(KNOWN_ATTACH.length);
});

describe.each(KNOWN_ATTACH.map((entry) => [entry.name, entry] as const))('%s', (_, entry) => {
  const laws = ATTACH_LAWS.filter(({ name }) => name === entry.law);
  const others = KNOWN_ATTACH.filter((other) => other !== entry);

  test.runIf(NEEDED.includes(entry))(
    'is shown by its example in the kernels that it is listed for, and in no other',
    () => {
      const shown = RECORDED_KERNELS.filter((kernel) => isMetByItsExample(entry, kernel));
      expect(shown).toEqual(recordedKernelsOf([entry]));
      expect(shown).toEqual(expect.arrayContaining([...entry.kernels]));
    },
  );

  const [, ...variants] = designsOf(entry);

  test.each(variants)('is shown with multi links of the variant %s', (multiLinks) => {
    const { variants: _, except: __, ...own } = entry;
    const kernels = entry.kernels.filter((kernel) => canStandOn({ multiLinks }, kernel));
    expect(kernels.filter((kernel) => !isMetByItsExample({ ...own, multiLinks }, kernel))).toEqual([]);
  });

  test('is a breach if it is not listed', () => {
    expect(runSequence(exampleOf(entry), { laws, known: others }).newBreach?.law.name).toBe(entry.law);
  });

  test.runIf(NEEDED.includes(entry))('needs each call of its example', () => {
    const c = exampleOf(entry);
    const needless = c.actions.filter((_action, i) => {
      const shorter = { ...c, actions: c.actions.toSpliced(i, 1) };
      const isKnown = runSequence(shorter, { laws, known: [entry] }).known !== undefined;
      return isKnown && runSequence(shorter, { laws, known: others }).newBreach !== undefined;
    });
    expect(needless).toEqual([]);
  });

  test.runIf(UPDATES || NEEDED.includes(entry))('has a trace that is kept as it is printed', () => {
    const { path, text } = traceOf(entry);
    if (UPDATES) writeFileSync(join(CORPUS, path), text);
    else expect(text).toBe(readFileSync(join(CORPUS, path), 'utf8'));
    expect(text.slice(text.indexOf('✗')).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });
});

test('a listed breach that does not occur in its example is a failure, with a sentence', () => {
  const [first, ...others] = KNOWN_ATTACH.slice(0, 3);
  const stale = { ...first!, example: 'register_kprobe(kprobe#1, f1)' };
  const confirmed = toEnd(confirmKnown({ images: [], attach: [stale, ...others] }));
  expect(confirmed.exit).toBe(EXIT.BROKEN);
  expect(confirmed.failures).toEqual([
    `${stale.name} is listed, and its example does not break ${stale.law} in ${stale.kernels.join(' and ')}`,
  ]);
  expect(confirmed.json.filter(({ confirmed }) => !confirmed).map(({ name }) => name)).toEqual([stale.name]);
  expect(confirmed.json).toHaveLength(3);
});
