import type { Command } from 'commander';
import { combination } from '../abi/abi-options.ts';
import type { CommandLine, CommandWork } from '../line/command-line.ts';
import type { ImageLine } from './image-job.ts';

export function declareImage({ subcommand, finish, argv }: CommandLine): void {
  combination(
    subcommand('image <file>', 'judge an image from your own kernel: raw bytes or hexadecimal text'),
  )
    .requiredOption('--symbols <json>', 'file that names the addresses around the image (docs/images.md)')
    .action((file: string, options: ImageLine, command: Command) =>
      finish(command, answer(file, options, argv)),
    );
}

async function answer(file: string, options: ImageLine, argv: readonly string[]): Promise<CommandWork> {
  const { imageAnswer } = await import('./image-job.ts');
  return imageAnswer(file, options, argv);
}
