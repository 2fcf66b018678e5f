import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { EXIT } from '../../counterexamples/answer.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { FULL } from './bound.ts';
import { moduleOf, PAGE } from './documents.ts';
import { judgeDesign } from './judge.ts';
import { printPage } from './page.ts';
import { columnOf, objections } from './table.ts';

/*
 * `npm run designs`: holds every law against every design within the whole bound, and compares docs/designs.md
 * with it; with UPDATE=1 it writes the page. What is wrong with a design is said, and ends it with 1.
 */

const judged = DESIGNS.map((design) => {
  process.stderr.write(`${design.name}\n`);
  return { design, tally: judgeDesign(design, FULL) };
});
const columns = judged.map(({ design, tally }) => columnOf(design, tally));
const wrong = [
  ...judged.flatMap(({ design, tally }) => objections(design, tally)),
  ...columns.flatMap(({ design, cells }) =>
    [...cells].flatMap(([law, { is }]) =>
      is === 'open' ? [`nothing puts ${law} to the test of ${design.name}, and nothing says why`] : [],
    ),
  ),
];
const page = printPage(columns, FULL, moduleOf);

if (process.env['UPDATE'] === '1') writeFileSync(PAGE, page);
const isStale = !existsSync(PAGE) || readFileSync(PAGE, 'utf8') !== page;
const said = [...wrong, ...(isStale ? [`${PAGE} says something else: UPDATE=1 npm run designs`] : [])];
const lines =
  said.length > 0 ? said.map((line) => `✗ ${line}`) : ['✓ the table of designs is as it is found'];
process.stdout.write(`${lines.join('\n')}\n`);
if (said.length > 0) process.exitCode = EXIT.BROKEN;
