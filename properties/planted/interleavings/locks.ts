import type { Part } from '../../../model/core/part.ts';
import { registerFtraceFunction } from '../../../model/ftrace/register.ts';
import { eachStepHoldsItsLock } from '../../task/each-step-holds-its-lock.ts';
import { eagainIsTemporary } from '../../task/eagain-is-temporary.ts';
import { everythingTerminates } from '../../task/everything-terminates.ts';
import { noDeadlock } from '../../task/no-deadlock.ts';
import { noWarnAndNoOops } from '../../task/no-warn-and-no-oops.ts';
import { F1, F2, kprobe, load } from '../sequences/actions.ts';
import { bare, edit, giving, PLANTED_PART } from '../sequences/edits.ts';
import type { TaskPlanted } from './planted.ts';
import {
  directCall,
  ENDS_IN_THE_FUNCTION,
  livePatchOn,
  modifyDirect,
  open,
  register,
  registerDirect,
  scenario,
  tracer,
  unregister,
} from './scenarios.ts';

/** A program that runs after the function, and a live patch, are attached at the same time. */
const ATTACH_AND_PATCH = scenario({
  setup: [load(1, 'fexit'), load(2), open(2), ...livePatchOn('ops#1')],
  clients: [[open(1)], [register('ops#1')]],
  callers: [],
});

/** A trylock becomes a lock. */
function waitedFor(part: Part): readonly Part[] {
  if (part.kind !== 'try') return [part];
  return [{ kind: 'hold', id: 'lock', lock: part.lock, parts: part.parts }];
}

/** A lock becomes a trylock whose answer is ignored: one task at a time does not show it. */
function onlyTried(part: Part): readonly Part[] {
  if (part.kind !== 'hold') return [part];
  return [{ kind: 'try', id: part.id, lock: part.lock, parts: part.parts, busy: part.parts }];
}

