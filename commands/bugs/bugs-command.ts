import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';

export function declareBugs({ subcommand, finish }: CommandLine): void {
  subcommand(
    'bugs [name]',
    'list the bugs that kernels had, and how soon each is found when it is planted again; or measure one',
  ).action((name: string | undefined, _line: unknown, command: Command) => finish(command, answer(name)));
}

async function answer(name: string | undefined): Promise<CommandWork> {
  const { boardAnswer, bugJob } = await import('./bugs.ts');
  return name === undefined ? boardAnswer() : bugJob(name);
}
