import type { HistoryOnPage } from '../walk/on-page.ts';
import { SequenceWalk } from '../walk/sequence-walk.ts';
import { SideBySide } from '../walk/side-by-side.ts';
import { part } from './dom.ts';
import { Page } from './page.ts';

/** Starts the page of a history in two kernels: it is played again in both, in this browser. */
export function start(): void {
  const { sides, difference }: HistoryOnPage = JSON.parse(part('finding').textContent);
  const [first, second] = sides.map(({ name, case: c }) => ({
    name,
    walk: new SequenceWalk(c, undefined, undefined),
  }));
  new Page(new SideBySide([first!, second!], difference));
}
