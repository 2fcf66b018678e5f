import type { Argument, Command, Option } from 'commander';
import { namesOfArgument, namesOfOption } from './completed-names.ts';

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

/** Everything that can follow the name of the program, read from the declared command line. */
export function completedCommands(cli: Command): CompletedCommand[] {
  return [cli, ...cli.commands].map((command) => {
    const own = command === cli ? cli.commands.map((sub) => sub.name()) : [];
    const values = command.registeredArguments.map((argument) => argumentValues(cli, command, argument));
    return {
      name: command.name(),
      sentence: command.description(),
      options: command
        .createHelp()
        .visibleOptions(command)
        .map((option) => completedOption(command, option)),
      values: {
        names: [...own, ...values.flatMap(({ names }) => names)],
        files: values.some(({ files }) => files),
      },
    };
  });
}

function completedOption(command: Command, option: Option): CompletedOption {
  const { long, short, required, optional, description, argChoices } = option;
  return {
    flags: [long, short].filter((flag) => flag !== undefined),
    sentence: description,
    takes: required ? 'one' : optional ? 'perhaps' : 'none',
    values: {
      names: argChoices ?? namesOfOption(command.name(), option.name()),
      files: isOfFiles(/[<[](.*)[>\]]/.exec(option.flags)?.[1] ?? ''),
    },
  };
}

function argumentValues(cli: Command, command: Command, argument: Argument): CompletedValues {
  const names = namesOfArgument(command.name(), cli);
  return { names: argument.argChoices ?? names, files: isOfFiles(argument.name()) };
}

/** A placeholder names the kind of value: `file`, `errno|file`, a `module`, a `list` of names, a `folder`. */
function isOfFiles(placeholder: string): boolean {
  return placeholder.split('|').some((word) => ['file', 'module', 'list', 'folder'].includes(word));
}
