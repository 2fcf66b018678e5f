import type { Action } from '../../../model/client/all.ts';
import type { FunctionName, ProgId } from '../../../model/core/ids.ts';
import { ARGS_MOST, callerName } from '../../../model/trampoline/designs/global/global-caller.ts';
import type { BpfProgram } from '../../../model/trampoline/program.ts';
import { plainProgram } from '../../../model/trampoline/program.ts';
import { ZERO } from '../../../model/x86/word.ts';
import { callSitesMatchOps } from '../../../properties/ftrace/call-sites-match-ops.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import {
  close,
  closeProg,
  livePatchOn,
  register,
  scenario,
} from '../../../properties/planted/interleavings/scenarios.ts';
import { F1, F2 } from '../../../properties/planted/sequences/actions.ts';
import { noCallToAFreedProgram } from '../../../properties/task/no-call-to-a-freed-program.ts';
import { noOverwriteOfRunningCode } from '../../../properties/task/no-overwrite-of-running-code.ts';
import { noWarnAndNoOops } from '../../../properties/task/no-warn-and-no-oops.ts';
import { probesSeeOldOrNew } from '../../../properties/task/probes-see-old-or-new.ts';
import { returnValueIsOldOrNew } from '../../../properties/task/return-value-is-old-or-new.ts';
import { settledLaw } from '../../../properties/task/settled-laws.ts';
import { ALL_SECTIONS, IN_ITS_CALL } from '../task-causes.ts';
import type { KnownTask } from '../task-known.ts';
import { crash, found, usesFreed } from '../task-shows.ts';

/** The code that call sites call, by number of argument words. */
const GLOBAL_CALLERS = Array.from({ length: ARGS_MOST + 1 }, (_, words) => callerName(words));

function load(id: number, more: Partial<BpfProgram> = {}): Action {
  const program = { ...plainProgram(id), multi: true, ...more };
  return { do: 'BPF_PROG_LOAD', program, target: '', probe: '', returns: ZERO };
}

function link(prog: ProgId, ...targets: FunctionName[]): Action {
  return { do: 'BPF_LINK_CREATE', link: `link#${prog}`, prog, targets };
}

/**
 * Common fields. In most scenarios the ops stays registered for the other function, so that no grace period is waited
 * for.
 */
const OF_GLOBAL = {
  kernels: ['6.12'],
  others: [],
  lacks: ['6.1', '7.2'],
  multiLinks: 'global',
  variants: ['global int in rax', 'global padding'],
} as const;

/**
 * Whether a program of multi links is on a function, or joins it: the code reports that the original has not run
 * whenever it finds no program that needs it, which includes the time just after the last of those was detached.
 */
function hasProgram({ setup, clients }: Scenario, fn: FunctionName): boolean {
  return [...setup, ...clients.flat()].some(
    (action) => action.do === 'BPF_LINK_CREATE' && action.targets.includes(fn),
  );
}

