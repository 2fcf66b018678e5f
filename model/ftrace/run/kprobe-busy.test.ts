import { expect, test } from 'vitest';
import { Rig } from '../../testing/attach-rig.ts';
import { tracedFunction } from '../../trampoline/traced-function.ts';

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64')];

/** The events of a call with an fprobe that is shared with kprobes, and the misses that it counts. */
function called(profile: string, isKprobeRunning: boolean) {
  const own = new Rig(profile, FUNCTIONS);
  const both = { ips: ['f1'], entry: true, exit: true, shared: true } as const;
  expect(own.answer({ do: 'register_fprobe_ips', fprobe: 'fprobe#1', ...both })).toBe(0);
  own.k.current.kprobe = isKprobeRunning;
  const events = own.call('f1').run.events.map(({ kind }) => kind);
  expect([own.k.current.kprobe, own.k.current.preemptOff]).toEqual([isKprobeRunning, 0]);
  return [...events, own.k.probes.fprobes['fprobe#1']!.nmissed];
}

test.each(['6.12', '7.2'])(
  '%s: with no kprobe running the handlers of a shared fprobe are called',
  (profile) => {
    expect(called(profile, false)).toEqual(['fprobe entry', 'body', 'fprobe exit', 0]);
  },
);

test('6.12: with one running it is skipped, and counts a miss', () => {
  expect(called('6.12', true)).toEqual(['body', 1]);
});

test('7.2: the exit handler is called even so', () => {
  expect(called('7.2', true)).toEqual(['body', 'fprobe exit', 1]);
});
