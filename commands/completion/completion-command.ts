import type { Command } from 'commander';
import { Argument } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import type { Shell } from './shells.ts';
import { SHELLS } from './shells.ts';

export function declareCompletion({ subcommand, finish }: CommandLine): void {
  subcommand(
    'completion',
    'print a completion script for bash, zsh or fish: source <(attachcheck completion bash)',
  )
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell, _line: unknown, command: Command) =>
      finish(command, answer(command.parent!, shell)),
    );
}

async function answer(cli: Command, shell: Shell): Promise<CommandWork> {
  const { completion } = await import('./completion.ts');
  return completion(cli, shell);
}
