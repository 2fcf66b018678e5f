import { describe, expect, test } from 'vitest';
import { calls } from '../../properties/planted/interleavings/scenarios.ts';
import { BESIDE_A_KPROBE } from '../../properties/planted/interleavings/text.ts';
import { placeAfter } from './actors.ts';
import type { Move } from './move.ts';
import { unpackMove } from './move.ts';
import { movesOf, turnOf } from './play.ts';
import { Space } from './space.ts';
import type { PackedState } from './state.ts';

const { call } = calls('f1');

/** The call is interrupted as well. */
const SCENARIO = {
  ...BESIDE_A_KPROBE,
  callers: [calls('f1', { interrupt: call, nmi: call, softInterrupt: call })],
};

/** A schedule that is made move by move. */
class Played {
  private readonly space: Space;
  private state: PackedState;

  constructor(profile: string) {
    this.space = new Space({ ...SCENARIO, profile });
    this.state = this.space.initial();
  }

  /** What an actor can do now. */
  can(who: Move['who']): string[] {
    return this.moves(who).map((move) => turnOf(this.space, this.state, move).does);
  }

  /** Moves an actor as often as it takes to get to a place. */
  to(who: 'client' | 'caller', place: string): void {
    for (let left = 100; left > 0; left--) {
      const all = movesOf(this.space, this.state);
      const found = all.find(({ move }) => {
        const unpacked = unpackMove(move);
        if (unpacked.who === 'caller') return who === 'caller' && GOES_ON.includes(unpacked.does);
        return unpacked.who === who;
      });
      if (found?.next === undefined) break;
      const reached = placeAfter(this.space, this.state, unpackMove(found.move), found.next);
      this.state = found.next;
      if (reached === place) return;
    }
    throw new Error(`the ${who} does not come to ${place}`);
  }

  private moves(who: Move['who']): Move[] {
    const all = movesOf(this.space, this.state).map(({ move }) => unpackMove(move));
    return all.filter((move) => move.who === who);
  }
}

const GOES_ON: readonly string[] = ['runs on', 'resumes'];
const HANDLER = 'the int3 handler at f1+0xa';

describe.each(['6.1', '6.12', '7.2'])('a CPU of %s in the handler of the int3 of a kprobe', (profile) => {
  test('takes no IPI, and no interrupt but an NMI, before it has left', () => {
    const played = new Played(profile);
    played.to('caller', 'f1+0xa');
    played.to('client', 'text_poke_bp_batch: sync after int3');
    expect(played.can('caller')).toEqual(['runs', ...INTERRUPTED]);
    played.to('caller', HANDLER);
    expect(played.can('client')).toEqual([]);
    expect(played.can('caller')).toEqual(['runs', 'is interrupted by an NMI']);
    played.to('caller', 'body_hook');
    expect(played.can('client')).toEqual(['runs']);
  });

  test('is waited for by the batch that it holds, and not by one that it has left', () => {
    const played = new Played(profile);
    played.to('caller', 'f1+0xa');
    played.to('client', 'text_poke_bp_batch: retire the batch');
    played.to('caller', HANDLER);
    played.to('client', 'text_poke_bp_batch: wait for the handlers');
    expect(played.can('client')).toEqual([]);
    played.to('caller', 'body_hook');
    played.to('client', 'text_poke_bp_batch: retire the batch');
    played.to('client', 'its end, 0');
  });

  test('holds nothing where no batch is under way', () => {
    const played = new Played(profile);
    played.to('caller', 'f1+0xa');
    played.to('caller', 'body_hook');
    played.to('client', 'its end, 0');
  });
});

const INTERRUPTED = ['is interrupted', 'is interrupted by an NMI', 'is interrupted by a soft interrupt'];
