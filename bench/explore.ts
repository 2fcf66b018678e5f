import { pairs, withSleepers } from '../checker/interleavings/family.ts';
import { explore } from '../checker/interleavings/search.ts';
import { Space } from '../checker/interleavings/space.ts';
import type { NoPeer } from './peer.ts';
import type { PokeSize } from './poke-search.ts';
import { searchPokes } from './poke-search.ts';
import type { SpinSearched } from './spin/spin.ts';
import { buildSpin } from './spin/spin.ts';
import { bytesAsText, bytesOfWorlds } from './table-bytes.ts';

/** One search to its end, over and over: the medians of its rounds, beside a peer's where there is one. */
export interface ExploredRow {
  readonly name: string;
  readonly states: number;
  /** States per second. */
  readonly rate: number;
  /** Bytes per state: the store, and the tables beside it by their length as text. */
  readonly bytes: number;
  readonly peer: { readonly rate: number; readonly bytes: number | null } | undefined;
  /** The median of the rounds' ratios of both rates. */
  readonly ratio: number | undefined;
}

/** Of the small model: our states per second against the peer's, and our bytes per state. */
export const SMALL_RATE = { floor: 0.1, aim: 1 } as const;
export const SMALL_BYTES = { most: 300, aim: 60 } as const;

const SMALL: PokeSize = { readers: 5, sites: 2 };
/** Scenarios of the full model, which has no peer, in 6.12: a pair, and how many CPUs. */
const FULL = [
  ['attach f1, detach f1', 1],
  ['attach f1, live patch on f1', 2],
] as const;
const ROUNDS = 7;

/** One search: how many states it has come to, in which time, and what they take. */
interface Round {
  readonly states: number;
  readonly seconds: number;
  readonly bytes: number;
}

/** The small model beside Spin, then the full one. The second value says why there is no Spin. */
export function measureExploration(): readonly [readonly ExploredRow[], NoPeer | undefined] {
  const spin = buildSpin(SMALL);
  const peer = typeof spin === 'function' ? spin : undefined;
  const rows = [measureSmall(peer), ...FULL.map(([pair, cpus]) => measureFull(pair, cpus))];
  return [rows, typeof spin === 'function' ? undefined : spin];
}

/** Alternates between us and the peer, which has to count the same. */
function measureSmall(peer: (() => SpinSearched) | undefined): ExploredRow {
  const ours: Round[] = [];
  const theirs: SpinSearched[] = [];
  const transitions = new Set<number>();
  searchPokes({ ...SMALL, readers: SMALL.readers - 1 });
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(
      timed(() => {
        const searched = searchPokes(SMALL);
        transitions.add(searched.transitions);
        return searched;
      }),
    );
    if (peer !== undefined) theirs.push(peer());
  }
  for (const { transitions: counted } of theirs) transitions.add(counted);
  if (new Set([...ours, ...theirs].map(({ states }) => states)).size > 1 || transitions.size > 1)
    throw new Error('Spin counts other states or transitions than we do');
  return rowOf('text poke and grace period, small', ours, theirs);
}

function measureFull(pair: string, cpus: number): ExploredRow {
  const { scenario } = pairs(withSleepers('6.12'), cpus, 1).find(({ name }) => name === pair)!;
  const rounds = Array.from({ length: ROUNDS }, () =>
    timed(() => {
      const space = new Space(scenario);
      const { states, bytes } = explore(space, { laws: [], stopsAt: () => false });
      const { worlds, callers, clients, works } = space;
      const tables = bytesAsText([callers.values, clients.values, works.values]);
      return { states, bytes: bytes + tables + bytesOfWorlds(worlds) };
    }),
  );
  return rowOf(`${pair}, full`, rounds, []);
}

function timed(search: () => Omit<Round, 'seconds'>): Round {
  const begun = performance.now();
  const { states, bytes } = search();
  return { states, bytes, seconds: (performance.now() - begun) / 1000 };
}

function rowOf(name: string, ours: readonly Round[], theirs: readonly SpinSearched[]): ExploredRow {
  const rate = ({ states, seconds }: Pick<Round, 'states' | 'seconds'>) => states / seconds;
  const { states, bytes } = ours[0]!;
  const [first] = theirs;
  const peer = first && {
    rate: median(theirs.map(rate)),
    bytes: first.bytes === null ? null : first.bytes / first.states,
  };
  return {
    name,
    states,
    rate: median(ours.map(rate)),
    bytes: bytes / states,
    peer,
    ratio: first && median(theirs.map((their, i) => rate(ours[i]!) / rate(their))),
  };
}

export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
}
