#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { EXIT, worstExit } from '../../counterexamples/answer.ts';
import { ARCHES } from '../../model/abi/arch.ts';
import { InputError } from '../../model/core/input-error.ts';
import { wholeNumber } from '../../model/core/input-value.ts';
import { compareArch } from './report.ts';

interface Options {
  readonly arguments: string;
  readonly functions: string;
  readonly seed: string;
}

/** At most this many arguments in the longest function of every kind: beyond that a source file gets too long. */
const ARGUMENTS_MOST = 8;

const cli = new Command('abi:compiler')
  .description('Compares where arguments lie with the C compilers that are installed here.')
  .option('--arguments <n>', 'every function of up to this many 32-bit or 64-bit integers', '6')
  .option('--functions <n>', 'functions to draw beside that, of up to 12 arguments of all types', '500')
  .option('--seed <n>', 'seed of the drawing', '1')
  .showSuggestionAfterError(false)
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'abi:compiler: ')) })
  .exitOverride()
  .action((options: Options) => {
    const bound = {
      argumentsMost: wholeNumber(options.arguments, '--arguments', ARGUMENTS_MOST),
      drawn: wholeNumber(options.functions, '--functions', 1e5),
      seed: wholeNumber(options.seed, '--seed', 2 ** 32 - 1),
    };
    const exits = ARCHES.map((arch) => {
      const { text, exit } = compareArch(arch, bound);
      process.stdout.write(`${text}\n`);
      return exit;
    });
    process.stdout.write(`  seed ${bound.seed}\n`);
    process.exitCode = worstExit(exits);
  });

try {
  cli.parse();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.HELD : EXIT.USAGE;
  else {
    process.exitCode = error instanceof InputError ? EXIT.USAGE : EXIT.FAILED;
    const shown = error instanceof InputError ? error.message : ((error as Error).stack ?? String(error));
    process.stderr.write(`abi:compiler: ${shown}\n`);
  }
}
