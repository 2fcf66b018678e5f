import { ATTACH_LAWS } from '../../../properties/attach-laws.ts';
import { ATTACH_PLANTED } from '../../../properties/planted/sequences/all.ts';
import { HIT_LAWS } from '../../../properties/tracepoint-laws.ts';
import type { SequenceOnPage } from '../walk/on-page.ts';
import { SequenceWalk } from '../walk/sequence-walk.ts';
import { part } from './dom.ts';
import { Page } from './page.ts';

/** Starts the page of a sequence: it is played again, in this browser. */
export function start(): void {
  const { case: c, law, planted }: SequenceOnPage = JSON.parse(part('finding').textContent);
  const walk = new SequenceWalk(
    c,
    [...ATTACH_LAWS, ...HIT_LAWS].find(({ name }) => name === law),
    ATTACH_PLANTED.find(({ name }) => name === planted),
  );
  new Page(walk);
}
