import { noTornInstruction } from '../../task/no-torn-instruction.ts';
import { noUnhandledBreakpoint } from '../../task/no-unhandled-breakpoint.ts';
import { noWarnAndNoOops } from '../../task/no-warn-and-no-oops.ts';
import { F1, F2, filter, kprobeInBody } from '../sequences/actions.ts';
import { dropped, edit, followedBy, instead } from '../sequences/edits.ts';
import type { TaskPlanted } from './planted.ts';
import { calls, register, scenario, tracer } from './scenarios.ts';
import { added, TRACEPOINT } from './tracepoints.ts';

/** An ops is registered while a task calls its function. */
const COMES = scenario({ setup: tracer('ops#1'), clients: [[register('ops#1')]] });

/** The same, while a task comes to the int3 of a kprobe in the body of another function. */
export const BESIDE_A_KPROBE = scenario({
  functions: [F1, F2],
  setup: [kprobeInBody(1), ...tracer('ops#1', 'f2')],
  clients: [[register('ops#1')]],
});

const AT_THE_INT3 = calls('f1', { startsAt: { place: 'f1+0xa', condition: 'preempted' } });

/** Planted bugs in text poking. */
export const PLANTED_TEXT: readonly TaskPlanted[] = [
  {
    name: 'no-sync-after-int3',
    sentence: 'The tail is written before all CPUs have seen the breakpoint.',
    history: undefined,
    law: noTornInstruction,
    profile: '6.12',
    edits: [edit('text_poke_bp_batch', 'sync after int3', dropped)],
    scenario: COMES,
    finding:
      'the CPU executes the old or the new instruction / torn instruction: f1 is executed as 0ff7ff113f',
    moves: 22,
  },
  {
    name: 'no-sync-after-tails',
    sentence: 'The first byte is written before all CPUs have seen the tail.',
    history: undefined,
    law: noTornInstruction,
    profile: '6.12',
    edits: [edit('text_poke_bp_batch', 'sync after tails', dropped)],
    scenario: COMES,
    finding:
      'the CPU executes the old or the new instruction / torn instruction: f1 is executed as e81f440000',
    moves: 24,
  },
  {
    name: 'no-breakpoint',
    sentence: 'The tail is written first, without a breakpoint.',
    history: undefined,
    law: noTornInstruction,
    profile: '6.12',
    edits: [edit('text_poke_bp_batch', 'write int3', dropped)],
    scenario: COMES,
    finding:
      'the CPU executes the old or the new instruction / torn instruction: f1 is executed as 0ff7ff113f',
    moves: 19,
  },
  {
    name: 'no-sync-after-heads',
    sentence: 'The batch is retired before all CPUs have seen the new instruction.',
    history: undefined,
    law: noUnhandledBreakpoint,
    profile: '6.12',
    edits: [edit('text_poke_bp_batch', 'sync after heads', dropped)],
    scenario: COMES,
    finding: 'the handler finds the batch or the kprobe that the int3 belongs to / unhandled int3 at f1',
    moves: 26,
  },
  {
    name: 'batch-is-retired-with-the-heads',
    sentence: 'The batch is retired before the last sync, not after it.',
    history: undefined,
    law: noUnhandledBreakpoint,
    profile: '6.12',
    edits: [
      edit(
        'text_poke_bp_batch',
        'write heads',
        followedBy((k) => {
          k.text.poke = null;
        }),
      ),
    ],
    scenario: COMES,
    finding: 'the handler finds the batch or the kprobe that the int3 belongs to / unhandled int3 at f1',
    moves: 28,
  },
  {
    name: 'batch-goes-while-a-handler-searches',
    sentence:
      'The batch is gone after its last sync, while a CPU has come to its search from the int3 of a kprobe.',
    history: 'x86/alternatives: Sync bp_patching update for avoiding NULL pointer exception (5.5)',
    law: noWarnAndNoOops,
    profile: '6.12',
    edits: [
      edit(
        'text_poke_bp_batch',
        'retire the batch',
        instead((k) => {
          k.text.poke = null;
        }),
      ),
    ],
    scenario: {
      ...scenario({ setup: [kprobeInBody(1)], clients: [[added(1)]], callers: [AT_THE_INT3] }),
      tracepoints: [TRACEPOINT],
    },
    finding: 'no oops / the handler of the int3 at f1+0xa searches a text poke that is over',
    moves: 14,
  },
  {
    name: 'batch-ends-with-a-handler-in-it',
    sentence:
      'A batch does not wait for the handlers that hold it: the last of them drops the reference of the next batch.',
    history: undefined,
    law: noUnhandledBreakpoint,
    profile: '6.12',
    edits: [edit('text_poke_bp_batch', 'a handler holds it', dropped)],
    scenario: { ...BESIDE_A_KPROBE, callers: [calls('f1'), calls('f2')], cpus: 2 },
    finding: 'the handler finds the batch or the kprobe that the int3 belongs to / unhandled int3 at f2',
    moves: 29,
  },
  {
    name: 'batch-is-not-sorted',
    sentence: "A text poke is queued last, whatever its address, and the handler's search misses it.",
    history: 'x86/alternatives: Fix int3 handling failure from broken text_poke array (6.16)',
    law: noUnhandledBreakpoint,
    profile: '6.12',
    edits: [
      edit(
        'text_poke_bp_batch',
        'publish the batch',
        followedBy((k) => {
          k.text.poke = { ...k.text.poke!, vec: k.text.poke!.vec.toReversed() };
        }),
      ),
    ],
    scenario: scenario({
      functions: [F1, F2],
      setup: [...tracer('ops#1'), filter('ops#1', 'f2')],
      clients: [[register('ops#1')]],
      callers: [calls('f2')],
    }),
    finding: 'the handler finds the batch or the kprobe that the int3 belongs to / unhandled int3 at f2',
    moves: 25,
  },
];
