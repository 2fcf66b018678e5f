import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HERE } from './here.ts';
import { escaped, htmlPage } from './html.ts';

/** A cell of a table: its text or its HTML, and its attributes. */
export type PageCell = string | { readonly html: string; readonly attributes?: Attributes };

type Attributes = Readonly<Record<string, string>>;

/** Rows that belong together, below a title of their own if they have one. */
export interface PageRows {
  readonly title?: string;
  /** The first cell of each row is its head. */
  readonly rows: readonly (readonly PageCell[])[];
}

/** A table, whose caption is read out first. */
export interface PageTable {
  readonly caption: string;
  readonly head: readonly PageCell[];
  readonly groups: readonly PageRows[];
  /** A class of the style sheet. */
  readonly kind?: string;
}

export function table({ caption, head, groups, kind }: PageTable): string {
  return [
    `<div class="wide"><table${attributesText(kind === undefined ? {} : { class: kind })}>`,
    `<caption>${escaped(caption)}</caption>`,
    `<thead><tr>${head.map((cell) => cellHtml('th', cell, { scope: 'col' })).join('')}</tr></thead>`,
    ...groups.map((group) => rowsHtml(group, head.length)),
    '</table></div>',
  ].join('\n');
}

function rowsHtml({ title, rows }: PageRows, columns: number): string {
  const titled =
    title === undefined
      ? []
      : [`<tr><th class="title" scope="rowgroup" colspan="${columns}">${escaped(title)}</th></tr>`];
  return ['<tbody>', ...titled, ...rows.map(rowHtml), '</tbody>'].join('\n');
}

function rowHtml(cells: readonly PageCell[]): string {
  const told = cells.map((cell, i) =>
    i === 0 ? cellHtml('th', cell, { scope: 'row' }) : cellHtml('td', cell, {}),
  );
  return `<tr>${told.join('')}</tr>`;
}

function cellHtml(tag: 'th' | 'td', cell: PageCell, own: Attributes): string {
  const { html, attributes = {} } = typeof cell === 'string' ? { html: escaped(cell) } : cell;
  return `<${tag}${attributesText({ ...own, ...attributes })}>${html}</${tag}>`;
}

function attributesText(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('');
}

/** A number, at the right edge of its column. */
export function figure(text: string): PageCell {
  return { html: escaped(text), attributes: { class: 'figure' } };
}

/** Lines as they are printed. */
export function asPrinted(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<pre>${escaped(lines.join('\n'))}</pre>`;
}

/** A part of a page, in its list of contents. */
export interface PageSection {
  /** Of the page's own, as a link has it after its `#`. */
  readonly id: string;
  readonly title: string;
  /** HTML. */
  readonly body: string;
}

export function section({ id, title, body }: PageSection): string {
  return `<section id="${escaped(id)}">\n<h2>${escaped(title)}</h2>\n${body}\n</section>`;
}

/** The head of a page, above its sections. */
export interface PageHead {
  readonly title: string;
  readonly lead: string;
  /** The command that the page is the answer of, or other code that says what it shows. */
  readonly code: string;
}

/** A whole document without a program: it is read. */
export function pageOfSections({ title, lead, code }: PageHead, sections: readonly PageSection[]): string {
  const contents = sections.map(
    ({ id, title: name }) => `<li><a href="#${escaped(id)}">${escaped(name)}</a></li>`,
  );
  return htmlPage({
    title,
    style: ['page.css', 'static.css'].map((file) => readFileSync(join(HERE, file), 'utf8')).join(''),
    body: [
      '<header>',
      `<h1>${escaped(title)}</h1>`,
      `<p>${escaped(lead)}</p>`,
      `<p class="quiet"><code>${escaped(code)}</code></p>`,
      ...(contents.length > 1 ? [`<nav aria-label="contents"><ul>${contents.join('')}</ul></nav>`] : []),
      '</header>',
      '<main>',
      ...sections.map(section),
      '</main>',
    ].join('\n'),
  });
}
