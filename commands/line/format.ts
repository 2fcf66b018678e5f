import type { Command } from 'commander';
import { Option } from 'commander';
import { InputError } from '../../model/core/input-error.ts';
import { meantOr } from '../../model/core/nearest.ts';
import type { CheckFormat } from '../formats/check-format.ts';
import { CHECK_FORMATS, isCheckFormat } from '../formats/check-format.ts';

/** How an answer is printed. */
export type Format = 'text' | 'json' | 'csv' | CheckFormat;

/** Of a command whose answer has rows. */
export const ROW_FORMATS: readonly Format[] = ['text', 'json', 'csv'];
/** Of a command whose answer has checks. */
export const VERDICT_FORMATS: readonly Format[] = ['text', 'json', ...CHECK_FORMATS];

/** The option of a command that has more formats than text and JSON. */
export function withFormats(command: Command, formats: readonly Format[]): Command {
  const option = new Option('--format <format>', 'output format').choices(formats).conflicts('json');
  return command.addOption(option.argParser((written: string) => formatNamed(written, formats)));
}

function formatNamed(written: string, formats: readonly Format[]): Format {
  const found = formats.find((format) => format === written);
  if (found === undefined)
    throw new InputError(`there is no format ${written}; ${meantOr(written, formats)}`, written);
  return found;
}

/** A format that is given before the name of a command has to be one of that command. */
export function requireFormat(command: Command): void {
  const { format } = command.optsWithGlobals<{ readonly format?: Format }>();
  if (format === undefined || format === 'text' || format === 'json') return;
  const own = command.options.find((option) => option.long === '--format')?.argChoices ?? [];
  if (!own.includes(format)) throw new InputError(`${command.name()} has no --format ${format}`, format);
}

/** The format for other programs that a command line names, also one that cannot be parsed to its end. */
export function checkFormatIn(argv: readonly string[]): CheckFormat | undefined {
  return argv
    .map((word, i) => (argv[i - 1] === '--format' ? word : word.replace(/^--format=/, '')))
    .find((word, i) => isCheckFormat(word) && (argv[i - 1] === '--format' || argv[i] !== word)) as
    | CheckFormat
    | undefined;
}

/** Rows with commas between their cells, as RFC 4180 has them. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(csvCell).join(',')).join('\n');
}

function csvCell(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
