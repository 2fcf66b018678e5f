import type { Errno } from '../../../core/errno.ts';
import type { Ip } from '../../../core/ids.ts';
import type { Part } from '../../../core/part.ts';
import type { RoutineWords } from '../../../core/routine.ts';
import { routine } from '../../../core/routine.ts';
import { registerFtraceDirect, unregisterFtraceDirect } from '../../../ftrace/direct.ts';
import { freeHashes } from '../../../ftrace/filter-hash.ts';
import { FTRACE_OPS_FL_ENABLED, opsHas, zeroedOps } from '../../../ftrace/ops.ts';
import { ftraceSetFilterIps } from '../../../ftrace/set-filter.ts';
import type { BpfView, BpfWorld } from '../../world.ts';
import { counted } from '../count.ts';
import { ARGS_MOST, callerName } from './global-caller.ts';
import { currentArray, forEachMd } from './kfunc-md.ts';
import { resetFtraceDirectIps } from './reset-direct-ips.ts';

/*
 * global_tr_array: one ops for each count of arguments, whose functions are all that have programs.
 * bpf_gtrampoline_update() and bpf_gtrampoline_update_all() in kernel/bpf/trampoline.c of the series. All
 * functions with the same count share one call of ftrace; every attach walks all metadata, whatever it changes.
 */

/**
 * 0 to 6: what fits into registers. A function with arguments on the stack is EOPNOTSUPP before it gets here.
 */
const COUNTS: readonly number[] = Array.from({ length: ARGS_MOST + 1 }, (_, nrArgs) => nrArgs);

/** An entry of the array; it has no `struct bpf_trampoline` of a target. */
function globalTr(nrArgs: number): string {
  return `global_tr_array[${nrArgs}]`;
}

/** The ops, which is allocated at boot. */
export function globalOps(nrArgs: number): string {
  return `tr(${globalTr(nrArgs)}).fops`;
}

/** init_trampolines(): each ops answers for live patches like that of a trampoline, but belongs to none. */
export function bootGlobalOps(k: BpfWorld): void {
  for (const nrArgs of COUNTS) {
    const ops = globalOps(nrArgs);
    k.ftrace.ops[ops] = { ...zeroedOps(ops), hasOpsFunc: true, private: globalTr(nrArgs) };
  }
}

/** The count of arguments selects the ops, its code and its functions. */
interface UpdateArgs {
  nrArgs: number;
}

interface UpdateLocals extends UpdateArgs {
  ips: readonly Ip[];
}

/**
 * bpf_gtrampoline_update(): the ops gets all functions that have programs and this count of arguments. Of
 * nothing to everything there are four transitions, by whether the ops is enabled and whether functions are
 * left; none of them knows which function has changed, so each compares or replaces the whole filter.
 */
const gtrampolineUpdate = routine<BpfWorld, UpdateArgs, UpdateLocals>('bpf_gtrampoline_update', (words) => {
  const { allocate, step, when, call } = words;
  return [
    when('there is metadata', (k) => currentArray(k).used > 0, [allocate('the addresses')]),
    // Under `global_tr_lock`: no other link changes the metadata meanwhile.
    step('kfunc_md_bpf_ips', (k, locals) => {
      locals.ips = ipsOf(k, locals.nrArgs);
    }),
    when(
      'no function is left',
      (_, { ips }) => ips.length === 0,
      [
        when('the ops is enabled', isEnabled, [
          call(unregisterFtraceDirect, (_, { nrArgs }) => ({
            ops: globalOps(nrArgs),
            addr: callerName(nrArgs),
            freeFilters: false,
          })),
          // ftrace_free_filter() of its base, which leaves empty hashes.
          step('free the filter', (k, { nrArgs }) => freeHashes(k, globalOps(nrArgs))),
        ]),
      ],
      [setFilter(words)],
    ),
  ];
});

/** The filter of a registered ops is reset in place; any other ops gets its filter, and is registered. */
function setFilter({ when, call }: RoutineWords<BpfWorld, UpdateLocals>): Part {
  return when(
    'the ops is enabled',
    isEnabled,
    [
      call(resetFtraceDirectIps, (_, { nrArgs, ips }) => ({
        ops: globalOps(nrArgs),
        addr: callerName(nrArgs),
        ips: ips,
      })),
    ],
    [
      call(ftraceSetFilterIps, (_, { nrArgs, ips }) => ({
        ops: globalOps(nrArgs),
        ips: ips,
        remove: false,
        reset: true,
      })),
      call(registerFtraceDirect, (_, { nrArgs }) => ({
        ops: globalOps(nrArgs),
        addr: callerName(nrArgs),
      })),
    ],
  );
}

/** FTRACE_OPS_FL_ENABLED: the ops has functions. */
function isEnabled(k: BpfView, { nrArgs }: UpdateLocals): boolean {
  return opsHas(k, { ops: globalOps(nrArgs) }, FTRACE_OPS_FL_ENABLED);
}

/** kfunc_md_bpf_ips(): metadata with users and no programs, of a link that is half made, is left out. */
function ipsOf(k: BpfView, nrArgs: number): string[] {
  const ips: string[] = [];
  forEachMd(k, currentArray(k), (md) => {
    if (md.progCount > 0 && md.nrArgs === nrArgs) ips.push(md.func);
  });
  return ips;
}

/**
 * bpf_gtrampoline_update_all(): every count of arguments, whichever of them has changed. The first errno ends
 * it: the ops with more arguments keep their filters, and those before are rolled back by the unlink of the
 * caller only.
 */
export const gtrampolineUpdateAll = routine<BpfWorld, object, { nrArgs: number; errno: Errno | 0 }>(
  'bpf_gtrampoline_update_all',
  ({ each, call }) => [
    each<number>(
      'count of arguments',
      () => COUNTS,
      (locals, nrArgs) => {
        locals.nrArgs = nrArgs;
      },
      [call(gtrampolineUpdate, (_, { nrArgs }) => ({ nrArgs }))],
    ),
  ],
);

/** All metadata is walked through for each count of arguments: seven walks for one function. */
export const UPDATE_COUNTS = [
  counted('bpf_gtrampoline_update', 'kfunc_md_bpf_ips', (k) => ({ recordVisits: currentArray(k).used })),
];
