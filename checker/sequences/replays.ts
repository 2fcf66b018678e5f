import { ifModelled } from '../../model/call/exception.ts';
import type { AttachCase } from './attach-case.ts';
import type { AttachBreach, AttachQuestion } from './played.ts';
import { SequencePlayer } from './run-sequence.ts';

/** Plays similar sequences: the common beginning with the previous one is not played again. */
export class Replays {
  private last: { readonly player: SequencePlayer; readonly texts: readonly string[] } | undefined;

  constructor(private readonly question: AttachQuestion) {}

  /**
   * The breach of a sequence, unless it is known, or shown without the planted bug as well. A simpler sequence that
   * meets something not modelled has none.
   */
  newBreach({ actions, ...start }: AttachCase): AttachBreach | undefined {
    const texts = [start, ...actions].map((part) => JSON.stringify(part));
    const player = this.resumed(start, texts);
    this.last = undefined;
    return ifModelled(() => {
      for (const action of actions.slice(player.played)) {
        if (player.isOver) break;
        player.play(action);
      }
      this.last = { player, texts };
      return player.newBreach;
    });
  }

  /** At the first action in which the sequence differs from the last one, as far as that was played. */
  private resumed(start: Omit<AttachCase, 'actions'>, texts: readonly string[]): SequencePlayer {
    const from = this.last?.player;
    const alike = texts.findIndex((text, i) => text !== this.last?.texts[i]);
    const before = Math.min(alike < 0 ? texts.length : alike, from?.played ?? 0) - 1;
    if (from === undefined || before < 0) return new SequencePlayer(start, this.question);
    return new SequencePlayer(start, this.question, { from, before });
  }
}
