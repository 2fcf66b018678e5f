import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { grid } from '../../commands/compare/grid.ts';
import type { Corpus, CorpusBound } from './corpus.ts';
import { EXPLAINED } from './explained.ts';
import { Judges } from './judge.ts';
import type { ListedMutant } from './mutant.ts';
import { allMutants, shardOf } from './mutant.ts';
import type { Result } from './results.ts';
import { ResultFile } from './results.ts';
import { sourceMutants } from './source-mutants.ts';
import { tableOf, talliesOf } from './table.ts';
import { inTurn } from './verdict.ts';

/*
 * `npm run mutants -- --shard 3/64 --seed 1 --resume`: judges the mutants of a shard, and appends each verdict to a file.
 */

/** What mutants are judged on. */
const BOUND: Omit<CorpusBound, 'seed'> = {
  sequences: 150,
  hits: 30,
  ofDesigns: 6,
  images: 1000,
  everyScenario: 5,
};

const { values } = parseArgs({
  options: {
    shard: { type: 'string', default: '1/64' },
    seed: { type: 'string', default: '1' },
    area: { type: 'string', default: '' },
    name: { type: 'string', default: '' },
    out: { type: 'string', default: join(tmpdir(), 'attachcheck-mutants.jsonl') },
    resume: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

await main();

async function main(): Promise<void> {
  const seed = numberIn(values.seed);
  const results = new ResultFile(values.out, values.resume);
  const known = new Set(results.all.map(({ name }) => name));
  const ofSource = sourceMutants();
  const asked = chosen(allMutants(ofSource), seed).filter(({ name }) => !known.has(name));
  const judges = await Judges.start(ofSource);
  try {
    if (asked.length > 0) await judge(asked, await judges.corpus({ seed, ...BOUND }), judges, results);
  } finally {
    await judges.close();
  }
  print(results.all);
}

/** Those of the shard, or of a area or a name only. */
function chosen(mutants: readonly ListedMutant[], seed: number): ListedMutant[] {
  const [n, of] = values.shard.split('/').map(numberIn);
  if (n === undefined || of === undefined || n < 1 || n > of)
    throw new Error(`no shard: ${values.shard}; that is like 3/64`);
  const wanted = mutants.filter(
    ({ area, name }) => area.startsWith(values.area) && name.includes(values.name),
  );
  return shardOf(wanted, { n, of }, seed);
}

function numberIn(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${text} is no number`);
  return Number(text);
}

async function judge(
  asked: readonly ListedMutant[],
  corpus: Corpus,
  judges: Judges,
  results: ResultFile,
): Promise<void> {
  for (const [i, { name, area, operator, reach }] of asked.entries()) {
    const inputs = inTurn((corpus.reaching.get(reach) ?? []).flatMap((n) => corpus.drawn[n] ?? []));
    const verdict =
      typeof reach === 'number' ? await judges.source(reach, inputs) : await judges.part(name, inputs);
    results.add({ name, area, operator, verdict });
    process.stderr.write(`${i + 1} of ${asked.length}  ${verdict.is.padEnd(9)}  ${name}\n`);
  }
}

function print(results: readonly Result[]): void {
  const tallies = talliesOf(results, EXPLAINED);
  if (values.json) console.log(JSON.stringify({ seed: Number(values.seed), tallies, results }));
  else for (const line of grid(tableOf(tallies))) console.log(line);
}
