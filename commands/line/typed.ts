import { shellWord } from '../../counterexamples/text.ts';

/** How reports and errors spell the program: as it is started in a checkout. */
const IN_CHECKOUT = 'npm run check -- ';

/** A text whose commands can be pasted where the program runs: installed from the package, with modules of the user's. */
export function asTyped(text: string, own: readonly string[]): string {
  const program = import.meta.filename.endsWith('.ts') ? IN_CHECKOUT : 'npx attachcheck ';
  const modules = own.map((path) => `--with ${shellWord(path)} `).join('');
  return text.replaceAll(IN_CHECKOUT, () => `${program}${modules}`);
}
