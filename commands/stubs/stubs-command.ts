import type { Command } from 'commander';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import { recording } from '../line/project.ts';
import type { StubsLine } from './stubs.ts';

export function declareStubs({ subcommand, finish }: CommandLine): void {
  subcommand(
    'stubs [types]',
    "check the stubs of raw tracepoints: those of the recorded kernels, or that of one prototype: 'ptr, ptr, u32'",
  )
    .option('--law <names>', 'check only these laws (comma-separated)')
    .option('--planted <name>', 'plant a bug and search for the smallest prototype that shows it')
    .action((types: string | undefined, _line: unknown, command: Command) =>
      finish(command, answer(types, command.optsWithGlobals())),
    );
}

async function answer(types: string | undefined, line: StubsLine): Promise<CommandWork> {
  const { stubsCommand } = await import('./stubs.ts');
  return stubsCommand(types, line, recording('stubs.jsonl.gz'));
}
