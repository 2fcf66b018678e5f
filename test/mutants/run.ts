import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { readText } from '../../conformance/files.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { InputError } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { item } from '../../model/core/present.ts';
import { askedMutants, mutantsDigest, shardsIn } from './asked.ts';
import { BOUND, MORE } from './bound.ts';
import { furtherInputsFor, inputsFor } from './chosen.ts';
import type { Corpus, JudgedInput } from './corpus.ts';
import { Judges } from './judge.ts';
import { mergedResults, missingLines } from './merged.ts';
import type { ListedMutant } from './mutant.ts';
import { allMutants } from './mutant.ts';
import type { Result } from './results.ts';
import { ResultFile } from './results.ts';
import { sourceMutants } from './source-mutants.ts';
import type { MeasuredMutants } from './table.ts';
import { fileText, measuredOf, printedLines } from './table.ts';
import { inAll } from './verdict.ts';

/*
 * `npm run mutants -- --shard 3/64 --seed 1 --resume`: judges the mutants of a shard (`3/64,4/64`: of two), and appends
 * each verdict to a file; with `--again` those that survived are judged again. `--merge FILE...` prints what one run would
 * have printed from the files of its shards.
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
  readonly merge?: readonly string[];
}

/** Those that `--merge` has from the files, or that are of judging alone. */
const OF_JUDGING = ['seed', 'area', 'name', 'out', 'resume', 'again'] as const;

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
  .option('--merge <files...>', 'judge nothing: put the files of shards together; without --shard, of all')
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

async function main(options: Options, command: Command): Promise<void> {
  if (options.merge !== undefined) merge(options.merge, options, command);
  else await judgeShards(options);
}

async function judgeShards(options: Options): Promise<void> {
  const { shard, area, name: part } = options;
  const seed = wholeNumber(options.seed, '--seed', 2 ** 32 - 1);
  const { of } = item(shardsIn(shard), 0);
  const results = new ResultFile(options.out, options.resume === true, options.again === true);
  const known = new Set(results.all.map(({ name }) => name));
  const ofSource = sourceMutants();
  const all = allMutants(ofSource);
  const asked = askedMutants(all, { seed, shard, area, name: part }).filter(({ name }) => !known.has(name));
  const from = { seed, of, areas: area, named: part, code: mutantsDigest() };
  const judges = await Judges.start(ofSource);
  try {
    if (asked.length > 0) {
      const corpus = await judges.corpus({ seed, ...BOUND });
      process.stderr.write(`${corpus.drawn.length} inputs; left out ${JSON.stringify(corpus.leftOut)}\n`);
      await judge(asked, corpus, judges, (result) => results.add(result, from));
    }
  } finally {
    await judges.close();
  }
  print(measuredOf(results.all, { seed, shards: shard.split(','), mutants: all.length }), options);
}

function merge(paths: readonly string[], options: Options, command: Command): void {
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
  const excluded = OF_JUDGING.find(isGiven);
  if (excluded !== undefined) throw new InputError(`--merge excludes --${excluded}`);
  const merged = mergedResults(
    paths.map((path) => ({ path, text: readText(path) })),
    {
      shard: isGiven('shard') ? options.shard : '1/1',
      all: allMutants(sourceMutants()),
      code: mutantsDigest(),
    },
  );
  if (merged.is === 'whole') print(merged.measured, options);
  else {
    for (const line of missingLines(merged, options.json === true)) console.log(line);
    process.exitCode = EXIT.INCONCLUSIVE;
  }
}

async function judge(
  asked: readonly ListedMutant[],
  corpus: Corpus,
  judges: Judges,
  keep: (result: Result) => void,
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
    keep({ name, area, operator, verdict });
    process.stderr.write(`${i + 1} of ${asked.length}  ${verdict.is.padEnd(9)}  ${name}\n`);
  }
}

function print(measured: MeasuredMutants, { write, json }: Options): void {
  if (write === true) writeFileSync(MEASURED, fileText(measured));
  for (const line of printedLines(measured, json === true)) console.log(line);
}
