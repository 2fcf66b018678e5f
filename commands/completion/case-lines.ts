import { shellWord } from '../../counterexamples/text.ts';
import type { CompletedCommand, CompletedOption, CompletedValues } from './completed.ts';

/* The parts common to bash and zsh: the value of the option before the word, the options, the arguments. */

/** How a shell spells what is offered. */
export interface ShellDialect {
  readonly names: (names: readonly string[]) => string;
  readonly files: string;
  readonly options: (options: readonly CompletedOption[]) => string;
}

/** Cases of `"$command $option"`: one offers the values of an option, and returns. */
function valueCases(commands: readonly CompletedCommand[], dialect: ShellDialect): string[] {
  return commands.flatMap(({ name, options }) =>
    options.flatMap(({ flags, takes, values }) => {
      if (takes === 'none') return [];
      const pattern = flags.map((flag) => `'${name} ${flag}'`).join(' | ');
      const said = [...offers(values, dialect), 'return'].join('; ');
      return [`    ${pattern}) ${takes === 'one' ? said : `[[ $cur == -* ]] || { ${said}; }`} ;;`];
    }),
  );
}

/** Cases of `$command`: its options. */
function optionCases(commands: readonly CompletedCommand[], dialect: ShellDialect): string[] {
  return commands.map(({ name, options }) => `      ${name}) ${dialect.options(options)} ;;`);
}

/** Cases of `$command`: its arguments. */
function argumentCases(commands: readonly CompletedCommand[], dialect: ShellDialect): string[] {
  return commands.flatMap(({ name, values }) => {
    const said = offers(values, dialect);
    return said.length === 0 ? [] : [`    ${name}) ${said.join('; ')} ;;`];
  });
}

function offers({ names, files }: CompletedValues, dialect: ShellDialect): string[] {
  return [...(names.length === 0 ? [] : [dialect.names(names)]), ...(files ? [dialect.files] : [])];
}

export function quoted(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** The script of bash and zsh once the command, the option before the word, and the word are known. */
export function offered(commands: readonly CompletedCommand[], shell: ShellDialect): string {
  return `  case "$command $option" in
${valueCases(commands, shell).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case $command in
${optionCases(commands, shell).join('\n')}
    esac
    return
  fi
  case $command in
${argumentCases(commands, shell).join('\n')}
  esac
`;
}
