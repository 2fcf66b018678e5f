import { shellWord } from '../../counterexamples/text.ts';
import { escaped } from '../page/html.ts';
import type { PageCell, PageSection } from '../page/static-page.ts';
import { asPrinted, pageOfSections, table } from '../page/static-page.ts';
import { cellLines } from './cell-text.ts';
import type { JudgedCell, Matrix } from './judged-cell.ts';
import { knownIn, newBreachesIn, orderDecides, wordOf } from './judged-cell.ts';
import { answered, codesOf, linesBelow, mark, marksUsed, named, usedCodes } from './matrix-text.ts';

/** The tables as maps, with a link from a cell to its details below. */
export function matrixPage(matrices: readonly Matrix[]): string {
  const head = {
    title: 'Which mechanisms can share a function',
    lead: 'A row is attached first, a column second; then both are detached, in both orders. A link shows the calls.',
    code: 'npm run check -- matrix',
  };
  return pageOfSections(head, matrices.flatMap(sectionsOf));
}

function sectionsOf(matrix: Matrix): PageSection[] {
  const { scene, cells, mechanisms } = matrix;
  const { profile } = scene;
  const codes = codesOf(cells);
  const detailed = cells.filter((cell) => isDetailed(matrix, cell));
  const map = table({
    caption: `${profile}: a row is attached first, a column second`,
    head: ['first ↓ second →', ...mechanisms.map(({ name }) => name)],
    groups: [
      {
        rows: mechanisms.map((first) => [
          first.name,
          ...mechanisms.map((second) => mapCell(matrix, codes, cells.find(isOf(first.name, second.name)))),
        ]),
      },
    ],
    kind: 'map',
  });
  const body = [
    `<div class="map">${[map, legendHtml(matrix, codes)].join('\n')}</div>`,
    asPrinted(
      cells.length === 0 ? cellLines(matrix) : linesBelow(matrix).map((line) => line.replace(/^ {2}/, '')),
    ),
  ];
  const details = detailed.map((cell) => detail(matrix, cell)).join('\n');
  return [
    { id: tableId(profile), title: profile, body: body.join('\n') },
    ...(detailed.length === 0
      ? []
      : [{ id: `${tableId(profile)}-calls`, title: `${profile}: call by call`, body: details }]),
  ];
}

function isOf(first: string, second: string): (cell: JudgedCell) => boolean {
  return (cell) => cell.first.name === first && cell.second.name === second;
}

/** A cell that says more than `ok`, or that was asked for. */
function isDetailed(matrix: Matrix, cell: JudgedCell): boolean {
  const isPlain =
    cell.verdict.is === 'ok' &&
    !orderDecides(matrix, cell) &&
    cell.disagreements.length + knownIn(cell).length + newBreachesIn(cell).length === 0;
  return !isPlain || matrix.cells.length < matrix.mechanisms.length ** 2;
}

function mapCell(matrix: Matrix, codes: ReadonlyMap<string, string>, cell: JudgedCell | undefined): PageCell {
  if (cell === undefined) return '';
  const { verdict, recorded } = cell;
  const seen = recorded.length > 0 ? ', as recorded' : ', not recorded';
  const attributes = { class: verdict.is, title: `${named(cell)}: ${answered(verdict)}${seen}` };
  const text = escaped(mark(matrix, cell, codes));
  if (!isDetailed(matrix, cell)) return { html: `<span>${text}</span>`, attributes };
  const label = escaped(attributes.title);
  return { html: `<a href="#${cellId(matrix, cell)}" aria-label="${label}">${text}</a>`, attributes };
}

function legendHtml(matrix: Matrix, codes: ReadonlyMap<string, string>): string {
  const meant = usedCodes(matrix, codes).map(
    ({ code, cell, meaning }) => `<li><b class="${cell.verdict.is}">${code}</b> ${escaped(meaning)}</li>`,
  );
  const marks = marksUsed(matrix).map((text) => `<li>${escaped(text)}</li>`);
  return `<ul class="key">${[...meant, ...marks].join('')}</ul>`;
}

/** What `matrix A B` prints of this order. */
function detail(matrix: Matrix, cell: JudgedCell): string {
  const { profile } = matrix.scene;
  const { first, second } = cell;
  const command = `npm run check -- matrix ${shellWord(first.name)} ${shellWord(second.name)} --kernel ${shellWord(profile)}`;
  return [
    `<article id="${cellId(matrix, cell)}">`,
    `<h3>${escaped(named(cell))}: ${wordOf(cell.verdict)}</h3>`,
    `<p class="quiet"><code>${escaped(command)}</code> · <a href="#${tableId(profile)}">table</a></p>`,
    asPrinted(cellLines({ ...matrix, absent: [], cells: [cell] })),
    '</article>',
  ].join('\n');
}

function tableId(profile: string): string {
  return `kernel-${profile.replaceAll(/[^\w.]+/g, '-')}`;
}

function cellId({ scene }: Matrix, { first, second }: JudgedCell): string {
  return `${tableId(scene.profile)}--${first.name}--${second.name}`.replaceAll(/[()]/g, '_');
}
