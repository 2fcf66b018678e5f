import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { grid } from '../../commands/compare/grid.ts';
import { BOUND, MORE } from './bound.ts';
import { furtherInputsFor, inputsFor } from './chosen.ts';
import type { Corpus, JudgedInput } from './corpus.ts';
import { EXPLAINED } from './explained.ts';
import { Judges } from './judge.ts';
import type { ListedMutant } from './mutant.ts';
import { allMutants, shardOf } from './mutant.ts';
import { ResultFile } from './results.ts';
import { sourceMutants } from './source-mutants.ts';
import type { MeasuredMutants } from './table.ts';
import { measuredOf, tableOf, talliesOf } from './table.ts';
import { inAll } from './verdict.ts';

/*
 * `npm run mutants -- --shard 3/64 --seed 1 --resume`: judges the mutants of a shard (`3/64,4/64`: of two), and appends
 * each verdict to a file; with `--again` those that survived are judged again.
 */

const { values } = parseArgs({
  options: {
    shard: { type: 'string', default: '1/64' },
    seed: { type: 'string', default: '1' },
    area: { type: 'string', default: '' },
    name: { type: 'string', default: '' },
    out: { type: 'string', default: join(tmpdir(), 'attachcheck-mutants.jsonl') },
    write: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

/** The figures of the page. */
const MEASURED = join(import.meta.dirname, 'measured.json');

await main();

async function main(): Promise<void> {
  const seed = numberIn(values.seed);
  const results = new ResultFile(values.out, values.resume, values.again);
  const known = new Set(results.all.map(({ name }) => name));
  const ofSource = sourceMutants();
  const all = allMutants(ofSource);
  const asked = chosen(all, seed).filter(({ name }) => !known.has(name));
  const judges = await Judges.start(ofSource);
  try {
    if (asked.length > 0) {
      const corpus = await judges.corpus({ seed, ...BOUND });
      process.stderr.write(`${corpus.drawn.length} inputs; left out ${JSON.stringify(corpus.leftOut)}\n`);
      await judge(asked, corpus, judges, results);
    }
  } finally {
    await judges.close();
  }
  const whole = { seed, shards: values.shard.split(','), mutants: all.length };
  print(measuredOf(results.all, whole));
}

/** Those of the shards, or of a directory or a name only. */
function chosen(mutants: readonly ListedMutant[], seed: number): ListedMutant[] {
  const wanted = mutants.filter(
    ({ area, name }) =>
      values.area.split(',').some((wanted) => area.startsWith(wanted)) && name.includes(values.name),
  );
  return values.shard.split(',').flatMap((shard) => {
    const [n, of] = shard.split('/').map(numberIn);
    if (n === undefined || of === undefined || n < 1 || n > of)
      throw new Error(`no shard: ${shard}; that is like 3/64`);
    return shardOf(wanted, { n, of }, seed);
  });
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
  const judgedOn = ({ reach, name }: ListedMutant, inputs: readonly JudgedInput[]) =>
    typeof reach === 'number' ? judges.source(reach, inputs) : judges.part(name, inputs);
  for (const [i, mutant] of asked.entries()) {
    const { name, area, operator } = mutant;
    const inputs = inputsFor(mutant, corpus);
    const first = await judgedOn(mutant, inputs);
    const further =
      first.is === 'killed' ? [] : furtherInputsFor(mutant, corpus, { tries: MORE, first: inputs });
    const verdict = further.length === 0 ? first : inAll(first, await judgedOn(mutant, further));
    results.add({ name, area, operator, verdict });
    process.stderr.write(`${i + 1} of ${asked.length}  ${verdict.is.padEnd(9)}  ${name}\n`);
  }
}

function print(measured: MeasuredMutants): void {
  const tallies = talliesOf(measured, EXPLAINED);
  if (values.write) writeFileSync(MEASURED, `${JSON.stringify(measured, null, 2)}\n`);
  if (values.json) console.log(JSON.stringify({ ...measured, tallies }));
  else for (const line of grid(tableOf(tallies))) console.log(line);
}
