import type { Command } from 'commander';
import { InputError } from '../../model/core/input-error.ts';
import { meantOr } from '../../model/core/nearest.ts';
import { exampleText } from './examples.ts';

/** The command `help`, with examples below the options of each command; `program` is how the user starts it. */
export function addHelp(cli: Command, program: string): void {
  cli
    .command('help [command]')
    .description('show what a command does, its options, and examples')
    .action((name: string | undefined) => (name === undefined ? cli : commandNamed(name, cli)).help());
  for (const command of [cli, ...cli.commands])
    command.addHelpText('after', exampleText(command.name(), program));
}

function commandNamed(name: string, cli: Command): Command {
  const found = cli.commands.find((command) => command.name() === name);
  if (found === undefined) throw unknownCommand(name, cli);
  return found;
}

/** A word that is not a command, with the command that was probably meant. */
export function unknownCommand(word: string, { commands }: Command): InputError {
  const names = commands.map((sub) => sub.name());
  return new InputError(`${word} is neither a command nor a file; ${meantOr(word, names)}`);
}
