import { fileURLToPath } from 'node:url';
import { HISTORICAL_BUGS, plantedFor } from '../../properties/planted/history/all.ts';
import { writeWhole } from '../line/write-whole.ts';
import type { BugFigures } from './measure.ts';
import { measure } from './measure.ts';
import { MEASURED } from './measured.ts';

/*
 * `npm run bugs`: measures the historical bugs that have no figures yet; UPDATE=1 all of them. Each is written as soon
 * as it is measured.
 */

const FILE = fileURLToPath(new URL('measured.ts', import.meta.url));

const HEAD = `import type { BugFigures } from './measure.ts';

/** How soon each historical bug is found, by its name, long on purpose: a table, which \`npm run bugs\` writes. */
export const MEASURED: Readonly<Record<string, BugFigures>> = `;

const table: Record<string, BugFigures> = process.env['UPDATE'] === '1' ? {} : { ...MEASURED };
const bugs = HISTORICAL_BUGS.filter((bug) => plantedFor(bug).length > 0);

for (const bug of bugs) {
  const [planted] = plantedFor(bug);
  if (planted === undefined || table[bug.name] !== undefined) continue;
  process.stderr.write(`${bug.name}\n`);
  table[bug.name] = wholly(measure(planted));
  const rows = bugs.flatMap(({ name }) => (table[name] === undefined ? [] : [[name, table[name]]]));
  writeWhole(FILE, `${HEAD}${JSON.stringify(Object.fromEntries(rows), null, 2)};\n`);
}

function wholly<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
