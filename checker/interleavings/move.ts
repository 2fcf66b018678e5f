import { item } from '../../model/core/present.ts';

/** A move: an actor and its action. */
export type Move =
  /** A client, or background work by its place in the state's list, executes a step. */
  | { readonly who: 'client' | 'work'; readonly index: number }
  /** A caller begins or resumes on a CPU, or runs to its next point, with the nth instruction that it may fetch. */
  | {
      readonly who: 'caller';
      readonly index: number;
      readonly does: 'runs on' | 'resumes' | 'is preempted' | 'sleeps' | 'is interrupted';
      readonly detail: number;
    };

const DOES = ['runs on', 'resumes', 'is preempted', 'sleeps', 'is interrupted'] as const;

/** A move as one number, and back. */
export function packMove(move: Move): number {
  if (move.who !== 'caller') return (move.index << 3) | (move.who === 'client' ? 0 : 1);
  return (move.detail << 9) | (move.index << 3) | (2 + DOES.indexOf(move.does));
}

export function unpackMove(packed: number): Move {
  const kind = packed & 7;
  const index = (packed >> 3) & 63;
  if (kind < 2) return { who: kind === 0 ? 'client' : 'work', index: packed >> 3 };
  return { who: 'caller', index, does: item(DOES, kind - 2), detail: packed >> 9 };
}
