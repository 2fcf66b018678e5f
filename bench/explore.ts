import { pairs, withSleepers } from '../checker/interleavings/family.ts';
import { explore } from '../checker/interleavings/search.ts';
import { Space } from '../checker/interleavings/space.ts';
import { TASK_LAWS } from '../properties/task-laws.ts';
import { FULL, SMALL } from './figures.ts';
import type { PokeSearched, PokeSize } from './poke-search.ts';
import { searchPokes } from './poke-search.ts';
import type { BenchRow, MeasuredPart } from './row.ts';
import { rowOf } from './row.ts';
import type { SpinSearched } from './spin/spin.ts';
import { buildSpin } from './spin/spin.ts';
import type { TlcSearched } from './tlc/tlc.ts';
import { findTlc } from './tlc/tlc.ts';

const SIZE: PokeSize = { readers: 5, sites: 2 };
const ROUNDS = 7;

/** A scenario of the full model, which has no peer: its CPUs, the tasks that call, and the first of its states. */
export const SCENARIO = {
  kernel: '6.12',
  pair: 'attach f1, live patch on f1',
  cpus: 2,
  calling: 2,
  states: 500_000,
} as const;
const FULL_ROUNDS = 5;

/** A search to its end, and how long it took. */
interface Round extends PokeSearched {
  readonly seconds: number;
}

/** Searches of the small model, by us and by both peers. */
interface Searches {
  readonly ours: readonly Round[];
  readonly spin: readonly SpinSearched[];
  readonly tlc: readonly TlcSearched[];
}

/** The small model, beside Spin, and beside TLC where its jar is given. */
export function measureExplorer({ tlc: jar }: { readonly tlc: string }): MeasuredPart {
  const spin = buildSpin(SIZE);
  const tlc = findTlc(SIZE, jar);
  const searches = alternate(
    typeof spin === 'function' ? spin : undefined,
    typeof tlc === 'function' ? tlc : undefined,
  );
  requireSameCounts(searches);
  return {
    rows: smallRows(searches),
    missing: [spin, tlc].flatMap((peer) => (typeof peer === 'function' ? [] : [peer.missing])),
  };
}

/** Rounds of us and Spin in turn; TLC, which takes a minute, has one. */
function alternate(spin: (() => SpinSearched) | undefined, tlc: (() => TlcSearched) | undefined): Searches {
  searchPokes({ ...SIZE, readers: SIZE.readers - 1 });
  const ours: Round[] = [];
  const theirs: SpinSearched[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(timed(() => searchPokes(SIZE)));
    if (spin !== undefined) theirs.push(spin());
  }
  return { ours, spin: theirs, tlc: tlc === undefined ? [] : [tlc()] };
}

function requireSameCounts({ ours, spin, tlc }: Searches): void {
  const counts = new Set(
    [...ours, ...spin, ...tlc].map(({ states, transitions }) => `${states} ${transitions}`),
  );
  if (counts.size > 1)
    throw new Error(`a peer counts other states or transitions: ${[...counts].join(', ')}`);
}

function smallRows({ ours, spin, tlc }: Searches): BenchRow[] {
  const rates = ours.map(rate);
  const sizes = spin.flatMap(({ bytes, states }) => (bytes === null ? [] : [bytes / states]));
  return [
    rowOf(SMALL.rate, rates, spin.map(rate)),
    rowOf(
      SMALL.bytes,
      ours.map(({ bytes, states }) => bytes / states),
      sizes,
    ),
    ...(tlc.length > 0 ? [rowOf(SMALL.tlc, rates, tlc.map(rate))] : []),
  ];
}

/** The full model with all laws, on one core. */
export function measureFull(): MeasuredPart {
  const { kernel, pair, cpus, calling, states } = SCENARIO;
  const { scenario } = pairs(withSleepers(kernel), cpus, calling).find(({ name }) => name === pair)!;
  const exploration = { laws: TASK_LAWS, nameOf: () => 'listed', states };
  const rounds = Array.from({ length: FULL_ROUNDS }, () =>
    timed(() => explore(new Space(scenario), exploration)),
  );
  const sizes = rounds.map(({ bytes, states }) => bytes / states);
  return { rows: [rowOf(FULL.laws, rounds.map(rate), []), rowOf(FULL.bytes, sizes, [])], missing: [] };
}

function timed<T extends PokeSearched>(search: () => T): Round {
  const begun = performance.now();
  const { states, transitions, bytes } = search();
  return { states, transitions, bytes, seconds: (performance.now() - begun) / 1000 };
}

/** States in a second. */
function rate({ states, seconds }: { readonly states: number; readonly seconds: number }): number {
  return states / seconds;
}
