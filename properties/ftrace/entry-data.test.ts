import { describe, expect, test } from 'vitest';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { callOf } from '../observed/sample-call.ts';
import { fprobe } from '../planted/sequences/actions.ts';
import { entryDataReachesItsExit } from './entry-data-reaches-its-exit.ts';

const REC = tracedFunction('rec', 1, 'u64 -> u64');

function keeping(n: number, entryDataSize: number, exit = true) {
  return { ...fprobe(n, true, exit, 'rec'), entryDataSize };
}

/** What entry handlers stored and exit handlers found, in order: `fprobe#1 0x1`. */
function dataSeen(profile: string, actions: Parameters<typeof runSequence>[0]['actions']) {
  const laws = [entryDataReachesItsExit];
  const { outcomes, breach, witnesses } = runSequence({ profile, functions: [REC], actions }, { laws });
  expect(breach).toBeUndefined();
  const events = outcomes.at(-1)!.call!.events.filter(({ kind }) => kind.startsWith('fprobe'));
  return {
    isAsked: witnesses.has(entryDataReachesItsExit),
    seen: events.map(({ who, entryData }) => `${who} ${entryData ?? 'none'}`),
  };
}

describe.each(['6.12', '7.2'])('%s: entry data', (profile) => {
  test('of two fprobes in nested calls reaches the right exit handler', () => {
    const actions = [keeping(1, 16), keeping(2, 8), callOf(REC, 1)];
    expect(dataSeen(profile, actions)).toEqual({
      isAsked: true,
      seen: [
        ...['fprobe#2 0x1', 'fprobe#1 0x2', 'fprobe#2 0x4', 'fprobe#1 0x5'],
        ...(profile === '6.12'
          ? ['fprobe#1 0x5', 'fprobe#2 0x4', 'fprobe#1 0x2', 'fprobe#2 0x1']
          : ['fprobe#2 0x4', 'fprobe#1 0x5', 'fprobe#2 0x1', 'fprobe#1 0x2']),
      ],
    });
  });

  test('does not exist without an exit handler', () => {
    expect(dataSeen(profile, [keeping(1, 16, false), callOf(REC, 0)])).toEqual({
      isAsked: false,
      seen: ['fprobe#1 none'],
    });
  });
});

test('7.2: three fprobes whose entry data does not fit what a call may reserve all miss it', () => {
  const most = [1, 2, 3].map((n) => keeping(n, 120));
  expect(dataSeen('7.2', [...most.slice(1), callOf(REC, 0)]).seen).toHaveLength(4);
  expect(dataSeen('7.2', [...most, callOf(REC, 0)]).seen).toEqual([]);
});
