import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import type { WhyOptions } from './why.ts';

export function declareWhy({ subcommand, finish }: CommandLine): void {
  const why = subcommand(
    'why <errno|file> [file]',
    'explain an errno: list all return sites that answer it, or find the one in a sequence',
  )
    .option('--here', 'the word is a function of this machine: what holds its call site, and what is refused')
    .option('--root <folder>', 'with --here: files of another machine, copied below this folder')
    .option(
      '--kernel <version>',
      'without a file: only return sites of this kernel, or judge the machine as it',
    )
    .option('--step <n>', 'with a file: this step, or FILE:N (default: the first with this errno)')
    .option('--undo <calls>', 'with a file or --here: maximum number of calls to undo (default: 3)')
    .action((word: string, path: string | undefined, options: WhyOptions, command: Command) =>
      finish(command, answer(word, path, options)),
    );
  takesNegative(why);
}

/** An errno may be written as kernels print it, `-EBUSY`, which would be options; commander accepts only numbers. */
function takesNegative(command: Command): void {
  const parse = command.parseOptions.bind(command);
  command.parseOptions = (words) => parse(words.map((word) => word.replace(/^-(?=E[A-Z0-9]+$)/, '')));
}

async function answer(word: string, path: string | undefined, options: WhyOptions): Promise<CommandWork> {
  const { whyAnswer } = await import('./why.ts');
  return whyAnswer(word, path, options);
}
