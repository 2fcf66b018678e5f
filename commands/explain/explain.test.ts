import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { observeCall } from '../../checker/explain/observe-call.ts';
import { stepsOf } from '../../checker/sequences/steps-of.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { plantedIn } from '../../counterexamples/trace-file.ts';
import { codePlace } from '../../model/call/code-place.ts';
import { fromHex } from '../../model/x86/word.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import { someOf, THOROUGH } from '../../test/thorough.ts';
import { programKind } from './call-words.ts';
import { eventText } from './event-text.ts';
import { explainFile } from './explain-job.ts';

const HERE = import.meta.dirname;
const CORPUS = join(HERE, '../../counterexamples/corpus');

function textOf(path: string): string {
  return readFileSync(path, 'utf8');
}

function explained(path: string, step?: string): string {
  return explainFile({ path, text: textOf(path) }, step).text;
}

describe('a saved explanation is printed again', () => {
  test.each([
    ['nine-arguments', join(HERE, 'examples', 'nine-arguments.calls')],
    ['live-patch', join(HERE, 'examples', 'live-patch.calls')],
    ['multi-link', join(HERE, 'examples', 'multi-link.calls')],
    [
      'kretprobes',
      join(CORPUS, 'ftrace/return-hooks-run-in-reverse-order.oldest-return-hook-runs-first.trace'),
    ],
    [
      'function-graph',
      join(CORPUS, 'ftrace/exits-match-accepted-entries.exit-handlers-ignore-the-frame-bitmap.trace'),
    ],
    ['interleaving', join(CORPUS, 'task/everything-terminates.counter-never-falls.trace')],
    [
      'interleaved-crash',
      join(CORPUS, 'task/no-fetch-from-freed-memory.no-rcu-tasks-trace-for-sleepers.trace'),
    ],
    ['combination', join(CORPUS, 'trampoline/original-runs-exactly-once.modified-return-ignored.trace')],
  ])('%s', (name, path) => {
    const saved = join(HERE, 'examples', `${name}.txt`);
    const text = `${explained(path)}\n`;
    if (process.env['UPDATE'] === '1') writeFileSync(saved, text);
    expect(text).toBe(textOf(saved));
  });
});

test('a struct_ops member is called through a thunk', () => {
  const text = explained(
    join(CORPUS, 'trampoline/caller-sees-the-return-value.return-of-a-member-lost.trace'),
  );
  expect(text).toContain('B  __x86_indirect_thunk_rax     a thunk, which jumps to a pointer');
  expect(text).toContain('__x86_indirect_thunk_rax+0x4 jumps to C');
});

/** One in this many of the saved traces is explained. */
const EVERY = 5;

