import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readText } from '../../conformance/files.ts';
import type { ImageResult } from '../../conformance/images/images.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { scratch } from '../../test/scratch.ts';
import { someOf, THOROUGH } from '../../test/thorough.ts';
import type { ComparedImages } from './recordings.ts';
import { compareFiles, exitOf } from './recordings.ts';

const RECORDINGS = join(import.meta.dirname, '../../conformance/recordings');

const { file } = scratch();

function compare(...names: string[]): ComparedImages {
  return toEnd(compareFiles(names.map((name) => resolve(RECORDINGS, name))));
}

/** How many results have which status. */
function statuses(results: readonly ImageResult[], aspect: 'attempt' | 'image' | 'call' | 'laws') {
  const counts: Record<string, number> = {};
  for (const result of results) counts[result[aspect].status] = (counts[result[aspect].status] ?? 0) + 1;
  return counts;
}

/** The default run compares them all. */
describe.runIf(THOROUGH)('the recorded trampolines', () => {
  let compared: ComparedImages;
  beforeAll(() => {
    compared = compare('trampolines.jsonl.gz');
  });

  test('all 741 images are generated to the byte', () => {
    expect(statuses(compared.results, 'image')).toEqual({ identical: 741, none: 209 });
  });

  test('all 741 recorded bytes reproduce the recorded call', () => {
    expect(statuses(compared.results, 'call')).toEqual({ reproduced: 741, none: 209 });
  });

  test('every errno agrees, but for five programs that are of another kind', () => {
    expect(statuses(compared.results, 'attempt')).toEqual({ agrees: 945, 'not decided': 5 });
    const undecided = compared.results.filter(({ attempt }) => attempt.status === 'not decided');
    expect(new Set(undecided.map(({ attempt }) => attempt.why))).toEqual(
      new Set(['kprobe.multi is not a trampoline program']),
    );
  });

  test('no law is broken in a way that is not listed', () => {
    expect(statuses(compared.results, 'laws')).toEqual({ hold: 610, known: 131, none: 209 });
    const known = compared.results.flatMap((result) => result.known);
    expect(new Set(known)).toEqual(new Set(['early-return-passes-the-patched-nop']));
    expect(compared.problems).toEqual([]);
    expect(exitOf(compared)).toBe(EXIT.HELD);
  });
});

describe('further recordings', () => {
  test.runIf(THOROUGH)(
    'other functions, __int128, sleepable programs under call-depth tracking, what the verifier refuses: all agree',
    () => {
      const { results, problems } = compare('asked.jsonl.gz');
      expect(problems).toEqual([]);
      expect(statuses(results, 'attempt')).toEqual({ agrees: 497, 'not decided': 10 });
      expect(statuses(results, 'image')).toEqual({ identical: 398, 'not the attached one': 4, none: 105 });
      expect(statuses(results, 'call')).toEqual({ reproduced: 398, none: 109 });
      expect(statuses(results, 'laws')).toEqual({ hold: 307, known: 91, none: 109 });
    },
  );

  test.each(['asked.jsonl.gz', '7.3-images.jsonl.gz'])('of %s some agree', (name) => {
    const lines = readText(join(RECORDINGS, name)).trim().split('\n');
    const asked = someOf(lines, 8);
    const compared = compare(file('some.jsonl', asked.join('\n')));
    expect(compared.results).toHaveLength(asked.length);
    expect(exitOf(compared)).toBe(EXIT.HELD);
    expect(statuses(compared.results, 'image')['identical']).toBeGreaterThan(asked.length / 2);
    expect(statuses(compared.results, 'attempt')['agrees']).toBeGreaterThan(0.9 * asked.length);
  });

  test('a record at which the checker fails does not cost the others', () => {
    const [record = ''] = readText(join(RECORDINGS, 'trampolines.jsonl.gz'))
      .split('\n')
      .filter((line) => line.includes('__bpf_tramp_enter'));
    const damaged = record.replaceAll('__bpf_tramp_enter', '__bpf_tramp_inter');
    const compared = compare(file('damaged.jsonl', [damaged, record].join('\n')));
    expect(compared.failures).toEqual([
      expect.stringMatching(/damaged\.jsonl:1: the checker failed: .*__bpf_tramp_inter is not modelled$/),
    ]);
    expect(compared.results).toHaveLength(1);
    expect(exitOf(compared)).toBe(EXIT.FAILED);
    const tooMany = record
      .replace('"attached": 1,', '"attached": 99,')
      .replace('"attached":1,', '"attached":99,');
    expect(compare(file('attached.jsonl', tooMany)).problems).toEqual([
      expect.stringMatching(/attached\.jsonl:1: field attached is 99, of \d+ programs$/),
    ]);
  });
});
