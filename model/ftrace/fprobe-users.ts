import type { Ip, OpsId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import { entry } from '../core/present.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import { warn } from '../core/world.ts';
import { gopsOf, subopsOf } from './fgraph.ts';
import { registerFtraceGraph, unregisterFtraceGraph } from './graph.ts';
import { ensureOps } from './ops.ts';
import type { ProbeWorld } from './probes.ts';
import { registerFtraceFunction, unregisterFtraceFunction } from './register.ts';
import { ftraceFreeFilter, ftraceSetHash } from './set-filter.ts';

/*
 * The users of ftrace that all fprobes on function graph share (6.14 and later), kernel/trace/fprobe.c: one follows
 * returns, for fprobes with an exit handler, and one is for entries only. `fprobe_mutex` guards both; which fprobes a
 * function has is in the table of `fprobe-graph.ts`.
 */

export const FPROBE_GRAPH_OPS = 'fprobe_graph_ops';
const ENTRY_ONLY = 'fprobe_ftrace_ops';

/** Both of them. */
export const SHARED_USERS = [FPROBE_GRAPH_OPS, ENTRY_ONLY] as const;

export function userOf({ exit }: { exit: boolean }): string {
  return exit ? FPROBE_GRAPH_OPS : ENTRY_ONLY;
}

/** The ops whose filter holds the functions of a user. */
function opsOfUser(user: string): OpsId {
  return user === FPROBE_GRAPH_OPS ? subopsOf(FPROBE_GRAPH_OPS) : ENTRY_ONLY;
}

/** A shared user, and functions for it. */
interface UserArgs {
  user: string;
  ips: readonly Ip[];
}

/** fprobe_graph_add_ips(), fprobe_ftrace_add_ips(): a shared user is registered with its first functions. */
export const addIps = routine<ProbeWorld, UserArgs>('fprobe_add_ips', ({ step, call, when, attempt }) => [
  step('prepare the user', (k, { user }) => {
    if (user === FPROBE_GRAPH_OPS)
      k.fgraph.gops[FPROBE_GRAPH_OPS] ??= { ...gopsOf(k, FPROBE_GRAPH_OPS), kind: 'fprobe' };
    else ensureOps(k, ENTRY_ONLY).func = 'fprobe_ftrace_entry';
  }),
  call(ftraceSetHash, (_, { user, ips }) => ({
    ops: opsOfUser(user),
    which: 'filter' as const,
    ips,
    remove: false,
    reset: false,
  })),
  when('the user is not registered', (k, { user }) => !entry(k.probes.fprobeRegistered, user), [
    attempt(
      [
        when(
          'it follows returns',
          (_, { user }) => user === FPROBE_GRAPH_OPS,
          [call(registerFtraceGraph, () => ({ gops: FPROBE_GRAPH_OPS }))],
          [call(registerFtraceFunction, () => ({ ops: ENTRY_ONLY }))],
        ),
      ],
      [
        when('the user follows returns', (_, { user }) => user === FPROBE_GRAPH_OPS, [
          step('warn of the failure', (k) => warn(k, { is: 'graph user of fprobes refused' })),
        ]),
        call(
          ftraceFreeFilter,
          (_, { user }) => ({ ops: opsOfUser(user) }),
          () => {},
        ),
      ],
    ),
    step('the user is registered', (k, { user }) => {
      k.probes.fprobeRegistered[user] = true;
    }),
  ]),
]);

/** Their opposites: the user is unregistered before its last function leaves the filter. Errors are ignored. */
export const removeIps = routine<ProbeWorld, UserArgs>('fprobe_remove_ips', (words) => {
  const { call, when } = words;
  return [
    when(
      'no function is left',
      (k, { user }) => k.probes.fprobeNodes[user] === 0,
      [
        when(
          'the user is registered',
          (k, { user }) => entry(k.probes.fprobeRegistered, user),
          dropUser(words),
        ),
      ],
      [
        when('some functions go', (_, { ips }) => ips.length > 0, [
          call(
            ftraceSetHash,
            (_, { user, ips }) => ({
              ops: opsOfUser(user),
              which: 'filter' as const,
              ips,
              remove: true,
              reset: false,
            }),
            () => {},
          ),
        ]),
      ],
    ),
  ];
});

/** Freed whatever unregistering answered. */
function dropUser({ when, call, step }: RoutineWords<ProbeWorld, UserArgs>): Part[] {
  return [
    when(
      'it follows returns',
      (_, { user }) => user === FPROBE_GRAPH_OPS,
      [
        call(
          unregisterFtraceGraph,
          () => ({ gops: FPROBE_GRAPH_OPS }),
          () => {},
        ),
      ],
      [
        call(
          unregisterFtraceFunction,
          () => ({ ops: ENTRY_ONLY }),
          () => {},
        ),
      ],
    ),
    call(
      ftraceFreeFilter,
      (_, { user }) => ({ ops: opsOfUser(user) }),
      () => {},
    ),
    step('the user is gone', (k, { user }) => {
      k.probes.fprobeRegistered[user] = false;
    }),
  ];
}
