import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { ROW_FORMATS, VERDICT_FORMATS, withFormats } from '../line/format.ts';
import { HTML } from '../line/option-texts.ts';
import { recording } from '../line/project.ts';
import type { MatrixLine } from './matrix-job.ts';

/** Recorded sequences of attaching and detaching. */
const RECORDED = ['sequences.jsonl.gz', 'asked-sequences.jsonl.gz', 'pairs.jsonl.gz'];

export function declareMatrix({ subcommand, finish }: CommandLine): void {
  withFormats(
    subcommand(
      'matrix [mechanism...]',
      'show which mechanisms can share a function, and in which order: all pairs, or one',
    ),
    [...new Set([...ROW_FORMATS, ...VERDICT_FORMATS])],
  )
    .option('--kernel <profile>', "only in this kernel: '6.12', or '6.12, multiLinks = global'")
    .option('--planted <name>', 'plant a bug')
    .option('--html <file>', HTML)
    .action((of: string[], _line: unknown, command: Command) =>
      finish(command, answer(of, command.optsWithGlobals())),
    );
}

async function answer(mechanisms: readonly string[], line: MatrixLine): Promise<CommandWork> {
  const { matrixJob, matrixQuestion } = await import('./matrix-job.ts');
  return matrixJob(matrixQuestion(mechanisms, line, RECORDED.map(recording)));
}
