import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';

export function declareHistory({ subcommand, finish }: CommandLine): void {
  subcommand(
    'history [name]',
    'between which kernels a behaviour or a listed breach came and went; without a name: all behaviours',
  ).action((name: string | undefined, _line: unknown, command: Command) => finish(command, answer(name)));
}

async function answer(name: string | undefined): Promise<CommandWork> {
  const { historyOf } = await import('./history.ts');
  return historyOf(name);
}
