import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';

export function declareExplain({ subcommand, finish }: CommandLine): void {
  subcommand('explain <file>', 'walk through a trace step by step, showing the stack')
    .option('--step <n>', 'only this step; in an interleaving, this run')
    .action((path: string, { step }: { step?: string }, command: Command) =>
      finish(command, answer(path, step)),
    );
}

async function answer(path: string, step: string | undefined): Promise<CommandWork> {
  const [{ readTrace }, { explainFile }] = await Promise.all([
    import('../line/read-trace.ts'),
    import('./explain-job.ts'),
  ]);
  return explainFile(readTrace(path), step);
}
