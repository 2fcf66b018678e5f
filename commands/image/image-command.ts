import type { Command } from 'commander';
import { readBytes, readText } from '../../conformance/files.ts';
import { shellWord } from '../../counterexamples/text.ts';
import { combination } from '../abi/abi-options.ts';
import type { CommandLine } from '../line/command-line.ts';
import type { CaseOptions } from '../line/options.ts';
import { caseOf } from '../line/options.ts';
import { imageBytes, judgeBrought } from './brought.ts';
import { parseSymbols } from './symbols.ts';

/** The options of `image`, as the command line gives them. */
interface ImageLine extends CaseOptions {
  readonly symbols: string;
}

export function declareImage({ subcommand, finish, argv }: CommandLine): void {
  combination(
    subcommand('image <file>', 'judge an image from your own kernel: raw bytes or hexadecimal text'),
  )
    .requiredOption('--symbols <json>', 'file that names the addresses around the image (docs/images.md)')
    .action((file: string, options: ImageLine, command: Command) =>
      finish(
        command,
        judgeBrought({
          bytes: imageBytes(readBytes(file), file),
          symbols: parseSymbols(readText(options.symbols), options.symbols),
          symbolsFile: options.symbols,
          case: caseOf(options),
          command: `npm run check -- ${argv.map(shellWord).join(' ')}`,
        }),
      ),
    );
}
