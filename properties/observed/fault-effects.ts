import type { InjectedFault } from '../../model/core/world.ts';

/*
 * What an injected failure may do beside the errno of the operation that meets it. A law judges after a failure as
 * before, except for these effects.
 */

/** A failure by its consequence: ftrace is killed by text that it cannot change, BPF is not. */
type FaultKind = 'allocation' | 'poke of ftrace' | 'poke of BPF';

interface FaultEffects {
  /** ftrace_bug(): ftrace disables itself. */
  readonly ftraceDies: boolean;
  /**
   * The filter of an ops differs from what its clients asked for, until it is updated the next time: a probe stays
   * armed or unarmed, or is armed twice.
   */
  readonly filterIsStale: boolean;
}

const EFFECTS: Readonly<Record<FaultKind, FaultEffects>> = {
  allocation: { ftraceDies: false, filterIsStale: true },
  'poke of ftrace': { ftraceDies: true, filterIsStale: false },
  'poke of BPF': { ftraceDies: false, filterIsStale: false },
};

/** Whether one of these failures may have this effect. */
export function mayHaveCaused(effect: keyof FaultEffects, faults: readonly InjectedFault[]): boolean {
  return faults.some((fault) => EFFECTS[kindOf(fault)][effect]);
}

function kindOf({ what, where }: InjectedFault): FaultKind {
  if (what === 'allocation') return 'allocation';
  return where === 'bpf_arch_text_poke' ? 'poke of BPF' : 'poke of ftrace';
}