/** Breaches of the global trampoline where tasks overlap. */
export const KNOWN_GLOBAL_TASKS: readonly KnownTask[] = [
  {
    ...OF_GLOBAL,
    variants: ['global int in rax'],
    name: 'global-lookup-finds-nothing',
    sentence:
      "D1: a task past the call site is preempted in the first instructions; the function's last program is detached and its metadata unhashed without a wait: the lookup returns NULL, which is dereferenced.",
    evidence:
      '[PATCH bpf-next v2 02/18] bpf_global_caller_run: md->bpf_origin_call after kfunc_md_get_rcu() with no test; [05/18] __bpf_gtrampoline_unlink_prog: kfunc_md_put_ip() right after reset_ftrace_direct_ips()',
    law: noWarnAndNoOops,
    restsOn: ['multiLinks'],
    shows: crash('function without metadata', ({ address }) => address === '0x52'),
    cause: { stood: [{ at: IN_ITS_CALL, did: [{ by: 'kfunc_md_put', part: 'unhash it' }] }] },
    scenario: scenario({
      functions: [F1, F2],
      setup: [load(1), load(2), link(1, 'f1'), link(2, 'f2')],
      clients: [[close(1)]],
    }),
    moves: [28],
  },
  {
    ...OF_GLOBAL,
    multiLinks: 'global padding',
    variants: [],
    name: 'global-padding-is-taken-for-an-index',
    sentence:
      "D1 with the index in the padding: the padding is five nops again, four of which are read as the metadata's index.",
    evidence:
      '[PATCH bpf-next 01/25] add per-function metadata storage support  kfunc_md_fast_put: kfunc_md_text_poke(md->func, NULL, nop_insn), with no wait',
    law: noOverwriteOfRunningCode,
    restsOn: ['multiLinks'],
    shows: crash(
      'fault',
      ({ access, why, place, at: whereabouts }) =>
        access === 'read' &&
        why === 'unmapped' &&
        place.in === 'nothing' &&
        whereabouts.in === 'named' &&
        GLOBAL_CALLERS.includes(whereabouts.name),
    ),
    cause: { stood: [{ at: IN_ITS_CALL, did: [{ by: 'kfunc_md_put', part: 'unhash it' }] }] },
    scenario: scenario({
      functions: [F1, F2],
      setup: [load(1), load(2), link(1, 'f1'), link(2, 'f2')],
      clients: [[close(1)]],
    }),
    moves: [28],
  },
  {
    ...OF_GLOBAL,
    name: 'global-program-is-freed-after-the-lookup',
    sentence:
      'D2: with entry programs alone, no reference is held after rcu_read_unlock(): a task is preempted there, the program is detached and freed after RCU, or a sleepable one after RCU-tasks-trace, and the task enters it. The metadata itself survives: RCU-tasks waits for the task.',
    evidence:
      '[PATCH bpf-next v2 02/18] bpf_global_caller_run: kfunc_md_enter() only if do_orgin; run_tramp_prog() after rcu_read_unlock(); kernel/bpf/syscall.c  __bpf_prog_put_noref: call_rcu()',
    law: noCallToAFreedProgram,
    restsOn: ['multiLinks'],
    shows: usesFreed('program', ({ number }) => number > 0),
    cause: {
      last: { within: ['__bpf_prog_enter_recur', '__bpf_prog_enter_sleepable_recur'] },
      freed: {
        by: '__bpf_prog_put',
        waits: [
          [{ flavour: 'rcu', task: { lacks: ALL_SECTIONS } }],
          [{ flavour: 'rcu_tasks_trace', task: { lacks: ALL_SECTIONS } }],
        ],
      },
    },
    scenario: scenario({
      functions: [F1, F2],
      setup: [load(1), load(2), link(1, 'f1'), link(2, 'f1', 'f2')],
      clients: [[close(1), closeProg(1)]],
    }),
    moves: [30],
  },
  {
    ...OF_GLOBAL,
    name: 'global-node-is-freed-under-its-sleeper',
    sentence:
      'D2: a task is preempted after rcu_read_unlock() during the RCU-tasks-trace grace period, and sleeps in its sleepable program during the RCU-tasks one: the node that it resumes or continues from is freed.',
    evidence:
      '[PATCH bpf-next v2 01/18] kfunc_md_bpf_unlink, link_free_rcu_tasks: call_rcu_tasks_trace() and then call_rcu_tasks(), one period of each, in this order; [02/18] run_tramp_prog: tramp_prog->next',
    law: noWarnAndNoOops,
    restsOn: ['multiLinks'],
    shows: crash('read of freed data', ({ object }) => object.is === 'metadata node'),
    cause: {
      stood: [
        {
          at: { holds: 'rcu trace', lacks: ['preemption off', 'rcu'] },
          did: [{ by: 'link_free_rcu', part: 'free the node' }],
        },
      ],
    },
    scenario: scenario({
      functions: [F1, F2],
      setup: [load(1, { sleepable: true }), load(2), link(1, 'f1'), link(2, 'f2')],
      clients: [[close(1)]],
    }),
    moves: [16],
  },
  {
    ...OF_GLOBAL,
    name: 'global-update-fails-beside-a-detach',
    sentence:
      'Two links are closed at once, one without memory for the list of remaining functions: the call site still calls the global trampoline.',
    evidence: 'as global-update-fails-after-a-detach',
    law: settledLaw(callSitesMatchOps),
    restsOn: ['multiLinks'],
    shows: found('site-differs', ({ expected }) => expected.is === 'an unrequested direct call'),
    cause: {
      stood: [{ at: 'anywhere', did: [{ by: 'bpf_gtrampoline_update', within: 'bpf_link_release' }] }],
    },
    scenario: scenario({
      functions: [F1, F2],
      setup: [load(1), load(2), link(1, 'f1'), link(2, 'f1', 'f2')],
      clients: [
        [close(1)],
        [{ do: 'fail', fault: { what: 'allocation', where: 'bpf_gtrampoline_update', nth: 6 } }, close(2)],
      ],
      callers: [],
    }),
    moves: [58],
  },
  {
    ...OF_GLOBAL,
    name: 'global-peer-of-a-live-patch-is-no-trampoline',
    sentence:
      'D5: a live patch joins a function of the global trampoline while anything else runs: bpf_tramp_ftrace_ops_func() takes the entry of global_tr_array for a struct bpf_trampoline.',
    evidence:
      '[PATCH bpf-next v2 05/18] bpf: introduce bpf_gtramp_link  init_trampolines: fops->private = global_tr, fops->ops_func = bpf_tramp_ftrace_ops_func',
    law: noWarnAndNoOops,
    restsOn: ['multiLinks'],
    shows: crash('no trampoline', ({ target }) => target !== ''),
    cause: { last: { within: ['bpf_tramp_ftrace_ops_func'] } },
    scenario: scenario({
      setup: [load(1), link(1, 'f1'), ...livePatchOn('ops#1')],
      clients: [[register('ops#1')]],
    }),
    moves: [3],
  },
  {
    ...OF_GLOBAL,
    multiLinks: 'global int in rax',
    variants: [],
    name: 'global-entry-skips-the-function',
    sentence:
      'D4, for a call while the link is closed: entry programs run, or none any more, but neither the function nor its replacement does.',
    evidence:
      '[PATCH bpf-next v2 02/18] x86,bpf: add bpf_global_caller for global trampoline  CALLER_DEFINE: test %rax, %rax',
    law: probesSeeOldOrNew,
    restsOn: ['multiLinks'],
    shows: found('events-differ', ({ events, allowed, seen }, scenario) => {
      const index = events.findIndex(({ kind }) => kind === 'body');
      const fn = events[index]?.fn ?? '';
      return (
        seen.every((count) => count === 0) &&
        allowed.some((counts) => counts[index] === 1) &&
        hasProgram(scenario, fn)
      );
    }),
    cause: { last: { in: ['code'], within: GLOBAL_CALLERS } },
    scenario: scenario({ setup: [load(1), link(1, 'f1')], clients: [[close(1)]] }),
    moves: [9],
  },
  {
    ...OF_GLOBAL,
    multiLinks: 'global int in rax',
    variants: [],
    name: 'global-entry-loses-the-value-beside-a-change',
    sentence: 'D4: the caller gets stale stack contents in place of the return value.',
    evidence:
      '[PATCH bpf-next v2 02/18] x86,bpf: add bpf_global_caller for global trampoline  CALLER_DEFINE: test %rax, %rax',
    law: returnValueIsOldOrNew,
    restsOn: ['multiLinks'],
    shows: found('value-differs', ({ fn }, scenario) => hasProgram(scenario, fn)),
    cause: { last: { in: ['code'], within: GLOBAL_CALLERS } },
    scenario: scenario({
      functions: [F1, F2],
      setup: [load(1), link(1, 'f1'), load(2)],
      clients: [[link(2, 'f1')]],
    }),
    moves: [10],
  },
];
