import type { Command } from 'commander';

/** The seed of a command that has an option for it, written before or after its name; otherwise its own default. */
export function givenSeed(command: Command, own: { readonly seed: string }): string {
  if (command.getOptionValueSource('seed') === 'cli') return own.seed;
  const { seed = own.seed } = command.optsWithGlobals<{ seed?: string }>();
  return seed;
}
