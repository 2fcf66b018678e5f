import { fileURLToPath } from 'node:url';
import { UNPLANNED_FAULTS } from '../../commands/bugs/unplanned.ts';
import type { UnplannedFigures } from '../../commands/bugs/unplanned-board.ts';
import { writeWhole } from '../../commands/line/write-whole.ts';
import { judged } from './judge.ts';

/* `npm run faults`: judges every fault by the laws alone, up to two minutes each, and writes what finds it. */

const FILE = fileURLToPath(new URL('../../commands/bugs/unplanned-measured.ts', import.meta.url));

const HEAD = `import type { UnplannedFigures } from './unplanned-board.ts';

/** What the laws alone find, by the fault's name: a table, which \`npm run faults\` writes. */
export const UNPLANNED_MEASURED: Readonly<Record<string, UnplannedFigures>> = `;

const table: Record<string, UnplannedFigures> = {};
for (const fault of UNPLANNED_FAULTS) {
  process.stderr.write(`${fault.name}\n`);
  const figures = await judged(fault);
  if (figures !== undefined) table[fault.name] = figures;
  writeWhole(FILE, `${HEAD}${JSON.stringify(table, null, 2)};\n`);
}
