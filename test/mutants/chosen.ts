import type { Tries } from './bound.ts';
import { COSTS, TRIES } from './bound.ts';
import type { Corpus, JudgedInput, ReachedCode } from './corpus.ts';
import type { Input } from './input.ts';

/*
 * Which inputs a mutant is judged on: those that run what it changes, so that together they run as much else of its file
 * as they can; and where they are few, as for what is computed once, those that run something else of its file.
 */

/** What a mutant changes. */
export interface ChangedCode {
  readonly reach: ReachedCode;
  /** The other code of its file, and that of the files that import it. */
  readonly near: readonly (readonly ReachedCode[])[];
}

/** In the order in which they are tried; none: nothing ever runs it. */
export function inputsFor({ reach, near }: ChangedCode, corpus: Corpus, tries: Tries = TRIES): JudgedInput[] {
  const own = corpus.reaching.get(reach) ?? [];
  if (own.length === 0 && !corpus.loaded.has(reach)) return [];
  // A table is read in other files than its own.
  const reachedOf = (reached: readonly ReachedCode[]) => reached.some((what) => corpus.reaching.has(what));
  const around = own.length === 0 ? near.flat() : (near.find(reachedOf) ?? []);
  const isFew = own.length < FEW;
  const candidates = [...new Set(isFew ? [...own, ...reachingAny(around, corpus), ...forAll(corpus)] : own)];
  const first = new Set(own);
  const numbers = kinds().flatMap((kind) => {
    const ofKind = candidates.filter((n) => corpus.drawn[n]?.input.is === kind);
    const preferred = ofKind.filter((n) => first.has(n));
    if (preferred.length >= tries[kind]) return picked(preferred, tries[kind], around, corpus);
    const others = ofKind.filter((n) => !first.has(n));
    return [...preferred, ...picked(others, tries[kind] - preferred.length, around, corpus)];
  });
  return inTurn(numbers.flatMap((n) => corpus.drawn[n] ?? []));
}

/** Those of a second, longer trial that were not in the first one. */
export function furtherInputsFor(
  changed: ChangedCode,
  corpus: Corpus,
  { tries, first }: { readonly tries: Tries; readonly first: readonly JudgedInput[] },
): JudgedInput[] {
  const before = new Set(first);
  return inputsFor(changed, corpus, tries).filter((judged) => !before.has(judged));
}

/** What fewer inputs run than that may be computed once for all of them. */
const FEW = 20;

function kinds(): Input['is'][] {
  return Object.keys(TRIES) as Input['is'][];
}

function reachingAny(around: readonly ReachedCode[], { reaching }: Corpus): number[] {
  return around.flatMap((what) => reaching.get(what) ?? []);
}

/** Comparisons for all values, and what is written for a corner, may depend on what runs once for all of them. */
function forAll(corpus: Corpus): number[] {
  return corpus.drawn.flatMap(({ input }, n) => (input.is === 'exhaustive' || isWritten(input) ? [n] : []));
}

function isWritten(input: Input | undefined): boolean {
  return input?.is === 'sequence' && input.written === true;
}

/**
 * Some of these: those that are written for a corner; such as run, together, everything around that any of them runs;
 * then others, spread evenly.
 */
function picked(
  numbers: readonly number[],
  most: number,
  around: readonly ReachedCode[],
  corpus: Corpus,
): readonly number[] {
  if (numbers.length <= most) return numbers;
  const written = numbers.filter((n) => isWritten(corpus.drawn[n]?.input));
  const cover = [...new Set([...written, ...covering(numbers, around, corpus)])].slice(0, most);
  const taken = new Set(cover);
  const rest = numbers.filter((n) => !taken.has(n));
  const left = most - cover.length;
  const spread = Array.from({ length: left }, (_, i) => rest[Math.floor((i * rest.length) / left)] ?? 0);
  return cover.flatMap((n, i) => [n, ...spread.slice(i, i + 1)]).concat(spread.slice(cover.length));
}

/** What few of them run is looked for first. */
function covering(
  numbers: readonly number[],
  around: readonly ReachedCode[],
  { reaching }: Corpus,
): number[] {
  const among = new Set(numbers);
  const runs = around
    .map((what) => (reaching.get(what) ?? []).filter((n) => among.has(n)))
    .filter((own) => own.length > 0)
    .sort((a, b) => a.length - b.length);
  const chosen = new Set<number>();
  for (const own of runs) if (!own.some((n) => chosen.has(n))) chosen.add(own[0] ?? 0);
  return [...chosen];
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
