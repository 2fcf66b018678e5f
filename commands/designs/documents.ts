import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TOP = join(import.meta.dirname, '../..');

export const PAGE = join(TOP, 'docs/designs.md');
export const CORPUS_FOLDER = join(TOP, 'counterexamples/corpus');

const MODULES = 'model/trampoline/designs';

/** The module that a design is in: the file that says its name, the first by path. Throws when none does. */
export function moduleOf(name: string): string {
  const files = readdirSync(join(TOP, MODULES), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort();
  const found = files.find((file) => readFileSync(join(TOP, MODULES, file), 'utf8').includes(`'${name}',\n`));
  if (found === undefined) throw new Error(`no file in ${MODULES} says the name '${name}'`);
  return `${MODULES}/${found}`;
}
