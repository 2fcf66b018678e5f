import type { BoardSection } from '../walk/kernel-board.ts';
import type { MachineView } from '../walk/machine-view.ts';
import type { WalkStand } from '../walk/stand.ts';
import type { Child } from './dom.ts';
import { h } from './dom.ts';

/** A subject before and after a move; undefined: it is not there. */
interface Compared {
  readonly subject: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A state beside the one before it: what changed is marked. Without `before` it is the first one. */
export function stateView(
  before: WalkStand | undefined,
  after: WalkStand,
  onlyChanges: boolean,
): HTMLElement {
  const tables = [false, true].map((isDetail) => tableOf(before, after, isDetail, onlyChanges));
  const none = h('p', { class: 'quiet' }, 'this move changes nothing that the page shows');
  const [first, details] = tables;
  return h(
    'div',
    {},
    tables.every((table) => table === undefined) ? none : first,
    ...after.machines.map(machineView),
    details,
  );
}

function tableOf(
  before: WalkStand | undefined,
  after: WalkStand,
  isDetail: boolean,
  onlyChanges: boolean,
): HTMLElement | undefined {
  const sections = titles(before, after, isDetail).flatMap((title) => {
    const rows = compared(rowsIn(before, title), rowsIn(after, title), before === undefined);
    const shown = onlyChanges ? rows.filter(isChanged) : rows;
    return shown.length === 0 ? [] : [sectionView(title, shown)];
  });
  if (sections.length === 0) return undefined;
  const head = ['', 'before', 'after'].map((text) => h('th', { scope: 'col' }, text));
  return h('table', { class: 'state' }, h('thead', {}, h('tr', {}, ...head)), ...sections);
}

function titles(before: WalkStand | undefined, after: WalkStand, isDetail: boolean): string[] {
  const all = [...after.board, ...(before?.board ?? [])].filter((section) => section.isDetail === isDetail);
  return [...new Set(all.map(({ title }) => title))];
}

function rowsIn(stand: WalkStand | undefined, title: string): BoardSection['rows'] {
  return stand?.board.find((section) => section.title === title)?.rows ?? [];
}

function compared(before: BoardSection['rows'], after: BoardSection['rows'], isFirst: boolean): Compared[] {
  const old = new Map(before.map(({ subject, value }) => [subject, value]));
  const now = new Map(after.map(({ subject, value }) => [subject, value]));
  return [...new Set([...now.keys(), ...old.keys()])].map((subject) => ({
    subject,
    before: isFirst ? now.get(subject) : old.get(subject),
    after: now.get(subject),
  }));
}

function isChanged({ before, after }: Compared): boolean {
  return before !== after;
}

function sectionView(title: string, rows: readonly Compared[]): HTMLElement {
  const head = h('tr', {}, h('th', { scope: 'rowgroup', colspan: '3', class: 'title' }, title));
  return h('tbody', {}, head, ...rows.map(rowView));
}

function rowView(row: Compared): HTMLElement {
  const { subject, before = '–', after = '–' } = row;
  const name = h('th', { scope: 'row' }, subject);
  if (!isChanged(row)) return h('tr', {}, name, h('td', { colspan: '2' }, after));
  const mark = h('abbr', { title: 'changed by this move' }, '● ');
  return h('tr', { class: 'changed' }, name, h('td', {}, before), h('td', {}, mark, after));
}

/** The stack of a task, the highest address first, and the code that it is in. */
function machineView({ task, place, stack, listing }: MachineView): HTMLElement {
  const words = stack.map(({ offset, value, name, isCode }) =>
    h(
      'tr',
      { class: isCode ? 'code' : undefined },
      h('th', { scope: 'row' }, offset === 0 ? 'rsp' : `+${offset}`),
      h('td', {}, value),
      h('td', {}, name),
    ),
  );
  return h(
    'div',
    { class: 'machine' },
    h('h3', {}, `${task} is at ${place}`),
    folded('stack', h('table', { class: 'stack' }, h('tbody', {}, ...words))),
    listing && folded(`code of ${listing.name}`, listingView(listing.lines)),
  );
}

function folded(summary: string, content: Child): HTMLElement {
  return h('details', { open: '' }, h('summary', {}, summary), content);
}

function listingView(lines: NonNullable<MachineView['listing']>['lines']): HTMLElement {
  const rows = lines.map(({ offset, bytes, text, mark }) =>
    h(
      'tr',
      { class: mark === '' ? undefined : 'marked' },
      h('th', { scope: 'row' }, mark === '' ? '' : '▶ ', offset),
      h('td', { class: 'bytes' }, bytes),
      h('td', {}, text),
      h('td', { class: 'mark' }, mark),
    ),
  );
  return h('table', { class: 'listing' }, h('tbody', {}, ...rows));
}
