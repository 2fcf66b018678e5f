import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedProgram } from './bundle.ts';
import { HERE } from './here.ts';
import { escaped, htmlPage } from './html.ts';
import type { ListOfModules } from './lists.ts';

/** A page on which a finding is walked through. */
export interface WalkPage {
  /** The law that it breaks; undefined: the file names none. */
  readonly law: { readonly name: string; readonly sentence: string } | undefined;
  readonly title: string;
  readonly facts: Readonly<Record<string, string>>;
  /** The lines of its scenario or sequence, as they are written in a trace. */
  readonly program: readonly string[];
  /** The data that the program of the page begins with. */
  readonly finding: object;
  /** That program's module in `in-page/`. */
  readonly entry: string;
  readonly lists: readonly ListOfModules[];
}

/** The document. `report`: as it is printed; empty: there is none. */
export async function walkPage(page: WalkPage, path: string, report: string): Promise<string> {
  const { finding, entry, lists } = page;
  const packed = await packedProgram(entry, lists);
  const json = JSON.stringify(finding).replaceAll('<', '\\u003c');
  return htmlPage({
    title: `${page.title}: ${path}`,
    style: readFileSync(join(HERE, 'page.css'), 'utf8'),
    script: readFileSync(join(HERE, 'in-page/boot.js'), 'utf8'),
    body: [
      ...headOf(page, path, report),
      '<nav id="controls" aria-label="steps"></nav>',
      '<p id="now" class="unseen" role="status"></p>',
      '<main>',
      '<section id="lanes" aria-label="moves"><p>The page plays the steps again …</p></section>',
      '<section id="side"><div id="choices"></div><div id="state"></div></section>',
      '</main>',
      '<section id="twin" aria-label="as text"></section>',
      KEYS,
      `<script type="application/json" id="finding">${json}</script>`,
      `<script type="text/plain" id="model">${packed}</script>`,
    ].join('\n'),
  });
}

function headOf({ law, title, facts, program }: WalkPage, path: string, report: string): string[] {
  const all = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  return [
    '<header>',
    `<h1${law === undefined ? '' : ' class="broken"'}>${law === undefined ? '' : '✗ '}${escaped(title)}</h1>`,
    ...(law === undefined ? [] : [`<p>${escaped(law.sentence)}</p>`]),
    `<p class="quiet">${escaped([...all, path].join(' · '))}</p>`,
    ...folded('Calls', program.join('\n')),
    ...(report === '' ? [] : folded('The report', report)),
    '</header>',
  ];
}

function folded(summary: string, text: string): string[] {
  return [`<details><summary>${escaped(summary)}</summary><pre>${escaped(text)}</pre></details>`];
}

const KEYS = [
  '<footer class="quiet">',
  '<p>Keys: ↑ ↓ or k j, Home, End: steps. 1 … 9: a next move. e: to the end. r: back to what was saved.',
  'c: only what changed. t: as text. All states are computed on this page, by the model that found the breach.</p>',
  '</footer>',
].join('\n');
