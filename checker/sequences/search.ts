import fc from 'fast-check';
import type { Action } from '../../model/client/all.ts';
import { item, present } from '../../model/core/present.ts';
import { toEnd } from '../../model/core/to-end.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import type { Share } from '../share.ts';
import { WHOLE, workOn } from '../share.ts';
import type { AttachCase } from './attach-case.ts';
import type { SequenceCommands } from './commands.ts';
import { begin, commandsOf, contractFor } from './commands.ts';
import { limitOf } from './draw/limits.ts';
import { meetingOf } from './draw/meetings.ts';
import { tracepointLists } from './draw/tracepoints.ts';
import type { Subjects } from './draw.ts';
import { actionsFor, onlyHit, subjectsFor } from './draw.ts';
import type { AttachBreach, AttachQuestion } from './played.ts';
import { Replays } from './replays.ts';
import { SequencePlayer } from './run-sequence.ts';
import { simplify } from './shrink/simplify.ts';
import { shuffled } from './shuffled.ts';
import type { Counted } from './tally.ts';
import { Tally } from './tally.ts';
import { unmodelledSequence } from './unmodelled.ts';
import { variationsOf } from './variations.ts';

/** A random search over sequences of client calls. Its bound is a count, so that a seed fixes its output. */
export interface AttachSearch extends AttachQuestion {
  readonly profile: string;
  readonly seed: number;
  readonly sequences: number;
  /** Kernels with only tracepoints, which are hit. */
  readonly hits?: boolean;
  /** Those that are drawn differ from one of these in a few actions, in place of others that begin with a boot. */
  readonly near?: readonly AttachCase[];
  /** Laws that no other step exercises are checked on those with a known breach of an earlier law. */
  readonly asksBehindKnown?: true;
  /** Told each sequence that was played. */
  readonly played?: (c: AttachCase) => void;
  /** Default: all of it is worked on here. */
  readonly share?: Share;
}

export interface AttachFound {
  readonly case: AttachCase;
  readonly breach: AttachBreach;
  /** Actions of the sequence as it was first drawn. */
  readonly drawn: number;
}

export interface AttachSearched extends Counted {
  readonly found: AttachFound | undefined;
}

/** Sequences that are drawn for one list of functions. */
const CHUNK = 20;
/** Between the seeds of parts of a search. */
export const SEED_STEP = 0x9e3779b1;

/** Plays sequences until one breaks a law in an unlisted way, or the bound is reached. */
export function* searchSequences(search: AttachSearch): Generator<AttachSearched, AttachSearched, boolean> {
  const { share = WHOLE } = search;
  const tally = new Tally([]);
  for (let done = 0; done < search.sequences; done += CHUNK) {
    const drawn = new DrawnChunk(search, done / CHUNK);
    const part = workOn(share, drawn.name, () => drawn.play(unmetIn(search, tally)));
    if (part !== undefined) tally.add(part);
    else tally.leave(drawn.sequences);
    if (part?.failed === true) return { ...tally.result(), found: found(search, drawn.failing()) };
    if (yield { ...tally.result(), found: undefined }) break;
  }
  return { ...tally.result(), found: undefined };
}

/** The same without a stop, for callers that only want the result. */
export function searchToEnd(search: AttachSearch): AttachSearched {
  return toEnd(searchSequences(search));
}

/** The subjects of the sequences of a chunk. */
function subjectsOf({ profile, hits }: AttachSearch, chunk: number): fc.Arbitrary<Subjects> {
  return hits === true ? tracepointLists.map(onlyHit) : subjectsFor(profile, chunk);
}

/** A kernel, the first actions of every sequence in it, and the commands that follow. */
interface Begun extends Omit<AttachCase, 'actions'> {
  readonly first: readonly Action[];
  readonly commands: fc.Arbitrary<SequenceCommands>;
}

/** What the sequences of a chunk begin with: most with a kernel that has just booted. */
function beginningOf(search: AttachSearch, chunk: number, seed: number): Begun {
  const { profile, hits, near } = search;
  if (near !== undefined) return nearOne(near, search.seed, chunk);
  const [subjects] = fc.sample(subjectsOf(search, chunk), { seed, numRuns: 1 });
  const start = { profile, ...present(subjects, 'sample') };
  const limit = hits === true ? undefined : (limitOf(chunk, start) ?? meetingOf(chunk, start));
  const { first, more, ...begun } = { first: [], more: [], ...start, ...limit };
  return { ...begun, first, commands: commandsOf(actionsFor(begun.profile, begun, more)) };
}

/** The sequences of one chunk after the other are near each of some, in an order of the seed. */
function nearOne(near: readonly AttachCase[], seed: number, chunk: number): Begun {
  const c = item(shuffled(near, seed), chunk % near.length);
  const { actions: _, ...start } = c;
  return { ...start, first: [], commands: variationsOf(c) };
}

/** Laws that no sequence has exercised, if those are of interest. */
function unmetIn({ laws, asksBehindKnown }: AttachSearch, tally: Tally): readonly AttachLaw[] {
  return asksBehindKnown === true ? laws.filter((law) => !tally.hasMet(law)) : [];
}

/** What the sequences of a chunk came to: plain data. */
interface PlayedChunk extends Counted {
  /** The last of them breaks a law in an unlisted way. */
  readonly failed: boolean;
}

/** The sequences that are drawn for one list of functions. */
class DrawnChunk {
  private readonly bound: { readonly seed: number; readonly numRuns: number };
  /** The one that failed when they were played here. */
  private failed: AttachCase | undefined;

  constructor(
    private readonly search: AttachSearch,
    private readonly number: number,
  ) {
    this.bound = {
      seed: (search.seed + number * SEED_STEP) | 0,
      numRuns: Math.min(CHUNK, search.sequences - number * CHUNK),
    };
  }

  /** How many they are. */
  get sequences(): number {
    return this.bound.numRuns;
  }

  /** Other parts of a run have other names. */
  get name(): string {
    const { profile, hits, near } = this.search;
    const what = near !== undefined ? 'near sequences' : hits === true ? 'hits' : 'sequences';
    return `${what} of ${profile}, ${this.number}`;
  }

  /** Plays them, up to one that fails; `unmet`: laws that no sequence has exercised. */
  play(unmet: readonly AttachLaw[]): PlayedChunk {
    const tally = new Tally(unmet);
    this.failed = this.firstFailing(this.search, tally);
    return { ...tally.result(), failed: this.failed !== undefined };
  }

  /** The actions of the one that fails, as they were drawn; all is played again if that was elsewhere. */
  failing(): AttachCase {
    if (this.failed !== undefined) return this.failed;
    const { played: _, watch: __, ...quiet } = this.search;
    return present(this.firstFailing(quiet, new Tally([])), 'sequence that fails again');
  }

  private firstFailing(search: AttachSearch, tally: Tally): AttachCase | undefined {
    return searchChunk(search, beginningOf(search, this.number, this.bound.seed), this.bound, tally);
  }
}

/** The actions of the first sequence that fails, as they were drawn: they are shrunk by their meaning, not by how they were drawn. */
function searchChunk(
  search: AttachSearch,
  { first, commands: drawn, ...start }: Begun,
  bound: { seed: number; numRuns: number },
  tally: Tally,
): AttachCase | undefined {
  let failing: AttachCase | undefined;
  let last: AttachCase | undefined;
  const { profile, functions } = start;
  const property = fc.property(drawn, (commands) => {
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
