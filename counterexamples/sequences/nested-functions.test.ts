import { describe, expect, test } from 'vitest';
import { stepsOf } from '../../checker/sequences/steps-of.ts';
import { parseSequence } from './attach-trace.ts';

/** The observers of the last step of a sequence and their words, without bodies. */
function seenIn(program: string): readonly string[] {
  const steps = stepsOf(parseSequence(`kernel 6.12\n\n${program}`).case);
  const events = steps.at(-1)?.outcome.call?.events ?? [];
  return events.flatMap(({ kind, who, fn }) => (kind === 'body' ? [] : [`${who} ${kind} ${fn}`]));
}

const THREE =
  'ca = function(u64 x3 -> u64)\ncb = function(u64 x2 -> u64)\nf1 = function(u64 -> u64)\nf2 = function(u64 x2 -> u64)\n';

describe('functions that call others', () => {
  test('recursion takes an instance of a kretprobe for each call that is under way', () => {
    const program = (maxactive: number) =>
      `rec = function(u64 -> u64)\nregister_kretprobe(kretprobe#1, rec, maxactive=${maxactive})\ntask#1 calls rec(0x3)`;
    expect(seenIn(program(2))).toHaveLength(2);
    expect(seenIn(program(4))).toHaveLength(4);
  });

  test('calls within a call are seen by their own probes, the inner ones first', () => {
    const probes = ['ca', 'cb'].map((fn, i) => `register_kretprobe(kretprobe#${i + 1}, ${fn}, maxactive=1)`);
    expect(seenIn(`${THREE}${probes.join('\n')}\ntask#1 calls ca(0x1, 0x2, 0x3)`)).toEqual([
      'kretprobe#2 kretprobe cb',
      'kretprobe#1 kretprobe ca',
    ]);
  });

  test.each([
    ['rec = function(u64, u64 -> u64)', 'rec is a function that calls itself, and takes 1 argument word; '],
    [THREE.replace(/^cb.*\n/m, ''), 'ca calls cb, which is not declared'],
    [
      THREE.replace('f1 = function(u64 ', 'f1 = function(u64 x2 '),
      'cb calls f1, which has to take 0 to 1 argument word',
    ],
    [
      THREE.replace('f2 = function(u64 x2 -> u64', 'f2 = function(u64 -> void'),
      'ca calls f2, which has to take ',
    ],
  ])('%s', (functions, why) => {
    expect(() => parseSequence(`kernel 6.12\n\n${functions}\nall grace periods end`)).toThrow(why);
  });
});
