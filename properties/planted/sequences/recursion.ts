import { callsLeaveNothingBehind } from '../../ftrace/calls-leave-nothing-behind.ts';
import { CALL_F1, fprobe } from './actions.ts';
import { edit, instead } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** Planted bugs in the protection against recursion that one call shows. */
export const PLANTED_BITS: readonly AttachPlanted[] = [
  {
    name: 'recursion-bit-stays-set',
    sentence:
      'fprobe_handler() returns with its bit against recursion set: later calls in the same context are missed.',
    history: 'fprobe: add unlock to match a succeeded ftrace_test_recursion_trylock (6.5; 6.4.5)',
    law: callsLeaveNothingBehind,
    profile: '6.12',
    edits: [
      edit(
        'fprobe_handler',
        'preempt_enable',
        instead((k) => {
          k.current.preemptOff--;
        }),
      ),
    ],
    smallest: [fprobe(1), CALL_F1],
    finding: 'trace_recursion is 0 after the call / it is 1',
  },
];
