import type { Warning } from '../../model/core/warning.ts';
import type { InjectedFault } from '../../model/core/world.ts';
import type { KernelView } from '../../model/kernel.ts';

/*
 * What an injected failure may do beside the errno of the operation that meets it. A law judges after a failure as
 * before, except for these effects.
 */

/** A failure by its consequence: ftrace is killed by text that it cannot change, BPF is not. */
type FaultKind = 'allocation' | 'allocation of a trampoline' | 'poke of ftrace' | 'poke of BPF';

interface FaultEffects {
  /** ftrace_bug(): ftrace disables itself. */
  readonly ftraceDies: boolean;
  /**
   * The filter of an ops differs from what its clients asked for, until it is updated the next time: a probe stays
   * armed or unarmed, or is armed twice.
   */
  readonly filterIsStale: boolean;
  /** Until it is registered the next time, an ops has no trampoline of its own, and shares the entry code. */
  readonly opsLacksTrampoline: boolean;
  /** WARNs for an errno that the caller cannot pass on, and for what a dead ftrace refuses to take back. */
  readonly warnings: readonly Warning['is'][];
}

/** A detach that has no answer could not take its program, or its multi link, off. */
const NOT_TAKEN_OFF: readonly Warning['is'][] = [
  'program not taken off',
  'multi link not taken off',
  'multi link keeps its sites',
];

/** Of kprobes and fprobes, whose ops serve many clients. */
const OF_PROBES: readonly Warning['is'][] = ['kprobe not disarmed', 'graph user of fprobes refused'];

/** WARNs for what a dead ftrace refuses to take back, whatever has killed it. */
const OF_A_DEAD_FTRACE: readonly Warning['is'][] = [
  'filter of an enabled ops freed',
  'kprobe ops not unregistered',
  'split trampoline not made',
  ...NOT_TAKEN_OFF,
  ...OF_PROBES,
];

const EFFECTS: Readonly<Record<FaultKind, FaultEffects>> = {
  allocation: {
    ftraceDies: false,
    filterIsStale: true,
    opsLacksTrampoline: false,
    warnings: [...NOT_TAKEN_OFF, ...OF_PROBES, 'no array of addresses', 'split trampoline not made'],
  },
  'allocation of a trampoline': {
    ftraceDies: false,
    filterIsStale: false,
    opsLacksTrampoline: true,
    warnings: [],
  },
  'poke of ftrace': {
    ftraceDies: true,
    filterIsStale: false,
    opsLacksTrampoline: false,
    warnings: ['ftrace bug', 'flags without ops', ...OF_A_DEAD_FTRACE],
  },
  'poke of BPF': {
    ftraceDies: false,
    filterIsStale: false,
    opsLacksTrampoline: false,
    warnings: ['image not patched', 'program not skipped', ...NOT_TAKEN_OFF],
  },
};

/** Whether one of these failures may have this effect. */
export function mayHaveCaused(
  effect: Exclude<keyof FaultEffects, 'warnings'>,
  faults: readonly InjectedFault[],
): boolean {
  return faults.some((fault) => EFFECTS[kindOf(fault)][effect]);
}

/** Whether one of these failures may have caused this WARN. */
export function mayHaveWarned({ is }: Warning, faults: readonly InjectedFault[]): boolean {
  return faults.some((fault) => EFFECTS[kindOf(fault)].warnings.includes(is));
}

/** Whether a WARN may follow from ftrace being dead: FTRACE_WARN_ON() has warned before, of the cause. */
export function followsFromDeath({ is }: Warning, { ftrace }: KernelView): boolean {
  return ftrace.disabled && OF_A_DEAD_FTRACE.includes(is);
}

function kindOf({ what, where }: InjectedFault): FaultKind {
  if (what === 'allocation')
    return where === 'arch_ftrace_update_trampoline' ? 'allocation of a trampoline' : 'allocation';
  return where === 'bpf_arch_text_poke' ? 'poke of BPF' : 'poke of ftrace';
}
