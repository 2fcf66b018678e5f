import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { EXIT } from '../../counterexamples/answer.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { FULL } from './bound.ts';
import { moduleOf, PAGE } from './documents.ts';
import { judgeDesign } from './judge.ts';
import { printPage } from './page.ts';
import { columnOf, objections } from './table.ts';

/*
 * `npm run designs`: checks every law against every design within the whole bound, and compares
 * docs/designs.md with the result; UPDATE=1 writes the page. Problems with a design are printed, and exit
 * with 1.
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
      is === 'open' ? [`${law} is not exercised by ${design.name}, and no reason is listed`] : [],
    ),
  ),
];
const page = printPage(columns, FULL, moduleOf);

if (process.env['UPDATE'] === '1') writeFileSync(PAGE, page);
const isStale = !existsSync(PAGE) || readFileSync(PAGE, 'utf8') !== page;
const said = [...wrong, ...(isStale ? [`${PAGE} is out of date: UPDATE=1 npm run designs`] : [])];
const lines = said.length > 0 ? said.map((line) => `✗ ${line}`) : ['✓ the table of designs is up to date'];
process.stdout.write(`${lines.join('\n')}\n`);
if (said.length > 0) process.exitCode = EXIT.BROKEN;
