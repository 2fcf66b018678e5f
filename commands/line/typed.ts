import { withCommands } from '../../counterexamples/report-commands.ts';
import { shellWord } from '../../counterexamples/text.ts';

/** How reports, saved traces and errors spell the program: as it is started in a checkout. */
const IN_CHECKOUT = 'npm run check --';

/** How the user starts it: from the sources, by npm where the package is installed, or by its own name. */
export function ownName({ npm_command }: NodeJS.ProcessEnv): string {
  if (import.meta.filename.endsWith('.ts')) return IN_CHECKOUT;
  return npm_command === undefined ? 'attachcheck' : 'npx attachcheck';
}

/** The same with the user's modules. */
export function nameWith(name: string, modules: readonly string[] = []): string {
  return [name, ...modules.map((path) => `--with ${shellWord(path)}`)].join(' ');
}

/** A text whose commands can be pasted if the program is started by this name. */
export function asTyped(text: string, name: string): string {
  const named = (part: string) => part.replaceAll(IN_CHECKOUT, () => name);
  return named(withCommands(text, named));
}
