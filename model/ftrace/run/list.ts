import type { OpsId } from '../../core/ids.ts';
import { Oops } from '../../core/oops.ts';
import { routine } from '../../core/routine.ts';
import { withoutPreemption } from '../../task/current.ts';
import type { OpsHash } from '../filter-hash.ts';
import { loadHashes, testHashes } from '../filter-hash.ts';
import { ensureOps, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_STUB } from '../ops.ts';
import { nextOps } from '../ops-list.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import { ftraceWarnOn, LIST_END } from '../world.ts';
import { HANDLERS } from './handlers.ts';
import type { Handling } from './handling.ts';
import { opsInMemory } from './in-memory.ts';
import type { AtSite } from './regs.ts';
import { hasRegs } from './regs.ts';

interface Walk extends AtSite {
  /** The ops that the walk stands on; `LIST_END` after the last. */
  ops: OpsId;
  /** The pointers to its hashes. */
  hashes: OpsHash;
  /** The frame holds all registers. */
  regs: boolean;
  /** The ops traces the function, by what its hashes held when they were looked into. */
  traces: boolean;
}

/**
 * arch_ftrace_ops_list_func(), __ftrace_ops_list_func(): every ops on the list that traces the function, the newest
 * first. The walk follows the list as it is at each moment: an ops that is taken off while the walk stands on it still
 * leads on.
 */
export const archFtraceOpsListFunc = routine<ProbeWorld, Handling, Walk>(
  'arch_ftrace_ops_list_func',
  (words) => {
    const { step, again, when, indirect } = words;
    return withoutPreemption(words, [
      step('read the head of the list', (k, locals) => {
        locals.regs = hasRegs(locals);
        locals.ops = k.ftrace.opsList[0] ?? LIST_END;
      }),
      again('there is a next ops', goToNext, [
        step('load the hashes of the ops', (k, locals) => {
          if (locals.ops === LIST_END) return;
          // Memory of the kernel's own that it gave back while the ops was on the list reads as zero.
          ensureOps(k, locals.ops);
          locals.hashes = loadHashes(k, locals.ops);
        }),
        step('look into the hashes', (k, locals) => {
          locals.traces = traces(k, locals);
        }),
        when('the ops traces the function', (_, locals) => locals.traces, [
          indirect('ops->func', () => HANDLERS, funcOf, handling),
        ]),
      ]),
    ]);
  },
);

/** `op = op->next`: false at the end of the list. */
function goToNext(k: ProbeView, locals: Walk): boolean {
  if (locals.ops === LIST_END) return false;
  opsInMemory(k, locals.ops, 'arch_ftrace_ops_list_func');
  locals.ops = nextOps(k, locals.ops);
  return locals.ops !== LIST_END;
}

/**
 * ftrace_ops_test(): whether an ops is to be called. One that wants registers is passed over at a site that does not
 * save them. The end of the list is an ops as well: a stub.
 */
function traces(k: ProbeWorld, locals: Walk): boolean {
  if (locals.ops === LIST_END) return false;
  const { flags, func } = opsInMemory(k, locals.ops, 'arch_ftrace_ops_list_func');
  if ((flags & FTRACE_OPS_FL_STUB) !== 0) return false;
  if ((flags & FTRACE_OPS_FL_SAVE_REGS) !== 0 && !locals.regs) return false;
  if (!testHashes(k, locals.hashes, locals.hit.ip)) return false;
  if (!ftraceWarnOn(k, func === '', { is: 'ops without func', ops: locals.ops })) return true;
  locals.ops = LIST_END;
  return false;
}

/** The pointer is read once more for the call: an ops may have lost its func since it was tested. */
function funcOf(k: ProbeView, { ops }: Handling): string {
  const { func } = opsInMemory(k, ops, 'ops->func');
  if (func === '') throw new Oops({ is: 'ops without func', ops });
  return func;
}

function handling(_: ProbeView, { cpu, hit, ops }: Handling): Handling {
  return { cpu, hit, ops };
}

/** ftrace_ops_assist_func(): calls one handler that does not guard itself against recursion. */
export const ftraceOpsAssistFunc = routine<ProbeWorld, Handling>('ftrace_ops_assist_func', (words) =>
  withoutPreemption(words, [words.indirect('ops->func', () => HANDLERS, funcOf, handling)]),
);
