import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runSequence } from '../../../checker/sequences/run-sequence.ts';
import { sequenceJob } from '../../../commands/check/attach-job.ts';
import { parseAttachTrace, printAttachTrace } from '../../../counterexamples/sequences/attach-trace.ts';
import { toEnd } from '../../../model/core/to-end.ts';
import { linkKernel } from '../../../model/step.ts';
import { sources, TOP } from '../../../test/sources.ts';
import { someOf, THOROUGH } from '../../../test/thorough.ts';
import { ATTACH_LAWS } from '../../attach-laws.ts';
import { inOneLine } from '../../finding/render.ts';
import { HIT_LAWS } from '../../tracepoint-laws.ts';
import { F1 } from './actions.ts';
import { ATTACH_PLANTED } from './all.ts';
import type { AttachPlanted } from './planted.ts';

const UPDATES = process.env['UPDATE'] === '1';

/** The number of sequences within which a seed finds each planted bug. */
const SEQUENCES = 1000;
/** The number within which some are found soon enough for a search with another seed. */
const FEW_SEQUENCES = 20;

/** The trace that `--planted NAME --seed SEED --save` writes; undefined if the bug is not found. */
function saved(
  planted: AttachPlanted,
  seed: number,
  sequences = SEQUENCES,
): { path: string; text: string } | undefined {
  const job = sequenceJob({
    profiles: [planted.profile],
    laws: [planted.law],
    unasked: [],
    planted,
    known: [],
    seed,
    sequences,
    sites: [],
    reachesSites: false,
    printsSites: false,
  });
  return toEnd(job).save[0];
}

const CORPUS = new Map(sources('.trace').map(({ path, text }) => [path, text]));

function pathOf({ name, law }: AttachPlanted): string {
  return `counterexamples/corpus/${law.name}.${name}.trace`;
}

function sequence({ profile, functions = [F1], tracepoints, smallest }: AttachPlanted, actions = smallest) {
  return { profile, functions, ...(tracepoints === undefined ? {} : { tracepoints }), actions };
}

/** A trace without its seed and drawn length. */
function withoutItsOrigin(text: string): string {
  return text.replace(/--seed \d+|seed \d+|number \d+|--sequences \d+|shrunk\s+from \d+/g, '');
}

describe('planted bugs in the kernel routines', () => {
  test('have unique names', () => {
    expect(new Set(ATTACH_PLANTED.map(({ name }) => name)).size).toBe(ATTACH_PLANTED.length);
  });

  test('are caught by registered laws, with a complete entry', () => {
    const laws = [...ATTACH_LAWS, ...HIT_LAWS];
    for (const { law } of ATTACH_PLANTED) expect(laws).toContain(law);
    for (const law of laws) {
      expect(law.sentence).toMatch(/^\w.*\.$/s);
      expect(law.source).toMatch(/^\S+\.(?:[chS]|rst)\b/);
      expect(law.witness).not.toBe('');
    }
  });

  test('are found by a search, or say why not', () => {
    for (const { rare } of ATTACH_PLANTED) if (rare !== undefined) expect(rare).toMatch(/^[A-Z].*\.$/);
  });
});

describe.each(ATTACH_PLANTED.map((planted) => [planted.name, planted] as const))('%s', (_, planted) => {
  const { law, edits, smallest, finding } = planted;
  const program = linkKernel(edits);

  test('is seen in its smallest sequence, in these words', () => {
    const { breach } = runSequence(sequence(planted), { laws: [law], program });
    expect(inOneLine(breach!.finding)).toBe(finding);
    expect(breach!.at).toBe(smallest.length - 1);
  });

  test('needs each call of its smallest sequence', () => {
    const needless = smallest.filter((_action, i) => {
      const shorter = sequence(planted, smallest.toSpliced(i, 1));
      return runSequence(shorter, { laws: [law], program }).breach !== undefined;
    });
    expect(needless).toEqual([]);
  });

  test('does not show in the sound kernel', () => {
    expect(runSequence(sequence(planted), { laws: [law] }).breach).toBeUndefined();
  });
});

