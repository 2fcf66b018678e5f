import { CommanderError } from 'commander';
import type { Exit } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { InputError } from '../../model/core/input-error.ts';
import { messageOf } from '../../model/core/message-of.ts';
import { UnsupportedInstruction } from '../../model/x86/unsupported.ts';
import { failedSuites } from '../formats/complete.ts';
import { checksDocument } from '../formats/document.ts';
import { checkFormatIn } from './format.ts';
import type { Terminal } from './terminal.ts';
import { asTyped } from './typed.ts';
import { visible } from './visible.ts';

/** Prints the error, in one sentence, and returns the exit code of the process. */
export function failed(error: unknown, argv: readonly string[], { out, err, name }: Terminal): Exit {
  const isUsage = error instanceof InputError || error instanceof CommanderError;
  const exit = isUsage ? EXIT.USAGE : EXIT.FAILED;
  const message = visible(
    asTyped(error instanceof CommanderError ? usageText(error) : messageOf(error), name),
  );
  const known = isUsage || error instanceof UnsupportedInstruction;
  const stack = !known && error instanceof Error ? `\n${error.stack}` : '';
  const format = checkFormatIn(argv);
  if (asksForJson(argv)) out(`${JSON.stringify({ exit, error: message }, undefined, 2)}\n`);
  else if (format !== undefined)
    out(checksDocument(format, { suites: failedSuites(message), exit, signal: undefined, argv }));
  err(`attachcheck: ${known ? '' : 'the checker failed: '}${message}${stack}\n`);
  return exit;
}

/** An error of commander, as one sentence with the word that was probably meant. */
function usageText({ message }: CommanderError): string {
  return message.replace(/^error: /, '').replace(/\n\(Did you mean (.*)\?\)$/, '; did you mean $1?');
}

/** Also for a command line that cannot be parsed to its end. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, i) =>
      word === '--json' || word === '--format=json' || (word === 'json' && argv[i - 1] === '--format'),
  );
}
