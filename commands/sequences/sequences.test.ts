import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readText } from '../../conformance/files.ts';
import type { KnownDivergence } from '../../conformance/known/sequences.ts';
import { KNOWN_DIVERGENCES } from '../../conformance/known/sequences.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { THOROUGH } from '../../test/thorough.ts';
import type { ReplayedSequences } from './sequences.ts';
import { exitOfReplayed, replayedLines, replaySequences } from './sequences.ts';
import { totalsOf } from './summary.ts';

function linesOf(recording: string): string[] {
  return readText(join(import.meta.dirname, '../../conformance/recordings', recording))
    .trim()
    .split('\n');
}

const LINES = linesOf('sequences.jsonl.gz');
const ofKernel = (kernel: string) => LINES.filter((line) => line.startsWith(`{"release":"${kernel}.`));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sequences-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function replay(lines: readonly string[], known?: readonly KnownDivergence[]): ReplayedSequences {
  const path = join(folder, 'a.jsonl');
  writeFileSync(path, lines.join('\n'));
  return toEnd(replaySequences([path], known));
}

/** The first ones: each runs in the state that the previous one left. The default run replays all that were recorded. */
const ASKED = THOROUGH ? Number.POSITIVE_INFINITY : 12;

function expectAgreement(lines: readonly string[]): void {
  const replayed = replay(lines);
  expect(exitOfReplayed(replayed)).toBe(EXIT.HELD);
  const { sequences, agreeing } = totalsOf('all', replayed.results);
  expect([sequences, agreeing]).toEqual([lines.length, lines.length]);
}

describe('the recorded sequences', () => {
  test('agree in every step', () => {
    expect(LINES.length).toBeGreaterThan(1000);
    for (const kernel of KERNELS) expectAgreement(ofKernel(kernel).slice(0, ASKED));
  });

  test('of a kernel that is near to another one agree as well', () => {
    expectAgreement(linesOf('7.3-sequences.jsonl.gz').slice(0, ASKED));
  });

  test.runIf(THOROUGH)('of 6.12 agree in every step, on the state that each left to the next', () => {
    const replayed = replay(ofKernel('6.12'));
    expect(exitOfReplayed(replayed)).toBe(EXIT.HELD);
    expect(totalsOf('6.12', replayed.results)).toEqual({
      name: '6.12',
      sequences: 275,
      agreeing: 275,
      steps: 3435,
      calls: 4362,
      events: 21961,
      how: { first: 4, carried: 271, reboot: 0, 'earlier use': 0, 'order as set': 0 },
      warned: { kernel: 59, both: 59, model: 0 },
      crashes: { kernel: 0, both: 0 },
    });
  });

  test('and further ones, with all functions and all kinds of nonsense, agree too', {
    timeout: 120_000,
  }, () => {
    const lines = linesOf('asked-sequences.jsonl.gz');
    expect(lines).toHaveLength(799);
    expectAgreement(lines.slice(0, ASKED));
  });

  test('and so do all pairs of mechanisms on one function', { timeout: 60_000 }, () => {
    const lines = linesOf('pairs.jsonl.gz');
    expect(lines).toHaveLength(500);
    expectAgreement(lines.slice(0, ASKED));
  });
});

test('--verbose counts operations: all compared steps, and the refused ones', () => {
  const replayed = replay(ofKernel('6.12').slice(0, 3));
  const all = replayed.results.flatMap(({ sequence }) =>
    sequence.steps.map(({ errno }, i) => ({ name: sequence.ops[i]!.text.split(' ')[0]!, errno })),
  );
  const short = replayedLines(replayed);
  const added = replayedLines(replayed, 'verbose').filter((line) => !short.includes(line));
  const [head, ...rows] = added.filter((line) => line !== '').map((line) => line.trim().split(/ +/));
  expect(head).toEqual(['operation', 'steps', 'refused']);
  expect(rows).toEqual(
    [...new Set(all.map(({ name }) => name))].sort().map((name) => {
      const own = all.filter((step) => step.name === name);
      return [name, String(own.length), String(own.filter(({ errno }) => errno !== 0).length)];
    }),
  );
});

describe('a divergence that is listed', () => {
  const line = ofKernel('6.12').find((text) => text.includes('"seq":242,'))!;
  const doctored = line.replace('"op":"dreg f2 1 2","errno":16', '"op":"dreg f2 1 2","errno":22');
  const listed: KnownDivergence = {
    name: 'direct-beside-a-post-handler',
    kernels: ['6.12'],
    sentence: 'The kernel answers something else there.',
    evidence: 'none: this is a test',
    ops: 'kpon f2 1; freg f2 0; dreg f2 1 2',
    aspect: 'errno',
  };

  test('is printed with its reason and does not fail', () => {
    const replayed = replay([doctored], [listed]);
    expect(exitOfReplayed(replayed)).toBe(EXIT.HELD);
    expect(replayedLines(replayed)).toEqual(
      expect.arrayContaining([
        'known direct-beside-a-post-handler',
        '    6.12: The kernel answers something else there.',
      ]),
    );
  });

  test.each([
    ['that is not listed', []],
    ['in another aspect', [{ ...listed, aspect: 'stage' as const }]],
    ['on another kernel', [{ ...listed, kernels: ['7.2' as const] }]],
    ['after other operations', [{ ...listed, ops: 'kpon f2 1; dreg f2 1 2' }]],
  ])('fails when it is one %s', (_, known) => {
    expect(exitOfReplayed(replay([doctored], known))).toBe(EXIT.BROKEN);
  });

  test('fails when the model agrees with a recording there', () => {
    const replayed = replay([line], [listed]);
    expect(exitOfReplayed(replayed)).toBe(EXIT.BROKEN);
    expect(replayedLines(replayed)).toContain(
      '✗ direct-beside-a-post-handler is listed as known, and the model agrees there',
    );
  });

  test('is not missed where no recording shows it', () => {
    expect(exitOfReplayed(replay(ofKernel('7.2').slice(0, 2), [listed]))).toBe(EXIT.HELD);
  });

  test.each(KNOWN_DIVERGENCES)('$name is about a recorded sequence', ({ ops, kernels }) => {
    const texts = LINES.map((text) => JSON.parse(text)).filter(({ release }) =>
      kernels.some((kernel) => release.startsWith(`${kernel}.`)),
    );
    const begins = texts.some(({ steps }) =>
      `${steps.map(({ op }: { op: string }) => op).join('; ')};`.startsWith(`${ops};`),
    );
    expect(begins).toBe(true);
  });
});
