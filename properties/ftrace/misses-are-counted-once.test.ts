import { expect, test } from 'vitest';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import type { Action } from '../../model/client/all.ts';
import type { Kernel } from '../../model/kernel.ts';
import { KERNEL_PROGRAM, linkKernel } from '../../model/step.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { inOneLine } from '../finding/render.ts';
import { callOf } from '../observed/sample-call.ts';
import { edit, followedBy } from '../planted/sequences/edits.ts';
import { missesAreCountedOnce } from './misses-are-counted-once.ts';

const REC = tracedFunction('rec', 1, 'u64 -> u64');

/** A function that calls itself, with a pool of one node for its returns. */
const HOOKED: readonly Action[] = [
  { do: 'register_kretprobe', kretprobe: 'kretprobe#1', ip: 'rec', maxactive: 1, entryHandler: false },
];
function judged(profile: string, actions: readonly Action[], program = KERNEL_PROGRAM) {
  const sequence = { profile, functions: [REC], actions: [...actions, callOf(REC, 1)] };
  const { breach, witnesses } = runSequence(sequence, { laws: [missesAreCountedOnce], program });
  return { finding: breach && inOneLine(breach.finding), met: witnesses.size > 0 };
}

test.each(['6.1', '6.12', '7.2'])('a kretprobe of %s counts each call without a node once', (kernel) => {
  const { finding, met } = judged(kernel, HOOKED);
  expect({ finding, met }).toEqual({ finding: undefined, met: true });
});

test('a miss that is counted twice is found', () => {
  const program = linkKernel([
    edit(
      'kprobe_ftrace_handler',
      'put the instruction pointer back',
      followedBy((k: Kernel) => {
        const kretprobe = k.probes.kretprobes['kretprobe#1']!;
        if (kretprobe.nmissed === 1) kretprobe.nmissed++;
      }),
    ),
  ]);
  expect(judged('6.12', HOOKED, program).finding).toBe(
    'kretprobe#1 misses 1 of its calls, and counts 1 / it counts 2',
  );
});
