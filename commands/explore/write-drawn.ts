import { readFileSync, writeFileSync } from 'node:fs';
import { drawnScenarios } from '../../checker/interleavings/random/draw-scenario.ts';
import { searchSchedules } from '../../checker/interleavings/random/search-schedules.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { linkKernel } from '../../model/step.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import type { DrawnPlanted } from '../../properties/planted/interleavings/drawn.ts';
import { DRAWN_PLANTED, SCHEDULES, SELDOM_DRAWN } from '../../properties/planted/interleavings/drawn.ts';
import type { TaskPlanted } from '../../properties/planted/interleavings/planted.ts';

/*
 * `npm run drawn`: looks for the drawn scenario that shows each planted bug of interleavings, and writes the table.
 * A scenario that still shows its bug stays. A bug that none of the scenarios shows is named, and exits with 1: the
 * other table says why it is seldom drawn.
 */

const FILE = new URL('../../properties/planted/interleavings/drawn.ts', import.meta.url);
const TABLE = 'export const DRAWN_PLANTED: Readonly<Record<string, DrawnPlanted>> = {\n';

/** Scenarios that are tried for each bug. */
const SCENARIOS = 40;

function shows({ profile, law, edits }: TaskPlanted, { seed, scenario: number }: DrawnPlanted): boolean {
  const scenario = drawnScenarios(profile, seed, number).at(-1);
  if (scenario === undefined) return false;
  const search = { laws: [law], seed: seed + number - 1, schedules: SCHEDULES };
  const { found, walks } = searchSchedules(scenario, { ...search, program: linkKernel(edits) });
  if (found?.breach.law !== law) return false;
  return edits.length === 0 || searchSchedules(scenario, { ...search, schedules: walks }).found === undefined;
}

/** The first scenario that shows it, unless the listed one still does. */
function drawnFor(planted: TaskPlanted): DrawnPlanted | undefined {
  const tried = Array.from({ length: SCENARIOS }, (_, i) => ({ seed: 1, scenario: i + 1 }));
  const before = DRAWN_PLANTED[planted.name];
  return [...(before === undefined ? [] : [before]), ...tried].find((drawn) => shows(planted, drawn));
}

const rows: string[] = [];
for (const planted of TASK_PLANTED) {
  if (Object.hasOwn(SELDOM_DRAWN, planted.name)) continue;
  const drawn = drawnFor(planted);
  if (drawn === undefined) {
    process.stdout.write(`✗ no drawn scenario shows ${planted.name}\n`);
    process.exitCode = EXIT.BROKEN;
  } else rows.push(`'${planted.name}': ${JSON.stringify(drawn)},\n`);
}
const text = readFileSync(FILE, 'utf8');
const start = text.indexOf(TABLE) + TABLE.length;
writeFileSync(FILE, `${text.slice(0, start)}${rows.join('')}${text.slice(text.indexOf('};\n', start))}`);
