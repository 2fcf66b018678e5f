import type { StateChange } from '../../../counterexamples/sequences/delta.ts';
import type { BoardSection } from './kernel-board.ts';
import type { MachineView } from './machine-view.ts';

/** How a walk ends. */
export type WalkVerdict =
  | { readonly is: 'broken'; readonly law: string; readonly expected: string; readonly observed: string }
  | { readonly is: 'crash'; readonly observed: string }
  /** Two kernels behave differently. */
  | { readonly is: 'differs'; readonly observed: string }
  /** All actors have finished, and the law holds. */
  | { readonly is: 'held' };

/** A move in words. */
export interface WalkedStep {
  readonly actor: string;
  /** `runs on cpu 0`, `fetches int3`; empty: it runs on. */
  readonly turn: string;
  /** The operation that it begins; empty: none. */
  readonly begins: string;
  readonly does: string;
  readonly changes: readonly StateChange[];
  readonly said: readonly string[];
}

/** A state of a walk, with the move before it. */
export interface WalkStand {
  /** Undefined: it is the first state. */
  readonly told: WalkedStep | undefined;
  /** Of a crash: the state before it. */
  readonly board: readonly BoardSection[];
  readonly machines: readonly MachineView[];
  readonly verdict: WalkVerdict | undefined;
}

/** A possible next move. */
export interface NextMove {
  /** Empty: `does` names it. */
  readonly actor: string;
  readonly turn: string;
  readonly does: string;
  /** The saved file makes this one here. */
  readonly isSaved: boolean;
}

/** What a page walks through. */
export interface FindingWalk {
  readonly stands: readonly WalkStand[];
  readonly actors: readonly string[];
  /** The moves that are possible after a stand, by its number. */
  choices(stand: number): readonly NextMove[];
  /** Makes one of them. After the saved one comes what was saved, after another one nothing yet. */
  choose(stand: number, choice: number): void;
  /** Back to what was saved. */
  reset(): void;
}