const SEARCHED = ATTACH_PLANTED.filter(({ rare }) => rare === undefined);

/** Bugs that take hundreds of sequences: searched only in thorough runs. */
const LATE: ReadonlySet<string> = new Set([
  'accessed-arguments-are-not-compared',
  'change-without-a-detour',
  'dead-ftrace-accepts-clients',
  'direct-entry-is-removed-before-the-text',
  'disabled-kprobe-is-disarmed-again',
  'every-detach-frees-the-shim',
  'exit-handlers-ignore-the-frame-bitmap',
  'extension-joins-programs',
  'extension-stays-at-the-site',
  'failed-user-of-graph-is-counted',
  'flags-of-a-failed-update-stay',
  'fprobe-of-another-kind-keeps-the-function',
  'headers-are-not-terminated',
  'image-does-not-hold-its-module',
  'image-is-retired-before-the-site-leaves-it',
  'manager-starts-with-an-empty-filter',
  'modify-detours-all-sites',
  'modify-without-the-temporary-ops',
  'only-the-first-user-is-asked',
  'program-does-not-hold-its-module',
  'return-value-is-not-checked',
  'rollback-puts-the-old-image',
  'shim-is-taken-while-it-goes',
]);
/**
 * Bugs that seed 1 or 3 does not find, or shrinks to another sequence that needs each of its calls, and the seed that ends
 * at the smallest.
 */
const SEEDS: Readonly<Record<string, number>> = {
  'attached-again-without-btf': 2,
  'disabled-kprobe-is-disarmed-again': 3,
  'disabled-kprobe-stays-armed': 2,
  'every-function-is-modifiable': 1,
  'flags-of-a-failed-update-stay': 3,
  'kprobe-in-a-body-stays-armed': 2,
  'kprobe-is-registered-twice': 4,
  'manager-has-a-function-twice': 2,
  'modify-detours-all-sites': 14,
  'notifier-of-a-refused-graph-user-stays': 2,
  'ops-that-leaves-has-the-trampoline': 2,
  'program-of-a-failed-link-is-put-twice': 1,
  'refused-frame-stays': 2,
  'rollback-puts-the-old-image': 8,
  'return-value-is-not-checked': 2,
  'table-of-a-removed-direct-call-leaks': 2,
  'taken-site-is-busy': 2,
};

const SOON = UPDATES
  ? SEARCHED
  : someOf(
      SEARCHED.filter(({ name }) => THOROUGH || !LATE.has(name)),
      20,
    );

describe.each(SOON.map((planted) => [planted.name, planted] as const))('%s', (_, planted) => {
  test('is found, shrunk to its smallest sequence, and saved as printed', { timeout: 180_000 }, () => {
    const { path, text } = saved(planted, SEEDS[planted.name] ?? 1) ?? { path: 'not found', text: '' };
    expect(path).toBe(pathOf(planted));
    if (UPDATES) {
      mkdirSync(dirname(join(TOP, path)), { recursive: true });
      writeFileSync(join(TOP, path), text);
    } else expect(text).toBe(CORPUS.get(path));
    const trace = parseAttachTrace(text);
    expect(printAttachTrace(trace)).toBe(text);
    expect(trace.case).toEqual(sequence(planted));
    expect(trace.report.split('\n').length).toBeLessThanOrEqual(40);
  });
});

test('another seed ends at the same trace', { timeout: 180_000 }, () => {
  const again = someOf(
    SEARCHED.filter(({ name }) => SEEDS[name] === undefined),
    16,
  );
  const pairs = again.flatMap((planted) => {
    const other = saved(planted, 3, FEW_SEQUENCES);
    return other === undefined ? [] : [{ other, kept: CORPUS.get(pathOf(planted)) ?? '' }];
  });
  expect(pairs.length).toBeGreaterThan(again.length / 4);
  for (const { other, kept } of pairs) expect(withoutItsOrigin(other.text)).toBe(withoutItsOrigin(kept));
});