/** All saved sequences of client calls that make calls. */
const SEQUENCES = ['ftrace', 'known']
  .flatMap((folder) => readdirSync(join(CORPUS, folder)).map((name) => join(CORPUS, folder, name)))
  .filter((path) => /^task#1 calls/m.test(textOf(path)));

/** The events of all calls of a sequence, in the words of an explanation; from a run without a recorder. */
function eventsOf(path: string): string[] {
  const { case: c, planted } = parseSequence(textOf(path));
  const steps = stepsOf(c, plantedKernel(plantedIn(ATTACH_PLANTED, planted)));
  return steps.flatMap(({ before, outcome }) =>
    (outcome.call?.events ?? []).map((event) =>
      eventText(event, {
        kindOf: (who) => programKind(before, who),
        placeOf: (address) => codePlace(before, fromHex(address)),
      }),
    ),
  );
}

/** The first text that does not come after those before it. */
function missingIn(text: string, expected: readonly string[]): string | undefined {
  const flat = text.replace(/\s+/g, ' ');
  let from = 0;
  return expected.find((name) => {
    const index = flat.indexOf(name, from);
    from = index + name.length;
    return index < 0;
  });
}

test('every event of saved sequences is printed, in order, in 80 columns', () => {
  let events = 0;
  for (const path of someOf(SEQUENCES, EVERY)) {
    const expected = eventsOf(path);
    const text = explained(path);
    expect(missingIn(text, expected), path).toBeUndefined();
    expect(
      text.split('\n').filter((line) => /^ {7}/.test(line) && line.length > 80),
      path,
    ).toEqual([]);
    events += expected.length;
  }
  expect(SEQUENCES.length).toBeGreaterThan(60);
  expect(events).toBeGreaterThan(THOROUGH ? 140 : 30);
});

test('a watched call has the outcome of an unwatched one, to the instruction', () => {
  let calls = 0;
  for (const path of someOf(SEQUENCES, EVERY)) {
    const { case: c, planted } = parseSequence(textOf(path));
    const program = plantedKernel(plantedIn(ATTACH_PLANTED, planted));
    for (const { before, action, outcome } of stepsOf(c, program)) {
      if (action.do !== 'call' || outcome.call === undefined) continue;
      expect(observeCall(copyKernel(before), action, program).call, path).toEqual(outcome.call);
      calls++;
    }
  }
  expect(calls).toBeGreaterThan(THOROUGH ? 60 : 12);
});

test('saved attach combinations that are called are explained, in 80 columns', () => {
  const paths = readdirSync(join(CORPUS, 'trampoline'))
    .map((name) => join(CORPUS, 'trampoline', name))
    .filter((path) => /^task#1 calls f$/m.test(textOf(path)));
  for (const path of someOf(paths, EVERY)) {
    const text = explained(path);
    expect(text, path).toMatch(/^ {7}caller calls B, to return to A$/m);
    expect(
      text.split('\n').filter((line) => /^ {7}/.test(line) && line.length > 80),
      path,
    ).toEqual([]);
  }
  expect(paths.length).toBeGreaterThan(20);
});

test('one step only, and a run that goes another way', () => {
  const path = join(HERE, 'examples', 'nine-arguments.calls');
  const text = explained(path, '2');
  expect(text).toContain('  2  link#1 = BPF_LINK_CREATE(prog#1)');
  expect(text).not.toContain('  1  ');
  const other = textOf(path).replace('(prog#1)                                 = 0', '(prog#1) = -EBUSY');
  const answer = explainFile({ path: 'a.trace', text: other }, undefined);
  expect(answer.exit).toBe(EXIT.FAILED);
  expect(answer.text).toMatch(/^\? a\.trace\n {4}diverged: step 2 answers 0, saved is -EBUSY$/m);
});

test('a schedule that diverges is explained up to there, and one run only', () => {
  const path = join(CORPUS, 'task/no-fetch-from-freed-memory.no-rcu-tasks-trace-for-sleepers.trace');
  const text = textOf(path).replace('runs 3 steps, to its end', 'runs 2 steps, to its end');
  const { exit, text: told } = explainFile({ path: 'a.trace', text }, undefined);
  expect(exit).toBe(EXIT.FAILED);
  expect(told).toMatch(/diverged: run 2, .*: it gets to bpf_tramp_image_free: free the image$/m);
  expect(told).not.toContain('expected');
  expect(explained(path, '3')).not.toContain('client#1 runs');
});

test.each([
  [
    'kernel   6.12\n\nf1 = function(u64 -> u64)\nfrob(f1)\n',
    'a.trace: line 4, column 1: there is no call frob; ',
  ],
  ['kernel   6.12\nagainst  7.2\n\n', 'a.trace: it is a history in two kernels'],
  [
    'kernel   6.12\n\nf1 = function(u64 -> u64)\n\ntask#1: f1(0x1)\n',
    'a.trace: it is a scenario without a schedule: ',
  ],
  [
    'kernel   all\n\nf1 = function(u64 -> u64)\ntask#1: f1(0x1)\n\ntask#1 runs on cpu 0\n',
    'a.trace: a schedule needs one kernel',
  ],
  ['', 'a.trace: empty file; a file begins with its kernel'],
  ['kernel   6.12\n', 'a.trace: line 2: no program below the header'],
  [
    'kernel   6.12\nf1()\n',
    'a.trace: line 2, column 1: the blank line between header and program is missing',
  ],
])('what cannot be explained is said in one sentence: %j', (text, sentence) => {
  expect(() => explainFile({ path: 'a.trace', text }, undefined)).toThrow(sentence);
});

test('an event that is left out, and one in another place, are noticed', () => {
  expect(missingIn('a b\n  c d', ['b c', 'd'])).toBeUndefined();
  expect(missingIn('a b\n  c d', ['a', 'x'])).toBe('x');
  expect(missingIn('a b\n  c d', ['d', 'a'])).toBe('a');
});

test('a file for all kernels is explained in each that has its calls', () => {
  const text = 'kernel   all   # of them\n\nf1 = function(u64 -> u64)\nregister_kprobe(kprobe#1, f1)\n';
  const { json, text: told } = explainFile({ path: 'a.calls', text }, undefined);
  const kernels = json['kernels'] as { kernel: string }[];
  expect(kernels.map(({ kernel }) => kernel)).toEqual(['6.1', '6.12', '7.2']);
  expect(told.match(/^kernel /gm)).toHaveLength(3);
});
