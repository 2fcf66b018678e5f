import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { VERDICT_FORMATS, withFormats } from '../line/format.ts';
import type { ExportOptions } from '../timeline/exports.ts';
import { exportedOf, withExports } from '../timeline/exports.ts';

export function declareReplay({ subcommand, finish }: CommandLine): void {
  const replay = subcommand('replay <file...>', 'replay saved counterexamples');
  withFormats(withExports(replay), VERDICT_FORMATS).action(
    (files: string[], exports: ExportOptions, command: Command) =>
      finish(
        command,
        exportedOf(() => answer(files), exports, files),
      ),
  );
}

async function answer(files: readonly string[]): Promise<CommandWork> {
  const [{ readTrace }, { replayFiles }] = await Promise.all([
    import('../line/read-trace.ts'),
    import('./replay.ts'),
  ]);
  return replayFiles(files.map(readTrace));
}
