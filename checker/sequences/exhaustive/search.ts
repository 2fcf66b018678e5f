import { createHash } from 'node:crypto';
import type { Action } from '../../../model/client/all.ts';
import { addTo } from '../../../model/core/add-to.ts';
import { last } from '../../../model/core/present.ts';
import { toEnd } from '../../../model/core/to-end.ts';
import { isMisuse } from '../../../model/misuse.ts';
import { stateKey } from '../../refinement/state-key.ts';
import type { AttachCase } from '../attach-case.ts';
import type { AttachBreach, AttachQuestion } from '../played.ts';
import { SequencePlayer } from '../run-sequence.ts';

/*
 * Every sequence of some calls, the shortest first. Of two sequences whose kernels behave alike afterwards, with the same
 * promises, one is continued:
 *
 * ```text
 *   depth 0     boot
 *   depth 1     boot a         boot b          ...   each call of the alphabet
 *   depth 2     boot a b  ==  boot b a          ...   one state, if the two end in the same one
 * ```
 *
 * So the first breach is a shortest one: no sequence of fewer of these calls breaks the law.
 */

export interface ExhaustiveSearch extends AttachQuestion {
  readonly start: Omit<AttachCase, 'actions'>;
  readonly alphabet: readonly Action[];
  /** Allocations and pokes on the way of these calls may fail: that one will is an action of its own. */
  readonly fails: boolean;
  /** The objects of a kind are no equals, as their calls differ: each is named as the alphabet has it. */
  readonly asNamed?: boolean;
  /** Actions of a sequence at most. */
  readonly depth: number;
  /** States at most; more end the search. */
  readonly states: number;
  /** What a state is known by; another key than the usual one checks the reduction. */
  readonly key?: (player: SequencePlayer) => string;
}

export interface ExhaustiveSearched {
  /** States that were reached, the kernel after its boot included. */
  readonly states: number;
  /** Actions that were tried in them. */
  readonly moves: number;
  /** All sequences of this length were played; of a breach, its length. */
  readonly depth: number;
  readonly end: 'found' | 'depth' | 'states' | 'no state is new' | 'stopped';
  readonly found: ExhaustiveFound | undefined;
  /** In how many states each law was exercised, and each listed breach shown, by its name. */
  readonly met: ReadonlyMap<string, number>;
  readonly known: ReadonlyMap<string, number>;
}

export interface ExhaustiveFound {
  readonly case: AttachCase;
  readonly breach: AttachBreach;
}

/** Yields after each state what was done so far; ends early when it is stopped. */
export function* searchExhaustively(
  search: ExhaustiveSearch,
): Generator<ExhaustiveSearched, ExhaustiveSearched, boolean> {
  const reached = new Reached(search);
  for (let depth = 0; depth < search.depth; depth++) {
    const level = reached.takeLevel();
    if (level.length === 0) return reached.result(depth, 'no state is new');
    for (const path of level) {
      const found = reached.expand(path);
      if (found !== undefined) return { ...reached.result(depth + 1, 'found'), found };
      if (reached.states > search.states) return reached.result(depth, 'states');
      if (yield reached.result(depth, 'stopped')) return reached.result(depth, 'stopped');
    }
  }
  return reached.result(search.depth, 'depth');
}

/** The states that were reached, and the sequences that reach those of the next level: kernels are not kept, for memory. */
class Reached {
  private readonly seen = new Set<string>();
  private next: (readonly Action[])[] = [[]];
  private moves = 0;
  private readonly met = new Map<string, number>();
  private readonly known = new Map<string, number>();
  private readonly key: (player: SequencePlayer) => string;

  constructor(private readonly search: ExhaustiveSearch) {
    this.key = search.key ?? ((player) => keyOf(search, player));
    this.seen.add(this.key(new SequencePlayer(search.start, search)));
  }

  get states(): number {
    return this.seen.size;
  }

  takeLevel(): (readonly Action[])[] {
    const level = this.next;
    this.next = [];
    return level;
  }

  /** Makes each call after a sequence, until one breaks a law. */
  expand(path: readonly Action[]): ExhaustiveFound | undefined {
    const { search, seen } = this;
    const from = replayed(search, path);
    for (const action of movesOf(search, from)) {
      this.moves++;
      const player = continued(search, from, action);
      const { newBreach: breach, actions } = player;
      for (const { name } of player.witnesses) addTo(this.met, name);
      for (const { name } of player.shown) addTo(this.known, name);
      if (breach !== undefined) return { case: { ...search.start, actions }, breach };
      if (leadsNowhere(from, player)) continue;
      const state = this.key(player);
      if (seen.has(state)) continue;
      seen.add(state);
      this.next.push(actions);
    }
    return undefined;
  }

  result(depth: number, end: ExhaustiveSearched['end']): ExhaustiveSearched {
    const { states, moves, met, known } = this;
    return { states, moves, depth, end, found: undefined, met, known };
  }
}

/** The same without a stop. */
export function exhausted(search: ExhaustiveSearch): ExhaustiveSearched {
  return toEnd(searchExhaustively(search));
}

/** A sequence again, from the boot. */
function replayed(search: ExhaustiveSearch, path: readonly Action[]): SequencePlayer {
  const player = new SequencePlayer(search.start, search);
  for (const action of path) player.play(action);
  return player;
}

function continued(search: ExhaustiveSearch, from: SequencePlayer, action: Action): SequencePlayer {
  const player = new SequencePlayer(search.start, search, { from, before: from.played });
  player.play(action);
  return player;
}

/** A breach that is not new ends a sequence as it ends a drawn one; so does a failure that nothing has met. */
function leadsNowhere(from: SequencePlayer, player: SequencePlayer): boolean {
  return player.isOver || (from.k.fault !== null && player.k.fault !== null);
}

/** The calls that a client may make there, and the failures that may be on their way. */
function movesOf({ alphabet, fails, asNamed = false }: ExhaustiveSearch, from: SequencePlayer): Action[] {
  const named = JSON.stringify(from.actions);
  const calls = alphabet.filter(
    (action) => !isMisuse(from.k, action) && (asNamed || isNamedInTurn(action, named)),
  );
  if (!fails || from.k.fault !== null) return calls;
  const faults = calls.flatMap((action) => from.faultsOf(action)).map((fault) => JSON.stringify(fault));
  return [
    ...calls,
    ...[...new Set(faults)].map((fault): Action => ({ do: 'fail', fault: JSON.parse(fault) })),
  ];
}

/** Objects of one kind differ in their names alone: the second comes after the first. */
function isNamedInTurn(action: Action, before: string): boolean {
  const own = JSON.stringify(action);
  return [...own.matchAll(/([a-z]+)#(\d+)|"(prog|id)":(\d+)/g)].every(([, kind, number, , prog]) => {
    const n = Number(number ?? prog);
    if (n === 1) return true;
    const former =
      kind === undefined ? new RegExp(`"(prog|id)":${n - 1}\\b`) : new RegExp(`"${kind}#${n - 1}\\b`);
    return former.test(before) || former.test(own);
  });
}

/** What the rest of a sequence depends on: the kernel, the promises, the failures so far, and what a law looks back at. */
function keyOf({ laws }: ExhaustiveSearch, player: SequencePlayer): string {
  const looksBack = laws.some(({ asksPrevious }) => asksPrevious === true);
  const text = JSON.stringify([
    stateKey(player.k),
    player.promises,
    player.faults,
    looksBack ? player.actions.at(-1) : null,
    looksBack && player.played > 0 ? stateKey(last(player.history).before) : null,
  ]);
  return createHash('sha256').update(text).digest('base64');
}
