import type { Errno } from '../core/errno.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { gopsOf, subopsOf } from './fgraph.ts';
import { registerFtraceGraph, unregisterFtraceGraph } from './graph.ts';
import { FTRACE_OPS_FL_SAVE_REGS, opsOf } from './ops.ts';
import type { ProbeWorld } from './probes.ts';
import { registerFtraceFunction, unregisterFtraceFunction } from './register.ts';
import { rethookAlloc, rethookFree } from './rethook.ts';
import { ftraceFreeFilter, ftraceSetHash } from './set-filter.ts';

interface FprobeArgs {
  fprobe: string;
  ips: readonly string[];
  entry: boolean;
  exit: boolean;
  maxactive: number;
  prog: number;
  vetoes: boolean;
}

/** An fprobe of the older kind has an ops and a pool of return hooks of its own. */
export function fprobeOps(fprobe: string): string {
  return `${fprobe}.ops`;
}

function enter(k: ProbeWorld, { fprobe, ips, entry, exit, maxactive, prog, vetoes }: FprobeArgs): void {
  k.probes.fprobes[fprobe] = { ips, entry, exit, maxactive, nmissed: 0, prog, vetoes };
}

/** register_fprobe_ips() on rethook (5.18 to 6.13), kernel/trace/fprobe.c. */
const registerOnRethook = routine<ProbeWorld, FprobeArgs>(
  'register_fprobe_ips (rethook)',
  ({ refuse, step, call, allocate, attempt, when }) => [
    refuse('EINVAL', 'no function is named', (_, { ips }) => ips.length === 0),
    step('fprobe_init', (k, at) => {
      const ops = opsOf(k, fprobeOps(at.fprobe));
      ops.func = 'fprobe_handler';
      ops.flags |= FTRACE_OPS_FL_SAVE_REGS;
      enter(k, at);
    }),
    attempt(
      [
        call(ftraceSetHash, (_, { fprobe, ips }) => ({
          ops: fprobeOps(fprobe),
          which: 'filter' as const,
          ips,
          remove: false,
          reset: false,
        })),
        when('it has an exit handler', (_, { exit }) => exit, [
          allocate('the pool of return hooks'),
          step('make the pool', (k, { fprobe, ips, maxactive }) =>
            rethookAlloc(k, fprobe, maxactive > 0 ? maxactive : ips.length * 2),
          ),
        ]),
        call(registerFtraceFunction, (_, { fprobe }) => ({ ops: fprobeOps(fprobe) })),
      ],
      [
        step('fprobe_fail_cleanup', (k, { fprobe }) => {
          rethookFree(k, fprobe);
          delete k.probes.fprobes[fprobe];
        }),
        call(
          ftraceFreeFilter,
          (_, { fprobe }) => ({ ops: fprobeOps(fprobe) }),
          () => {},
        ),
      ],
    ),
  ],
);

const unregisterOnRethook = routine<ProbeWorld, { fprobe: string }>(
  'unregister_fprobe (rethook)',
  ({ refuse, step, call }) => [
    refuse(
      'EINVAL',
      'the fprobe is not registered',
      (k, { fprobe }) => k.probes.fprobes[fprobe] === undefined,
    ),
    step('stop the pool', (k, { fprobe }) => {
      const rethook = k.probes.rethooks[fprobe];
      if (rethook !== undefined) rethook.handler = false;
    }),
    call(unregisterFtraceFunction, (_, { fprobe }) => ({ ops: fprobeOps(fprobe) })),
    step('free the pool', (k, { fprobe }) => {
      rethookFree(k, fprobe);
      delete k.probes.fprobes[fprobe];
    }),
    call(
      ftraceFreeFilter,
      (_, { fprobe }) => ({ ops: fprobeOps(fprobe) }),
      () => {},
    ),
  ],
);

/** The two users that fprobes of the newer kind share: one that follows returns, and one for entries only. */
const GRAPH = 'fprobe_graph_ops';
const ENTRY_ONLY = 'fprobe_ftrace_ops';

function userOf({ exit }: { exit: boolean }): string {
  return exit ? GRAPH : ENTRY_ONLY;
}

/** fprobe_graph_add_ips(), fprobe_ftrace_add_ips(): functions for a shared user; it is registered with the first. */
const addIps = routine<ProbeWorld, { user: string; ips: readonly string[] }>(
  'fprobe_add_ips',
  ({ step, call, when, attempt }) => [
    step('prepare the user', (k, { user }) => {
      if (user === GRAPH) k.fgraph.gops[GRAPH] ??= { ...gopsOf(k, GRAPH), kind: 'fprobe' };
      else opsOf(k, ENTRY_ONLY).func = 'fprobe_ftrace_entry';
    }),
    call(ftraceSetHash, (_, { user, ips }) => ({
      ops: user === GRAPH ? subopsOf(GRAPH) : ENTRY_ONLY,
      which: 'filter' as const,
      ips,
      remove: false,
      reset: false,
    })),
    when('the user is not registered', (k, { user }) => !k.probes.fprobeRegistered[user]!, [
      attempt(
        [
          when(
            'it follows returns',
            (_, { user }) => user === GRAPH,
            [call(registerFtraceGraph, () => ({ gops: GRAPH }))],
            [call(registerFtraceFunction, () => ({ ops: ENTRY_ONLY }))],
          ),
        ],
        [
          call(
            ftraceFreeFilter,
            (_, { user }) => ({ ops: user === GRAPH ? subopsOf(GRAPH) : ENTRY_ONLY }),
            () => {},
          ),
        ],
      ),
      step('the user is registered', (k, { user }) => {
        k.probes.fprobeRegistered[user] = true;
      }),
    ]),
  ],
);

