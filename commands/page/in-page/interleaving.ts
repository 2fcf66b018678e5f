import { TASK_PLANTED } from '../../../properties/planted/interleavings/all.ts';
import { ALL_TASK_LAWS } from '../../../properties/task-laws.ts';
import type { InterleavingOnPage } from '../walk/on-page.ts';
import { ScheduleWalk } from '../walk/schedule-walk.ts';
import { part } from './dom.ts';
import { Page } from './page.ts';

/** Starts the page of an interleaving: the schedule is played again, in this browser. */
export function start(): void {
  const { schedule, law, planted }: InterleavingOnPage = JSON.parse(part('finding').textContent);
  const walk = new ScheduleWalk(
    schedule,
    ALL_TASK_LAWS.find(({ name }) => name === law),
    TASK_PLANTED.find(({ name }) => name === planted),
  );
  new Page(walk);
}
