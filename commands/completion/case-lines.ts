import { shellWord } from '../../counterexamples/text.ts';
import type { CompletedCommand, CompletedOption, CompletedValues } from './completed.ts';

/*
 * What bash and zsh ask alike: the value of the option in front, the options, what stands alone.
 */

/** How a shell spells what is offered. */
export interface ShellDialect {
  readonly names: (names: readonly string[]) => string;
  readonly files: string;
  readonly options: (options: readonly CompletedOption[]) => string;
}

/** Cases of `"$command $option"`: one offers the values of an option, and returns. */
export function valueCases(commands: readonly CompletedCommand[], dialect: ShellDialect): string[] {
  return commands.flatMap(({ name, options }) =>
    options.flatMap(({ flags, takes, values }) => {
      if (takes === 'none') return [];
      const pattern = flags.map((flag) => `'${name} ${flag}'`).join(' | ');
      const offered = [...offers(values, dialect), 'return'].join('; ');
      return [`    ${pattern}) ${takes === 'one' ? offered : `[[ $cur == -* ]] || { ${offered}; }`} ;;`];
    }),
  );
}

/** Cases of `$command`: its options. */
export function optionCases(commands: readonly CompletedCommand[], dialect: ShellDialect): string[] {
  return commands.map(({ name, options }) => `      ${name}) ${dialect.options(options)} ;;`);
}

/** Cases of `$command`: what stands without an option in front. */
export function argumentCases(commands: readonly CompletedCommand[], dialect: ShellDialect): string[] {
  return commands.flatMap(({ name, values }) => {
    const offered = offers(values, dialect);
    return offered.length === 0 ? [] : [`    ${name}) ${offered.join('; ')} ;;`];
  });
}

function offers({ names, files }: CompletedValues, dialect: ShellDialect): string[] {
  return [...(names.length === 0 ? [] : [dialect.names(names)]), ...(files ? [dialect.files] : [])];
}

export function quoted(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
