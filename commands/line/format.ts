import type { Command } from 'commander';
import { Option } from 'commander';

/** How an answer is printed. */
export type Format = 'text' | 'json' | 'csv';
const FORMATS: readonly Format[] = ['text', 'json', 'csv'];

/** The option of a command whose answer has rows. */
export function withFormats(command: Command): Command {
  return command.addOption(
    new Option('--format <format>', 'output format').choices(FORMATS).conflicts('json'),
  );
}

/** Rows with commas between their cells, as RFC 4180 has them. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(csvCell).join(',')).join('\n');
}

function csvCell(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
