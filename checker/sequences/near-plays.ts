import type { AttachCase } from './attach-case.ts';
import type { AttachBreach, AttachQuestion } from './played.ts';
import { SequencePlayer } from './run-sequence.ts';

/** A sequence, and others that differ a little from it: each is played once. */
export class NearPlays {
  private readonly breaches = new Map<string, AttachBreach | undefined>();
  private own: SequencePlayer | undefined;

  constructor(
    private readonly c: AttachCase,
    private readonly question: AttachQuestion,
  ) {}

  /** The breach of such a sequence, unless it is known, or shown without the planted bug as well. */
  newBreach(other: AttachCase): AttachBreach | undefined {
    const text = JSON.stringify(other);
    if (!this.breaches.has(text)) this.breaches.set(text, this.played(other).newBreach);
    return this.breaches.get(text);
  }

  /** The same of the sequence without one of its actions: what comes before that is not played again. */
  withoutAction(index: number): AttachBreach | undefined {
    this.own ??= this.played(this.c);
    if (index >= this.own.played) return this.own.newBreach;
    const rest = this.c.actions.slice(index + 1);
    return played(new SequencePlayer(this.c, this.question, { from: this.own, before: index }), rest)
      .newBreach;
  }

  private played(other: AttachCase): SequencePlayer {
    const player = played(new SequencePlayer(other, this.question), other.actions);
    if (other === this.c) this.own = player;
    return player;
  }
}

function played(player: SequencePlayer, actions: readonly AttachCase['actions'][number][]): SequencePlayer {
  for (const action of actions) {
    if (player.isOver) break;
    player.play(action);
  }
  return player;
}
