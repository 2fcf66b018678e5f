import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { grid } from '../../commands/compare/grid.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { InputError } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
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

interface Options {
  readonly shard: string;
  readonly seed: string;
  readonly area: string;
  readonly name: string;
  readonly out: string;
  readonly write?: true;
  readonly resume?: true;
  readonly again?: true;
  readonly json?: true;
}

/** The figures of the page. */
const MEASURED = join(import.meta.dirname, 'measured.json');

const cli = new Command('mutants')
  .description('Judges mutants of the model by the laws and the searches.')
  .option('--shard <i/n>', 'the mutants of a shard, or of several: 3/64,4/64', '1/64')
  .option('--seed <n>', 'seed of the drawing', '1')
  .option('--area <names>', 'only mutants of these areas: model/text,parts of routines', '')
  .option('--name <text>', 'only mutants whose name contains this', '')
  .option('--out <file>', 'append each verdict to this file', join(tmpdir(), 'attachcheck-mutants.jsonl'))
  .option('--resume', 'continue after the last verdict of that file')
  .option('--again', 'judge those that survived there again')
  .option('--write', 'put the figures into the page')
  .option('--json', 'print one JSON object instead of a table')
  .showSuggestionAfterError(false)
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'mutants: ')) })
  .exitOverride()
  .action(main);

await run();

/** Bad input is one sentence, and exit 2. */
async function run(): Promise<void> {
  try {
    await cli.parseAsync();
  } catch (error) {
    if (!(error instanceof InputError || error instanceof CommanderError)) throw error;
    if (error instanceof InputError) process.stderr.write(`mutants: ${error.message}\n`);
    process.exitCode = error instanceof CommanderError && error.exitCode === 0 ? EXIT.HELD : EXIT.USAGE;
  }
}

async function main(options: Options): Promise<void> {
  const seed = wholeNumber(options.seed, '--seed', 2 ** 32 - 1);
  const results = new ResultFile(options.out, options.resume === true, options.again === true);
  const known = new Set(results.all.map(({ name }) => name));
  const ofSource = sourceMutants();
  const all = allMutants(ofSource);
  const asked = chosen(all, seed, options).filter(({ name }) => !known.has(name));
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
  const whole = { seed, shards: options.shard.split(','), mutants: all.length };
  print(measuredOf(results.all, whole), options);
}

/** Those of the shards, or of a directory or a name only. */
function chosen(
  mutants: readonly ListedMutant[],
  seed: number,
  { area: areas, name: part, shard: shards }: Options,
): ListedMutant[] {
  const wanted = mutants.filter(
    ({ area, name }) => areas.split(',').some((wanted) => area.startsWith(wanted)) && name.includes(part),
  );
  return shards.split(',').flatMap((shard) => {
    const [n, of] = /^(\d+)\/(\d+)$/.exec(shard)?.slice(1).map(Number) ?? [];
    if (n === undefined || of === undefined || n < 1 || n > of)
      throw new InputError(`--shard is like 3/64, not ${shard}`);
    return shardOf(wanted, { n, of }, seed);
  });
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

function print(measured: MeasuredMutants, { write, json }: Options): void {
  const tallies = talliesOf(measured, EXPLAINED);
  if (write === true) writeFileSync(MEASURED, `${JSON.stringify(measured, null, 2)}\n`);
  if (json === true) console.log(JSON.stringify({ ...measured, tallies }));
  else for (const line of grid(tableOf(tallies))) console.log(line);
}
