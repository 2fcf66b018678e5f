#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { EXIT } from '../../counterexamples/answer.ts';
import { InputError } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { messageOf } from '../../model/core/message-of.ts';
import type { HardwareCpu } from './cpu.ts';
import { NoCpu, openCpu } from './cpu.ts';
import { describeSearch } from './report.ts';
import type { SearchedPrograms } from './search.ts';
import { searchDifference, searchOne } from './search.ts';

interface Options {
  readonly sequences: string;
  readonly seed: string;
  readonly index?: string;
}

const cli = new Command('differential')
  .description("Compares the emulator with this machine's CPU on random sequences of instructions.")
  .option('--sequences <n>', 'sequences to draw', '100000')
  .option('--seed <n>', 'seed of the drawing', '1')
  .option('--index <n>', 'compare only the sequence of this number')
  .showSuggestionAfterError(false)
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'differential: ')) })
  .exitOverride()
  .action((options: Options) => {
    const seed = wholeNumber(options.seed, '--seed', 2 ** 32 - 1);
    const sequences = wholeNumber(options.sequences, '--sequences', 1e9);
    const index = options.index === undefined ? undefined : wholeNumber(options.index, '--index', 1e9);
    withCpu((cpu) => {
      const search = { seed, sequences, cpu };
      if (index === undefined) return finish(drive(searchDifference(search)), true);
      return finish(searchOne(search, index), false);
    });
  });

function withCpu(work: (cpu: HardwareCpu) => void): void {
  const cpu = openCpu();
  try {
    work(cpu);
  } finally {
    cpu.close();
  }
}

/** Batches between two lines of progress. */
const PROGRESS = 10;

/** Runs a search to its end, with progress on stderr. */
function drive(search: Generator<SearchedPrograms, SearchedPrograms>): SearchedPrograms {
  for (let batch = 1; ; batch++) {
    const step = search.next();
    if (step.done === true) return step.value;
    if (batch % PROGRESS === 0) process.stderr.write(`${step.value.sequences} sequences\n`);
  }
}

/** Prints the report. Encodings that were never executed make a search inconclusive, but not a single sequence. */
function finish(searched: SearchedPrograms, needsCoverage: boolean): void {
  process.stdout.write(`${describeSearch(searched)}\n`);
  if (searched.found !== undefined) process.exitCode = EXIT.BROKEN;
  else if (needsCoverage && searched.coverage.missing().length > 0) process.exitCode = EXIT.INCONCLUSIVE;
}

function fail(error: unknown): void {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.HELD : EXIT.USAGE;
    return;
  }
  const message = messageOf(error);
  if (error instanceof InputError) {
    process.stderr.write(`differential: ${message}\n`);
    process.exitCode = EXIT.USAGE;
  } else if (error instanceof NoCpu) {
    process.stderr.write(`differential: no C compiler on x86-64: ${message}\n`);
    process.exitCode = EXIT.INCONCLUSIVE;
  } else {
    process.stderr.write(`differential: the comparison failed: ${message}\n`);
    process.exitCode = EXIT.FAILED;
  }
}

await cli.parseAsync().catch(fail);
