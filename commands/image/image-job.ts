import { readBytes, readText } from '../../conformance/files.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { shellWord } from '../../counterexamples/text.ts';
import type { CaseOptions } from '../line/options.ts';
import { caseOf } from '../line/options.ts';
import { imageBytes, judgeBrought } from './brought.ts';
import { parseSymbols } from './symbols.ts';

/** The options of `image`, as the command line gives them. */
export interface ImageLine extends CaseOptions {
  readonly symbols: string;
}

/** The command `image`; its report repeats the words of the command line. */
export function imageAnswer(file: string, options: ImageLine, argv: readonly string[]): Answer {
  return judgeBrought({
    bytes: imageBytes(readBytes(file), file),
    symbols: parseSymbols(readText(options.symbols), options.symbols),
    symbolsFile: options.symbols,
    case: caseOf(options),
    command: `npm run check -- ${argv.map(shellWord).join(' ')}`,
  });
}
