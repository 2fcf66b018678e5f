import { addTo } from '../../model/core/add-to.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import type { SequencePlayer } from './run-sequence.ts';

/** What has happened in some sequences: plain data. */
export interface Counted {
  readonly sequences: number;
  readonly actions: number;
  /** Those among them that called a traced function. */
  readonly calls: number;
  /** Sequences that met the premise of a law, by the law's name; those that showed a known breach, by its name. */
  readonly witnesses: ReadonlyMap<string, number>;
  readonly known: ReadonlyMap<string, number>;
  /** Laws that were exercised where another is broken in a known way, and by no sequence before. */
  readonly behindKnown: ReadonlySet<string>;
  readonly died: number;
}

/** Counts what happens until the first new breach. */
export class Tally {
  private sequences = 0;
  private actions = 0;
  private calls = 0;
  private died = 0;
  private readonly witnesses = new Map<string, number>();
  private readonly known = new Map<string, number>();
  private readonly behindKnown = new Set<string>();

  /** Laws that no sequence has exercised, which are checked at the steps of known breaches. */
  constructor(private unmet: readonly AttachLaw[]) {}

  hasMet({ name }: AttachLaw): boolean {
    return this.witnesses.has(name);
  }

  count(player: SequencePlayer): void {
    const { actions, died, witnesses, shown } = player;
    this.sequences++;
    this.actions += actions.length;
    this.calls += actions.filter((action) => action.do === 'call').length;
    if (died) this.died++;
    for (const { name } of witnesses) addTo(this.witnesses, name);
    for (const { name } of shown) addTo(this.known, name);
    this.unmet = this.unmet.filter((law) => !this.hasMet(law));
    for (const law of this.unmet) if (isTestedBehindKnown(player, law)) this.behindKnown.add(law.name);
  }

  /** Counts what was counted elsewhere. */
  add(counted: Counted): void {
    this.sequences += counted.sequences;
    this.actions += counted.actions;
    this.calls += counted.calls;
    this.died += counted.died;
    for (const [name, times] of counted.witnesses) addTo(this.witnesses, name, times);
    for (const [name, times] of counted.known) addTo(this.known, name, times);
    for (const name of counted.behindKnown) this.behindKnown.add(name);
  }

  /** Counts sequences that are played elsewhere, of which nothing else is known. */
  leave(sequences: number): void {
    this.sequences += sequences;
  }

  result(): Counted {
    const { sequences, actions, calls, witnesses, known, behindKnown, died } = this;
    return { sequences, actions, calls, witnesses, known, behindKnown, died };
  }
}

/** It covers no step of the kernel: which laws are still unmet depends on earlier sequences, which may be elsewhere. */
function isTestedBehindKnown(player: SequencePlayer, law: AttachLaw): boolean {
  const executed = KERNEL_PROGRAM.executed.slice();
  const isTested = player.isTestedBehindKnown(law);
  KERNEL_PROGRAM.executed.set(executed);
  return isTested;
}
