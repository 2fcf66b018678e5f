import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { VERDICT_FORMATS, withFormats } from '../line/format.ts';

export function declareReplay({ subcommand, finish }: CommandLine): void {
  withFormats(subcommand('replay <file...>', 'replay saved counterexamples'), VERDICT_FORMATS).action(
    (files: string[], _options: unknown, command: Command) => finish(command, answer(files)),
  );
}

async function answer(files: readonly string[]): Promise<CommandWork> {
  const [{ readTrace }, { replayFiles }] = await Promise.all([
    import('../line/read-trace.ts'),
    import('./replay.ts'),
  ]);
  return replayFiles(files.map(readTrace));
}
