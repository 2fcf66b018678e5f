import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import type { ExportOptions } from '../timeline/exports.ts';
import { exportedOf, withExports } from '../timeline/exports.ts';

interface ExplainLine extends ExportOptions {
  readonly step?: string;
}

export function declareExplain({ subcommand, finish }: CommandLine): void {
  const explain = subcommand('explain <file>', 'walk through a trace step by step, showing the stack');
  withExports(explain.option('--step <n>', 'only this step; in an interleaving, this run')).action(
    (path: string, { step, ...exports }: ExplainLine, command: Command) =>
      finish(
        command,
        exportedOf(() => answer(path, step), exports, [path]),
      ),
  );
}

async function answer(path: string, step: string | undefined): Promise<CommandWork> {
  const [{ readTrace }, { explainFile }] = await Promise.all([
    import('../line/read-trace.ts'),
    import('./explain-job.ts'),
  ]);
  return explainFile(readTrace(path), step);
}
