import { locksAreTakenInOneOrder } from '../../ftrace/locks-are-taken-in-one-order.ts';
import { writesHoldTheirLock } from '../../ftrace/writes-hold-their-lock.ts';
import { direct, filter, kprobe } from './actions.ts';
import { bare, edit, PLANTED_PART } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** Planted bugs of locks that no schedule is needed for. */
export const PLANTED_LOCK_RULES: readonly AttachPlanted[] = [
  {
    name: 'kprobe-is-registered-without-kprobe-mutex',
    sentence: 'register_kprobe() enters the kprobe into the table and arms it without kprobe_mutex.',
    history: undefined,
    law: writesHoldTheirLock,
    profile: '6.12',
    edits: [edit('register_kprobe', 'lock kprobe_mutex', bare)],
    smallest: [kprobe(1)],
    finding: '__arm_kprobe_ftrace runs under kprobe_mutex / it is called without',
  },
  {
    name: 'sites-are-traced-without-ftrace-lock',
    sentence: 'register_ftrace_function() starts an ops without ftrace_lock.',
    history: undefined,
    law: writesHoldTheirLock,
    profile: '6.12',
    edits: [edit('register_ftrace_function_nolock', 'lock ftrace_lock', bare)],
    smallest: [kprobe(1)],
    finding: 'ftrace_startup runs under ftrace_lock / it is called without',
  },
  {
    name: 'direct-mutex-is-released-early',
    sentence: 'register_ftrace_direct() holds direct_mutex only while it looks for other direct calls.',
    history: undefined,
    law: writesHoldTheirLock,
    profile: '6.12',
    edits: [
      edit('register_ftrace_direct', 'lock direct_mutex', (part) =>
        part.kind === 'hold' ? [{ ...part, parts: part.parts.slice(0, 1) }, ...part.parts.slice(1)] : [part],
      ),
    ],
    smallest: [filter('direct#1'), direct(1)],
    finding:
      'ftrace.ops.direct#1.directCall is written under direct_mutex / it has been written without when register_ftrace_function_nolock: ftrace_ops_init is over',
  },
  {
    name: 'kprobe-mutex-is-taken-last',
    sentence:
      'register_ftrace_direct() takes kprobe_mutex after direct_mutex; arming a kprobe takes them in the opposite order.',
    history: undefined,
    law: locksAreTakenInOneOrder,
    profile: '6.12',
    edits: [
      edit('register_ftrace_direct', 'lock direct_mutex', (part) =>
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
    smallest: [filter('direct#1'), direct(1), kprobe(1)],
    finding: 'locks are taken in one order / a cycle: direct_mutex, then kprobe_mutex, then direct_mutex',
  },
];
