import fc from 'fast-check';
import { toEnd } from '../../model/core/to-end.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import type { AttachCase } from './attach-case.ts';
import { begin, commandsOf, contractFor } from './commands.ts';
import type { Beginning } from './draw/limits.ts';
import { limitOf } from './draw/limits.ts';
import { meetingOf } from './draw/meetings.ts';
import { tracepointLists } from './draw/tracepoints.ts';
import type { Subjects } from './draw.ts';
import { actionsFor, onlyHit, subjectsFor } from './draw.ts';
import type { AttachBreach, AttachQuestion } from './played.ts';
import { Replays } from './replays.ts';
import { SequencePlayer } from './run-sequence.ts';
import { simplify } from './shrink/simplify.ts';
import { unmodelledSequence } from './unmodelled.ts';

/** A random search over sequences of client calls. Its bound is a count, so that a seed fixes its output. */
export interface AttachSearch extends AttachQuestion {
  readonly profile: string;
  readonly seed: number;
  readonly sequences: number;
  /** Kernels with only tracepoints, which are hit. */
  readonly hits?: boolean;
  /** Laws that no other step exercises are checked on those with a known breach of an earlier law. */
  readonly asksBehindKnown?: true;
  /** Told each sequence that was played. */
  readonly played?: (c: AttachCase) => void;
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
  /** Laws that were exercised where another is broken in a known way, and by no sequence before. */
  readonly behindKnown: ReadonlySet<string>;
  readonly died: number;
  readonly found: AttachFound | undefined;
}

/** Sequences that are drawn for one list of functions. */
const CHUNK = 20;
/** Between the seeds of parts of a search. */
export const SEED_STEP = 0x9e3779b1;

/** Plays sequences until one breaks a law in an unlisted way, or the bound is reached. */
export function* searchSequences(search: AttachSearch): Generator<AttachSearched, AttachSearched, boolean> {
  const tally = new Tally(search.asksBehindKnown === true ? search.laws : []);
  for (let done = 0; done < search.sequences; done += CHUNK) {
    const chunk = done / CHUNK;
    const bound = {
      seed: (search.seed + chunk * SEED_STEP) | 0,
      numRuns: Math.min(CHUNK, search.sequences - done),
    };
    const [subjects] = fc.sample(subjectsOf(search, chunk), { seed: bound.seed, numRuns: 1 });
    const failing = searchChunk(search, beginningOf(search, chunk, subjects!), bound, tally);
    if (failing !== undefined) return tally.result(found(search, failing));
    if (yield tally.result(undefined)) break;
  }
  return tally.result(undefined);
}

/** The same without a stop, for callers that only want the result. */
export function searchToEnd(search: AttachSearch): AttachSearched {
  return toEnd(searchSequences(search));
}

/** The subjects of the sequences of a chunk. */
function subjectsOf({ profile, hits }: AttachSearch, chunk: number): fc.Arbitrary<Subjects> {
  return hits === true ? tracepointLists.map(onlyHit) : subjectsFor(profile, chunk);
}

/** A beginning with its tracepoints. */
type Begun = Beginning & Subjects;

/** Most sequences begin with a kernel that has just booted. */
function beginningOf({ profile, hits }: AttachSearch, chunk: number, subjects: Subjects): Begun {
  if (hits === true) return { profile, first: [], more: [], ...subjects };
  const start = { profile, ...subjects };
  return { first: [], more: [], ...start, ...(limitOf(chunk, start) ?? meetingOf(chunk, start)) };
}

/** The actions of the first sequence that fails, as they were drawn: they are shrunk by their meaning, not by how they were drawn. */
function searchChunk(
  search: AttachSearch,
  { first, more, ...start }: Begun,
  bound: { seed: number; numRuns: number },
  tally: Tally,
): AttachCase | undefined {
  let failing: AttachCase | undefined;
  let last: AttachCase | undefined;
  const { profile, functions } = start;
  const actions = actionsFor(profile, start, more);
  const property = fc.property(commandsOf(actions), (commands) => {
    const player = new SequencePlayer(start, search);
    try {
      fc.modelRun(
        () => ({ model: begin(contractFor(profile, functions), player, first), real: player }),
        commands,
      );
    } finally {
      tally.count(player);
      search.played?.({ ...start, actions: player.actions });
      last = { ...start, actions: [...player.actions, ...player.underWay] };
      if (player.newBreach !== undefined) failing = { ...start, actions: player.actions };
    }
  });
  const { failed, errorInstance } = fc.check(property, { ...bound, endOnFailure: true });
  if (failed && failing === undefined)
    throw unmodelledSequence(last!, errorInstance, search) ?? errorInstance;
  return failing;
}

/** Shrinks to the simplest sequence that breaks the same law in an unlisted way, in the kernel as it is if that does. */
function found(search: AttachSearch, first: AttachCase): AttachFound {
  const replays = new Replays(search);
  const { law } = replays.newBreach(first)!;
  const fails = (c: AttachCase) => replays.newBreach(c)?.law === law;
  const asItIs = (c: AttachCase): AttachCase => {
    const plain = { ...c, profile: search.profile };
    return fails(plain) ? plain : c;
  };
  const small = asItIs(simplify(asItIs(first), fails));
  const breach = replays.newBreach(small)!;
  const actions = small.actions.slice(0, breach.at + 1);
  return { case: { ...small, actions }, breach, drawn: first.actions.length };
}

/** Counts what happens until the first new breach. */
class Tally {
  private sequences = 0;
  private actions = 0;
  private calls = 0;
  private died = 0;
  private readonly witnesses = new Map<string, number>();
  private readonly known = new Map<string, number>();
  private readonly behindKnown = new Set<string>();

  /** Laws that no sequence has exercised, which are checked at the steps of known breaches. */
  constructor(private unmet: readonly AttachLaw[]) {}

  count(player: SequencePlayer): void {
    const { actions, died, witnesses, shown } = player;
    this.sequences++;
    this.actions += actions.length;
    this.calls += actions.filter((action) => action.do === 'call').length;
    if (died) this.died++;
    for (const { name } of witnesses) add(this.witnesses, name);
    for (const { name } of shown) add(this.known, name);
    this.unmet = this.unmet.filter(({ name }) => !this.witnesses.has(name));
    for (const law of this.unmet) if (player.isTestedBehindKnown(law)) this.behindKnown.add(law.name);
  }

  result(found: AttachFound | undefined): AttachSearched {
    const { sequences, actions, calls, witnesses, known, behindKnown, died } = this;
    return { sequences, actions, calls, witnesses, known, behindKnown, died, found };
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