/** Planted bugs of locks: deadlocks, and races that the locks prevent. */
export const PLANTED_LOCKS: readonly TaskPlanted[] = [
  {
    name: 'peer-waits-for-the-trampoline',
    sentence:
      "The owner of a direct call, queried for a live patch, waits for the trampoline's lock while direct_mutex is held.",
    history: 'bpf: Support bpf_trampoline on functions with IPMODIFY (6.0), its rule of locks',
    law: noDeadlock,
    profile: '6.12',
    edits: [edit('bpf_tramp_ftrace_ops_func', 'try lock', waitedFor)],
    scenario: ATTACH_AND_PATCH,
    finding:
      'no deadlock / client#1 waits for direct_mutex, which client#2 holds; client#2 waits for mutex of tr(f1), which client#1 holds',
    moves: 4,
  },
  {
    name: 'peer-takes-direct-mutex-again',
    sentence:
      'The owner of a direct call, queried for a live patch, changes it through the function that takes direct_mutex.',
    history: 'ftrace: Fix recursive locking direct_mutex in ftrace_modify_direct_caller (6.0.3)',
    law: noDeadlock,
    profile: '6.12',
    edits: [
      edit(
        'bpf_tramp_ftrace_ops_func',
        'bpf_trampoline_update',
        giving((args) => ({ ...args, lockDirectMutex: true })),
      ),
    ],
    scenario: scenario({
      setup: [load(1, 'fexit'), open(1), ...livePatchOn('ops#1')],
      clients: [[register('ops#1')]],
      callers: [],
    }),
    finding: 'no deadlock / client#1 waits for direct_mutex, which client#1 holds',
    moves: 3,
  },
  {
    name: 'modify-takes-direct-mutex-again',
    sentence:
      'modify_ftrace_direct() registers its temporary ops through the function that takes direct_mutex.',
    history: 'ftrace: Fix recursive locking direct_mutex in ftrace_modify_direct_caller (6.0.3)',
    law: noDeadlock,
    profile: '6.12',
    edits: [
      edit('__modify_ftrace_direct', 'register_ftrace_function_nolock', (part) =>
        part.kind === 'call' ? [{ ...part, routine: registerFtraceFunction as never }] : [part],
      ),
    ],
    scenario: scenario({
      setup: [...directCall(1), registerDirect(1)],
      clients: [[modifyDirect(1, 2)]],
      callers: [],
    }),
    finding: 'no deadlock / client#1 waits for direct_mutex, which client#1 holds',
    moves: 1,
  },
  {
    name: 'modify-stops-kprobes',
    sentence:
      'modify_ftrace_direct() takes kprobe_mutex after direct_mutex; arming a kprobe takes them in the opposite order.',
    history: undefined,
    law: noDeadlock,
    profile: '6.12',
    edits: [
      edit('modify_ftrace_direct', 'lock direct_mutex', (part) =>
        part.kind === 'hold'
          ? [
              {
                ...part,
                parts: [{ kind: 'hold', id: PLANTED_PART, lock: 'kprobe_mutex', parts: part.parts }],
              },
            ]
          : [part],
      ),
    ],
    scenario: scenario({
      functions: [F1, F2],
      setup: [...directCall(1), registerDirect(1)],
      clients: [[modifyDirect(1, 2)], [kprobe(1, false, 'f2')]],
      callers: [],
    }),
    finding:
      'no deadlock / client#1 waits for kprobe_mutex, which client#2 holds; client#2 waits for direct_mutex, which client#1 holds',
    moves: 9,
  },
  {
    name: 'direct-calls-without-ftrace-lock',
    sentence:
      'update_ftrace_direct_add() changes records and text of an ops that already has sites without ftrace_lock.',
    history: 'ftrace: Add missing ftrace_lock to update_ftrace_direct_add/del (7.0)',
    law: noWarnAndNoOops,
    profile: '7.2',
    edits: [edit('update_ftrace_direct_add', 'lock ftrace_lock', bare)],
    scenario: scenario({
      functions: [F1, F2],
      setup: [
        { do: 'update_ftrace_direct_add', ops: 'direct#1', hash: { f1: 'my_tramp1' } },
        ...tracer('ops#1', 'f2'),
        register('ops#1'),
      ],
      clients: [
        [{ do: 'update_ftrace_direct_add', ops: 'direct#1', hash: { f2: 'my_tramp2' } }],
        [unregister('ops#1')],
      ],
      callers: [],
    }),
    finding:
      'no warning / bad trampoline accounting (ftrace_get_addr_curr); ftrace bug: f2 does not hold the instruction that its record says',
    moves: 6,
  },
  {
    name: 'registrations-overlap',
    sentence: 'register_ftrace_function() changes records and text without ftrace_lock.',
    history: undefined,
    law: noWarnAndNoOops,
    profile: '6.12',
    edits: [
      edit('register_ftrace_function_nolock', 'lock ftrace_lock', bare),
      edit('unregister_ftrace_function', 'lock ftrace_lock', bare),
    ],
    scenario: scenario({
      setup: [...tracer('ops#1'), register('ops#1'), ...tracer('ops#2')],
      clients: [[unregister('ops#1')], [register('ops#2')]],
      callers: [],
    }),
    finding:
      'no warning / bad trampoline accounting (ftrace_get_addr_curr); ftrace bug: f1 does not hold the instruction that its record says',
    moves: 8,
  },
  {
    name: 'trampoline-is-always-busy',
    sentence: "The owner of a direct call, queried for a live patch, never gets its trampoline's lock.",
    history: undefined,
    law: eagainIsTemporary,
    profile: '6.12',
    edits: [
      edit('bpf_tramp_ftrace_ops_func', 'try lock', (part) => (part.kind === 'try' ? part.busy : [part])),
    ],
    scenario: { ...ATTACH_AND_PATCH, retries: true },
    finding: 'client#2 can finish / livelock: after 2 moves the state repeats',
    moves: 36,
  },
  {
    name: 'counter-never-falls',
    sentence: 'An exit program on a function that does not return is not refused: its image waits forever.',
    history: 'bpf: Reject attaching fexit/fmod_ret to __noreturn functions (6.15; 6.12.27)',
    law: everythingTerminates,
    profile: '6.12, noreturnRefused = false',
    sound: '6.12',
    edits: [],
    scenario: ENDS_IN_THE_FUNCTION,
    finding:
      'work __bpf_tramp_image_put(tramp#1) can finish / work __bpf_tramp_image_put(tramp#1) waits for the reference count of tramp#1, which is 1',
    moves: 98,
  },
  {
    name: 'busy-lock-is-not-waited-for',
    sentence: 'unregister_kprobe() tries kprobe_mutex, and does its work although another task holds it.',
    history: undefined,
    law: eachStepHoldsItsLock,
    profile: '6.12',
    edits: [edit('unregister_kprobe', 'lock kprobe_mutex', onlyTried)],
    scenario: scenario({
      functions: [F1, F2],
      setup: [kprobe(1)],
      clients: [[{ do: 'unregister_kprobe', kprobe: 'kprobe#1' }], [kprobe(2, false, 'f2')]],
    }),
    finding: '__disarm_kprobe_ftrace runs under kprobe_mutex / it is called without',
    moves: 4,
  },
];
