/** Options that say how a command is shared. */
const OF_SHARD = ['--shard', '--shard-file'];

/** The words of a command that every shard of it has in common. */
export function wordsOfCommand(argv: readonly string[]): string[] {
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    const [name = ''] = word.split('=');
    if (!OF_SHARD.includes(name)) words.push(word);
    else if (name === word) i++;
  }
  return words;
}
