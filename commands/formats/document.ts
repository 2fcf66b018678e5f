import { shellWord } from '../../counterexamples/text.ts';
import { version } from '../line/project.ts';
import type { CheckFormat } from './check-format.ts';
import type { CheckedRun } from './checked-run.ts';
import { checksText } from './render.ts';

/** The document of a whole run: `argv` is its command line, as it was typed. */
export function checksDocument(
  format: CheckFormat,
  { argv, ...run }: Pick<CheckedRun, 'suites' | 'exit' | 'signal'> & { readonly argv: readonly string[] },
): string {
  const command = ['attachcheck', ...argv.map(shellWord)].join(' ');
  return checksText(format, { ...run, command, version: version() });
}
