import type { Argument, Command, Option } from 'commander';
import type { CompletedNames } from './completed-names.ts';

/**
 * A kind of value: names, of which some may be listed with commas between them, names of files, or anything.
 */
export interface CompletedValues {
  readonly names: readonly string[];
  readonly files: boolean;
}

export interface CompletedOption {
  /** `--law`, `-V`. */
  readonly flags: readonly string[];
  readonly sentence: string;
  /** A value has to follow, may follow, or does not. */
  readonly takes: 'one' | 'perhaps' | 'none';
  readonly values: CompletedValues;
}

/** A command, as far as a shell completes it; the default run has the name of the program. */
export interface CompletedCommand {
  readonly name: string;
  readonly sentence: string;
  readonly options: readonly CompletedOption[];
  readonly values: CompletedValues;
}

/** Everything that can follow the name of the program, read from the declared command line; and the names of values. */
export function completedCommands(cli: Command, names: CompletedNames): CompletedCommand[] {
  return [cli, ...cli.commands].map((command) => {
    const takesCommand = command === cli || command.name() === 'help';
    const own = takesCommand ? cli.commands.map((sub) => sub.name()) : [];
    const values = command.registeredArguments.map((argument) => argumentValues(command, argument, names));
    return {
      name: command.name(),
      sentence: command.description(),
      options: command
        .createHelp()
        .visibleOptions(command)
        .map((option) => completedOption(command, option, names)),
      values: {
        names: [...own, ...values.flatMap(({ names }) => names)],
        files: values.some(({ files }) => files),
      },
    };
  });
}

function completedOption(command: Command, option: Option, { options }: CompletedNames): CompletedOption {
  const { long, short, required, optional, description, argChoices } = option;
  return {
    flags: [long, short].filter((flag) => flag !== undefined),
    sentence: description,
    takes: required ? 'one' : optional ? 'perhaps' : 'none',
    values: {
      names: argChoices ?? options[`${command.name()} ${option.name()}`] ?? options[option.name()] ?? [],
      files: isOfFiles(/[<[](.*)[>\]]/.exec(option.flags)?.[1] ?? ''),
    },
  };
}

function argumentValues(command: Command, argument: Argument, listed: CompletedNames): CompletedValues {
  const names = argument.argChoices ?? listed.arguments[command.name()] ?? [];
  return { names, files: isOfFiles(argument.name()) };
}

/** A placeholder names the kind of value: `file`, `errno|file`, a `module`, a `list` of names, a `folder`. */
function isOfFiles(placeholder: string): boolean {
  return placeholder.split('|').some((word) => ['file', 'module', 'list', 'folder'].includes(word));
}
