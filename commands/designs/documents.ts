import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { README_END, README_HEAD } from './summary.ts';

const TOP = join(import.meta.dirname, '../..');

export const PAGE = join(TOP, 'docs/designs.md');
export const README = join(TOP, 'README.md');
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

/** A README with other tables of designs in the place of those that it has. Throws when it has none. */
export function withSummary(readme: string, summary: readonly string[]): string {
  const lines = readme.split('\n');
  const start = lines.indexOf(README_HEAD);
  const end = lines.indexOf(README_END, start);
  if (start < 0 || end < 0) throw new Error('the README has no table of designs');
  return [...lines.slice(0, start), ...summary, ...lines.slice(end + 1)].join('\n');
}
