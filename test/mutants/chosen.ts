import { COSTS, TRIES } from './bound.ts';
import type { Corpus, JudgedInput, Reached } from './corpus.ts';

/*
 * Which inputs a mutant is judged on: those that run what it changes, the ones first that run what few others do; and
 * where they are few, as for what is computed once, those that run something else of its file.
 */

/** What a mutant changes. */
export interface Changed {
  readonly reach: Reached;
  /** What else is in its file, or in those that import it where no input runs anything of its own. */
  readonly near: readonly (readonly Reached[])[];
}

/** In the order in which they are tried; none: nothing ever runs it. */
export function inputsFor({ reach, near }: Changed, corpus: Corpus): JudgedInput[] {
  const own = corpus.reaching.get(reach) ?? [];
  if (own.length === 0 && !corpus.loaded.has(reach)) return [];
  const rarities = raritiesOf(corpus, [reach, ...(near[0] ?? [])]);
  const chosen = pickedFrom(own, rarities, corpus, new Map());
  if (own.length >= FEW) return inTurn(chosen.flatMap((n) => corpus.drawn[n] ?? []));
  const others = near.map((reached) => reached.flatMap((what) => corpus.reaching.get(what) ?? []));
  const numbers = others.find((found) => found.length > 0) ?? [];
  const taken = new Set(own);
  const more = pickedFrom(
    [...new Set(numbers)].filter((n) => !taken.has(n)),
    rarities,
    corpus,
    countsOf(chosen, corpus),
  );
  return inTurn([...chosen, ...more].flatMap((n) => corpus.drawn[n] ?? []));
}

/** What fewer inputs run than that may be computed once for all of them. */
const FEW = 20;

/** Of each input, how much it runs that few run. */
function raritiesOf({ reaching }: Corpus, among: readonly Reached[]): ReadonlyMap<number, number> {
  const rarities = new Map<number, number>();
  for (const what of among) {
    const numbers = reaching.get(what) ?? [];
    for (const n of numbers) rarities.set(n, (rarities.get(n) ?? 0) + 1 / numbers.length);
  }
  return rarities;
}

/** As many of each kind as are tried, less those that there are: half of them the rarest, half of them spread evenly. */
function pickedFrom(
  numbers: readonly number[],
  rarities: ReadonlyMap<number, number>,
  { drawn }: Corpus,
  had: ReadonlyMap<string, number>,
): number[] {
  return Object.entries(TRIES).flatMap(([kind, tries]) => {
    const most = tries - (had.get(kind) ?? 0);
    const own = numbers.filter((n) => drawn[n]?.input.is === kind);
    if (own.length <= most) return own;
    if (most <= 0) return [];
    const half = Math.ceil(most / 2);
    const rarest = own
      .toSorted((a, b) => (rarities.get(b) ?? 0) - (rarities.get(a) ?? 0) || a - b)
      .slice(0, half);
    const taken = new Set(rarest);
    const rest = own.filter((n) => !taken.has(n));
    const spread = Array.from(
      { length: most - half },
      (_, i) => rest[Math.floor((i * rest.length) / (most - half))] ?? 0,
    );
    return rarest.flatMap((n, i) => [n, ...spread.slice(i, i + 1)]);
  });
}

function countsOf(numbers: readonly number[], { drawn }: Corpus): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const n of numbers) {
    const kind = drawn[n]?.input.is ?? '';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** One kind after the other, each as often as it costs little. */
export function inTurn(inputs: readonly JudgedInput[]): JudgedInput[] {
  const seen = new Map<string, number>();
  const placed = inputs.map((judged) => {
    const { is } = judged.input;
    const before = seen.get(is) ?? 0;
    seen.set(is, before + 1);
    return { judged, place: (before + 1) * COSTS[is] };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ judged }) => judged);
}
