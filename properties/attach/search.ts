import fc from 'fast-check';
import type { Action } from '../../model/action.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import type { AttachCase } from './attach-case.ts';
import type { Played } from './commands.ts';
import { commandsFor } from './commands.ts';
import { functionLists } from './draw.ts';
import type { AttachBreach, AttachQuestion } from './run-sequence.ts';
import { Player, runSequence } from './run-sequence.ts';
import { simplify } from './simplify.ts';

/** A random search over sequences of client calls. Its bound is a count, so that a seed fixes its output. */
export interface AttachSearch extends AttachQuestion {
  readonly profile: string;
  readonly seed: number;
  readonly sequences: number;
}

export interface AttachFound {
  readonly case: AttachCase;
  readonly breach: AttachBreach;
  /** Actions of the sequence as it was first drawn. */
  readonly drawn: number;
}

export interface AttachSearched {
  readonly sequences: number;
  readonly actions: number;
  /** Those among them that called a traced function. */
  readonly calls: number;
  /** Sequences that met the premise of a law, by the law's name; those that showed a known breach, by its name. */
  readonly witnesses: ReadonlyMap<string, number>;
  readonly known: ReadonlyMap<string, number>;
  readonly died: number;
  readonly found: AttachFound | undefined;
}

/** Sequences that are drawn for one list of functions. */
const CHUNK = 20;
const SEED_STEP = 0x9e3779b1;

/** Plays sequences until one breaks a law in a way that is not known, or the bound is reached. */
export function* searchSequences(search: AttachSearch): Generator<AttachSearched, AttachSearched, boolean> {
  const tally = new Tally();
  for (let done = 0; done < search.sequences; done += CHUNK) {
    const bound = {
      seed: (search.seed + (done / CHUNK) * SEED_STEP) | 0,
      numRuns: Math.min(CHUNK, search.sequences - done),
    };
    const [functions] = fc.sample(functionLists, { seed: bound.seed, numRuns: 1 });
    const failing = searchChunk(search, functions!, bound, tally);
    if (failing !== undefined) return tally.result(found(search, failing, tally.firstFailure));
    if (yield tally.result(undefined)) break;
  }
  return tally.result(undefined);
}

function searchChunk(
  search: AttachSearch,
  functions: readonly TracedFunction[],
  bound: { seed: number; numRuns: number },
  tally: Tally,
): AttachCase | undefined {
  let last: readonly Action[] = [];
  const property = fc.property(commandsFor(search.profile, functions), (commands) => {
    const player = new Player({ profile: search.profile, functions }, search);
    const played: Played = { player, actions: [] };
    try {
      fc.modelRun(() => ({ model: played, real: player }), commands);
    } finally {
      tally.count(player, played.actions);
      if (player.isBroken) last = played.actions;
    }
  });
  const { failed, errorInstance } = fc.check(property, bound);
  if (!failed) return undefined;
  if (last.length === 0) throw errorInstance;
  return { profile: search.profile, functions, actions: last };
}

/** Shrinks to the simplest sequence that breaks the same law in a way that is not known. */
function found(search: AttachSearch, first: AttachCase, drawn: number): AttachFound {
  const breachOf = (c: AttachCase) => {
    const { breach, known } = runSequence(c, search);
    return known === undefined ? breach : undefined;
  };
  const { law } = breachOf(first)!;
  const small = simplify(first, (c) => breachOf(c)?.law === law);
  const breach = breachOf(small)!;
  return { case: { ...small, actions: small.actions.slice(0, breach.at + 1) }, breach, drawn };
}

/** Counts what happens until the first new breach; shrinking is not counted. */
class Tally {
  firstFailure = 0;
  private sequences = 0;
  private actions = 0;
  private calls = 0;
  private died = 0;
  private readonly witnesses = new Map<string, number>();
  private readonly known = new Map<string, number>();

  count(player: Player, actions: readonly Action[]): void {
    if (this.firstFailure > 0) return;
    this.sequences++;
    this.actions += actions.length;
    this.calls += actions.filter((action) => action.do === 'call').length;
    if (player.died) this.died++;
    for (const { name } of player.witnesses) add(this.witnesses, name);
    if (player.known !== undefined) add(this.known, player.known.name);
    if (player.isBroken) this.firstFailure = actions.length;
  }

  result(found: AttachFound | undefined): AttachSearched {
    const { sequences, actions, calls, witnesses, known, died } = this;
    return { sequences, actions, calls, witnesses, known, died, found };
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
