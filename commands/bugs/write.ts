import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { present } from '../../model/core/present.ts';
import { HISTORICAL_BUGS, plantedFor } from '../../properties/planted/history/all.ts';
import { writeWhole } from '../line/write-whole.ts';
import type { BugFigures } from './measure.ts';
import { MEASURED } from './measured.ts';
import type { MeasuredRow } from './row-worker.ts';

/*
 * `npm run bugs`: measures the historical bugs that have no figures yet; UPDATE=1 all of them. Each is written as soon
 * as it is measured, so that without UPDATE=1 a run that was ended is resumed. Two workers, each with one bug at a time.
 */

const FILE = fileURLToPath(new URL('measured.ts', import.meta.url));
const WORKER = fileURLToPath(new URL('row-worker.ts', import.meta.url));
const WORKERS = 2;

const HEAD = `import type { BugFigures } from './measure.ts';

/** How soon each historical bug is found, by its name, long on purpose: a table, which \`npm run bugs\` writes. */
export const MEASURED: Readonly<Record<string, BugFigures>> = `;

const bugs = HISTORICAL_BUGS.filter((bug) => plantedFor(bug).length > 0);
const table = new Map<string, BugFigures>(process.env['UPDATE'] === '1' ? [] : Object.entries(MEASURED));
const open = bugs.filter(({ name }) => !table.has(name));

for (let i = 0; i < WORKERS; i++) start();
if (open.length === 0) write();

/** A worker gets the next bug whenever it has measured one. */
function start(): void {
  const worker = fork(WORKER);
  const next = () => {
    const bug = open.shift();
    if (bug === undefined) return worker.disconnect();
    process.stderr.write(`${bug.name}\n`);
    worker.send({ name: bug.name, planted: present(plantedFor(bug)[0], bug.name) });
  };
  worker.on('message', ({ name, figures }: MeasuredRow) => {
    table.set(name, figures);
    write();
    next();
  });
  worker.on('exit', (code) => {
    if (code !== 0) process.exitCode = 1;
  });
  next();
}

/** Rows in the order of the board. */
function write(): void {
  const rows = bugs.flatMap(({ name }) => (table.has(name) ? [[name, table.get(name)]] : []));
  writeWhole(FILE, `${HEAD}${JSON.stringify(Object.fromEntries(rows), null, 2)};\n`);
}