/** The user is unregistered with its last function, before that leaves the filter. */
const removeIps = routine<ProbeWorld, { user: string; ips: readonly string[] }>(
  'fprobe_remove_ips',
  ({ call, when, step }) => [
    when(
      'no function is left',
      (k, { user }) => k.probes.fprobeNodes[user] === 0,
      [
        when('the user is registered', (k, { user }) => k.probes.fprobeRegistered[user]!, [
          when(
            'it follows returns',
            (_, { user }) => user === GRAPH,
            [
              call(
                unregisterFtraceGraph,
                () => ({ gops: GRAPH }),
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
            (_, { user }) => ({ ops: user === GRAPH ? subopsOf(GRAPH) : ENTRY_ONLY }),
            () => {},
          ),
          step('the user is gone', (k, { user }) => {
            k.probes.fprobeRegistered[user] = false;
          }),
        ]),
      ],
      [
        when('some functions go', (_, { ips }) => ips.length > 0, [
          call(
            ftraceSetHash,
            (_, { user, ips }) => ({
              ops: user === GRAPH ? subopsOf(GRAPH) : ENTRY_ONLY,
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
  ],
);

/** register_fprobe_ips() on function graph (6.14 and later). */
const registerOnGraph = routine<ProbeWorld, FprobeArgs>(
  'register_fprobe_ips (fgraph)',
  ({ holding, refuse, allocate, call, step }) => [
    holding('fprobe_mutex', [
      refuse('EEXIST', 'the fprobe is registered', (k, { fprobe }) => k.probes.fprobes[fprobe] !== undefined),
      refuse('EINVAL', 'no function is named', (_, { ips }) => ips.length === 0),
      allocate('the nodes'),
      refuse('ENOENT', 'not a call site', (k, { ips }) =>
        ips.some((ip) => k.ftrace.records[ip] === undefined),
      ),
      call(addIps, (_, { ips, exit }) => ({ user: userOf({ exit }), ips })),
      step('enter the tables', (k, at) => {
        enter(k, at);
        const user = userOf(at);
        for (const ip of at.ips) {
          k.probes.fprobeTable[ip] = insertNode(k.probes.fprobeTable[ip] ?? [], at.fprobe);
          k.probes.fprobeNodes[user] = k.probes.fprobeNodes[user]! + 1;
        }
      }),
    ]),
  ],
);

/** rhltable_insert(): the newest first. */
function insertNode(nodes: readonly string[], fprobe: string): string[] {
  return [fprobe, ...nodes];
}

const unregisterOnGraph = routine<ProbeWorld, { fprobe: string; gone?: readonly string[]; user?: string }>(
  'unregister_fprobe (fgraph)',
  ({ holding, refuse, step, call, wait }) => [
    holding('fprobe_mutex', [
      refuse(
        'EINVAL',
        'the fprobe is not registered',
        (k, { fprobe }) => k.probes.fprobes[fprobe] === undefined,
      ),
      step('leave the tables', (k, at) => {
        const fprobe = k.probes.fprobes[at.fprobe]!;
        at.user = userOf(fprobe);
        at.gone = fprobe.ips.filter((ip) => leaveTable(k, ip, at.fprobe, fprobe.exit));
        k.probes.fprobeNodes[at.user] = k.probes.fprobeNodes[at.user]! - fprobe.ips.length;
        delete k.probes.fprobes[at.fprobe];
      }),
      call(
        removeIps,
        (_, { user, gone }) => ({ user: user!, ips: gone! }),
        () => {},
      ),
    ]),
    wait('rcu'),
  ],
);

/** Whether no fprobe of the same kind is left on the function. */
function leaveTable(k: ProbeWorld, ip: string, fprobe: string, exit: boolean): boolean {
  const left = k.probes.fprobeTable[ip]!.filter((name) => name !== fprobe);
  if (left.length > 0) k.probes.fprobeTable[ip] = left;
  else delete k.probes.fprobeTable[ip];
  return !left.some((name) => k.probes.fprobes[name]!.exit === exit);
}

/** register_fprobe_ips(), as the kernel has it. */
export const registerFprobeIps = routine<ProbeWorld, FprobeArgs & { errno?: Errno | 0 }>(
  'register_fprobe_ips',
  ({ refuse, when, call }) => [
    refuse('EOPNOTSUPP', 'no fprobes in this kernel', (k) => profileNamed(k.profile).fprobe === 'none'),
    when(
      'on rethook',
      (k) => profileNamed(k.profile).fprobe === 'rethook',
      [call(registerOnRethook, (_, at) => ({ ...at }))],
      [call(registerOnGraph, (_, at) => ({ ...at }))],
    ),
  ],
);

export const unregisterFprobe = routine<ProbeWorld, { fprobe: string }>(
  'unregister_fprobe',
  ({ refuse, when, call }) => [
    refuse('EOPNOTSUPP', 'no fprobes in this kernel', (k) => profileNamed(k.profile).fprobe === 'none'),
    when(
      'on rethook',
      (k) => profileNamed(k.profile).fprobe === 'rethook',
      [call(unregisterOnRethook, (_, { fprobe }) => ({ fprobe }))],
      [call(unregisterOnGraph, (_, { fprobe }) => ({ fprobe }))],
    ),
  ],
);
