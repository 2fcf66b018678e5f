import type { OutputOptions } from '../line/printer.ts';

/** Options that say how a command is shared, each with its value. */
const OF_SHARD = ['--shard', '--shard-file'];

/** Options of the output, which `merge` has itself. */
const OF_OUTPUT = ['--json', '--verbose'];

/** The words of a command that every shard of it has in common. */
export function wordsOfCommand(argv: readonly string[]): string[] {
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    const [name = ''] = word.split('=');
    if (OF_SHARD.includes(name)) {
      if (name === word) i++;
    } else if (!OF_OUTPUT.includes(word)) words.push(word);
  }
  return words;
}

/** Those of one run with the output that `merge` prints, which comes last. */
export function withOutput(
  words: readonly string[],
  { verbose, json, format }: OutputOptions,
): readonly string[] {
  return [
    ...words,
    ...(json === true ? ['--json'] : []),
    ...(verbose === true ? ['--verbose'] : []),
    ...(format === undefined ? [] : ['--format', format]),
  ];
}
