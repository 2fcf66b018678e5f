import type { CompletedCommand, CompletedOption, CompletedValues } from './completed.ts';

/** For fish, which takes each option in its own line. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const [program, ...subs] = commands;
  const lines = [
    '# Completes attachcheck in fish; in ~/.config/fish/config.fish: attachcheck completion fish | source',
    'complete -c attachcheck -f',
    ...(program === undefined ? [] : commandLines(program, '__fish_use_subcommand')),
    ...subs.flatMap((sub) => [
      `complete -c attachcheck -n __fish_use_subcommand -a ${sub.name} -d ${quoted(sub.sentence)}`,
      ...commandLines(sub, `__fish_seen_subcommand_from ${sub.name}`),
    ]),
  ];
  return lines.join('\n');
}

function commandLines({ options, values, name }: CompletedCommand, when: string): string[] {
  const front = `complete -c attachcheck -n ${quoted(when)}`;
  const isProgram = name === 'attachcheck';
  return [
    ...(values.files ? [`${front} -F`] : []),
    ...(values.names.length > 0 && !isProgram ? [`${front} -a ${listed(values.names)}`] : []),
    ...options.map((option) => `${front} ${optionWords(option)}`),
  ];
}

function optionWords({ flags, takes, sentence, values }: CompletedOption): string {
  const spelled = flags.map((flag) =>
    flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
  );
  return [...spelled, ...(takes === 'one' ? valueWords(values) : []), `-d ${quoted(sentence)}`].join(' ');
}

function valueWords({ names, files }: CompletedValues): string[] {
  if (files) return ['-r', '-F'];
  return names.length === 0 ? ['-x'] : ['-x', `-a ${listed(names)}`];
}

/** Names with commas between them are completed one by one. */
function listed(names: readonly string[]): string {
  return quoted(`(__fish_complete_list , "printf '%s\\n' ${names.map((name) => quoted(name)).join(' ')}")`);
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
