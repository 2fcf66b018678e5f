import type { OpsId } from '../../core/ids.ts';
import { Oops } from '../../core/oops.ts';
import type { DeepReadonly } from '../../core/readonly.ts';
import { routine } from '../../core/routine.ts';
import type { Guarded } from '../../task/recursion.ts';
import { guarded, TRACE_LIST_START } from '../../task/recursion.ts';
import type { OpsHash } from '../filter-hash.ts';
import { loadHashes, staleOps, testHashes } from '../filter-hash.ts';
import type { FtraceOps } from '../ops.ts';
import { ensureOps, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_STUB, hashContainsIp } from '../ops.ts';
import { nextOps } from '../ops-list.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import { ftraceWarnOn, LIST_END } from '../world.ts';
import { HANDLERS } from './handlers.ts';
import type { Handling } from './handling.ts';
import { opsInMemory } from './in-memory.ts';
import type { AtSite } from './regs.ts';
import { hasRegs } from './regs.ts';

/*
 * The list function: what a site calls when several ops trace it, or one that may be freed. It tests every ops
 * against its hashes; nothing else decides whether a handler runs.
 *
 * ```text
 *   head of the list -> ops#2 -> ops#1 -> ftrace_list_end (a stub)
 *                         ^
 *                         | an ops that is unlinked while the walk is on it still points to ops#1
 * ```
 *
 * The walk runs with preemption disabled. That is why a DYNAMIC ops waits for rcu_tasks_rude before it is freed,
 * and why one in the kernel's data never waits.
 */

/** The walk between its steps. `ops` may be freed or unlinked by an operation at each of them. */
interface Walk extends AtSite, Guarded {
  /** The ops that the walk is on; `LIST_END` after the last. */
  ops: OpsId;
  /** The pointers to its hashes. */
  hashes: OpsHash;
  /** The frame holds all registers. */
  regs: boolean;
  /** Of an ops in freed memory: what its hashes held when they were loaded. Another ops may take that memory meanwhile. */
  left?: DeepReadonly<Pick<FtraceOps, 'filter' | 'notrace'>>;
  /** The ops traces the function, by what its hashes held when they were read. */
  traces: boolean;
}

/**
 * arch_ftrace_ops_list_func(), __ftrace_ops_list_func(): every ops on the list that traces the function, the
 * newest first. The hashes are loaded, then read, then `ops->func` is read for the call: three steps, between
 * which an operation may run.
 */
export const archFtraceOpsListFunc = routine<ProbeWorld, Handling, Walk>(
  'arch_ftrace_ops_list_func',
  (words) => {
    const { step, again, when, indirect } = words;
    return guarded(words, TRACE_LIST_START, [
      step('read the head of the list', (k, locals) => {
        locals.regs = hasRegs(locals);
        locals.ops = k.ftrace.opsList[0] ?? LIST_END;
      }),
      again('there is a next ops', goToNext, [
        step('load the hashes of the ops', (k, locals) => {
          if (locals.ops === LIST_END) return;
          const stale = staleOps(k, locals.ops);
          if (stale !== undefined) {
            locals.left = { filter: stale.filter, notrace: stale.notrace };
            return;
          }
          delete locals.left;
          ensureOps(k, locals.ops);
          locals.hashes = loadHashes(k, locals.ops);
        }),
        // A hash that was replaced since is still memory: it is freed after RCU, and preemption is off.
        step('read the hashes', (k, locals) => {
          locals.traces = traces(k, locals);
        }),
        when('the ops traces the function', (_, locals) => locals.traces, [
          indirect('ops->func', () => HANDLERS, funcOf, handling),
        ]),
      ]),
    ]);
  },
);

/** `op = op->next` of do_for_each_ftrace_op(): false at the end of the list. */
function goToNext(k: ProbeView, locals: Walk): boolean {
  if (locals.ops === LIST_END) return false;
  opsInMemory(k, locals.ops, 'arch_ftrace_ops_list_func');
  locals.ops = nextOps(k, locals.ops);
  return locals.ops !== LIST_END;
}

/**
 * ftrace_ops_test(). An ops that wants registers is skipped at a site that does not save them: the site was
 * patched for others. An ops whose func is NULL kills ftrace (FTRACE_WARN_ON()) and ends the walk.
 */
function traces(k: ProbeWorld, locals: Walk): boolean {
  if (locals.ops === LIST_END) return false;
  const { flags, func } = opsInMemory(k, locals.ops, 'arch_ftrace_ops_list_func');
  if ((flags & FTRACE_OPS_FL_STUB) !== 0) return false;
  if ((flags & FTRACE_OPS_FL_SAVE_REGS) !== 0 && !locals.regs) return false;
  const left = staleOps(k, locals.ops) ?? locals.left;
  if (left === undefined && !testHashes(k, locals.hashes, locals.hit.ip)) return false;
  if (left !== undefined && !hashContainsIp(left.filter, left.notrace, locals.hit.ip)) return false;
  if (!ftraceWarnOn(k, func === '', { is: 'ops without func', ops: locals.ops })) return true;
  locals.ops = LIST_END;
  return false;
}

/** `op->func` is read again for the call: the ops may have lost it since it was tested. */
function funcOf(k: ProbeView, { ops }: Handling): string {
  const { func } = opsInMemory(k, ops, 'ops->func');
  if (func === '') throw new Oops({ is: 'ops without func', ops });
  return func;
}

/** op->func(ip, parent_ip, op, fregs). */
function handling(_: ProbeView, { cpu, hit, ops }: Handling): Handling {
  return { cpu, hit, ops };
}

/** ftrace_ops_assist_func(): calls a single handler that does not protect itself against recursion. */
export const ftraceOpsAssistFunc = routine<ProbeWorld, Handling, Handling & Guarded>(
  'ftrace_ops_assist_func',
  (words) =>
    guarded(words, TRACE_LIST_START, [words.indirect('ops->func', () => HANDLERS, funcOf, handling)]),
);
