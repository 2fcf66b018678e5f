import { z } from 'zod';
import { remarkLines } from '../../counterexamples/run-part.ts';
import { commandLines, shellWord } from '../../counterexamples/text.ts';
import { InputError } from '../../model/core/input-error.ts';
import { item } from '../../model/core/present.ts';
import { askedMutants } from './asked.ts';
import type { ListedMutant } from './mutant.ts';
import type { KeptResult, ResultOrigin } from './results.ts';
import { keptResult, wholeLines } from './results.ts';
import type { MeasuredMutants } from './table.ts';
import { measuredOf } from './table.ts';

/** A file of results, as it was read. */
export interface ResultText {
  readonly path: string;
  readonly text: string;
}

/** The shards that one run would have judged at once. */
export interface MergedShards {
  /** Those of one run: `1/1` for all. */
  readonly shard: string;
  /** All mutants, and the code that is here. */
  readonly all: readonly ListedMutant[];
  readonly code: string;
}

/** What one run would have come to; or the shards, like `2/3`, that have mutants without a verdict. */
export type MergedResults = { readonly is: 'whole'; readonly measured: MeasuredMutants } | Missing;

interface Missing {
  readonly is: 'missing';
  readonly shards: readonly string[];
  readonly from: ResultOrigin;
}

/** Puts files of results together, as one run would have them; an InputError names one that is not of that run. */
export function mergedResults(
  files: readonly ResultText[],
  { shard, all, code }: MergedShards,
): MergedResults {
  const placed = files.flatMap(placedResults);
  const [first] = placed;
  if (first === undefined)
    throw new InputError(`${files.map(({ path }) => path).join(', ')}: there is no verdict`);
  const { from } = first.result;
  for (const { place, result } of placed) requireSame(place, result.from, { ...from, code });
  const { seed, of, areas, named } = from;
  const askedOf = (shards: string) =>
    askedMutants(all, { seed, shard: shards, area: areas, name: named }).map(({ name }) => name);
  const known = new Map(placed.map(({ result }) => [result.name, result]));
  const asked = askedOf(shard);
  const open = new Set(asked.filter((name) => !known.has(name)));
  if (open.size > 0) {
    const shards = Array.from({ length: of }, (_, i) => `${i + 1}/${of}`);
    return { is: 'missing', shards: shards.filter((own) => askedOf(own).some((n) => open.has(n))), from };
  }
  const results = asked.flatMap((name) => known.get(name) ?? []);
  return {
    is: 'whole',
    measured: measuredOf(results, { seed, shards: shard.split(','), mutants: all.length }),
  };
}

/** Names what is missing, with the command that judges the first of it. */
export function missingLines({ shards, from }: Missing, json: boolean): string[] {
  if (json) return [JSON.stringify({ missing: shards })];
  return [
    ...remarkLines({ mark: '?', name: 'missing', text: shards.join(', ') }),
    '',
    ...commandLines(
      'next: ',
      `npm run mutants -- --shard ${item(shards, 0)} ${wordsOf(from)} --resume --out FILE`,
    ),
  ];
}

interface PlacedResult {
  /** The file and the line. */
  readonly place: string;
  readonly result: KeptResult;
}

function placedResults({ path, text }: ResultText): PlacedResult[] {
  return wholeLines(text).flatMap((line, i) => {
    const place = `${path}:${i + 1}`;
    return line === '' ? [] : [{ place, result: resultIn(place, line) }];
  });
}

const AFTER = z.number();
const VERDICT = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('killed'),
    by: z.string(),
    on: z.enum(['program', 'exhaustive', 'opcode', 'stub', 'image', 'sequence', 'scenario', 'start']),
    after: AFTER,
  }),
  z.object({ is: z.literal('survived'), after: AFTER }),
  z.object({ is: z.literal('unreached') }),
  z.object({ is: z.literal('no fault') }),
]);
const ORIGIN = z.object({
  seed: z.number(),
  of: z.number(),
  areas: z.string(),
  named: z.string(),
  code: z.string(),
});
const TEXT = z.string();
const RESULT = z.object({
  ...{ name: TEXT, area: TEXT, operator: TEXT, verdict: VERDICT },
  ...{ from: ORIGIN, sum: TEXT },
});

function resultIn(place: string, line: string): KeptResult {
  const result = formIn(place, line);
  if (keptResult(result, result.from).sum !== result.sum)
    throw new InputError(`${place}: the verdict is damaged: its checksum differs`);
  return result;
}

/** As it was written: its fields have the order that the checksum is of. */
function formIn(place: string, line: string): KeptResult {
  try {
    const form: unknown = JSON.parse(line);
    RESULT.parse(form);
    return form as KeptResult;
  } catch {
    throw new InputError(`${place}: it is no verdict on a mutant of this version`);
  }
}

function requireSame(place: string, { code, ...own }: ResultOrigin, first: ResultOrigin): void {
  const { code: here, ...others } = first;
  if (code !== here) throw new InputError(`${place}: this verdict is of another version of the program`);
  if (JSON.stringify(own) !== JSON.stringify(others))
    throw new InputError(`${place}: this verdict is of another run: ${wordsOf(own)}, of ${own.of} shards`);
}

/** The options of a run, without its shard. */
export function wordsOf({ seed, areas, named }: Omit<ResultOrigin, 'code'>): string {
  const filters = Object.entries({ area: areas, name: named }).filter(([, value]) => value !== '');
  return [`--seed ${seed}`, ...filters.map(([name, value]) => `--${name} ${shellWord(value)}`)].join(' ');
}
