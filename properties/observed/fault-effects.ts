import type { InjectedFault } from '../../model/core/world.ts';

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
}

const EFFECTS: Readonly<Record<FaultKind, FaultEffects>> = {
  allocation: { ftraceDies: false, filterIsStale: true, opsLacksTrampoline: false },
  'allocation of a trampoline': { ftraceDies: false, filterIsStale: false, opsLacksTrampoline: true },
  'poke of ftrace': { ftraceDies: true, filterIsStale: false, opsLacksTrampoline: false },
  'poke of BPF': { ftraceDies: false, filterIsStale: false, opsLacksTrampoline: false },
};

/** Whether one of these failures may have this effect. */
export function mayHaveCaused(effect: keyof FaultEffects, faults: readonly InjectedFault[]): boolean {
  return faults.some((fault) => EFFECTS[kindOf(fault)][effect]);
}

function kindOf({ what, where }: InjectedFault): FaultKind {
  if (what === 'allocation')
    return where === 'arch_ftrace_update_trampoline' ? 'allocation of a trampoline' : 'allocation';
  return where === 'bpf_arch_text_poke' ? 'poke of BPF' : 'poke of ftrace';
}
