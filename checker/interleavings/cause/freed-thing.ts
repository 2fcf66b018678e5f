import type { TaskFinding } from '../../../properties/finding/task-finding.ts';
import type { FreedThing } from './cause.ts';

/** What a finding says that somebody uses and somebody has freed; undefined: it is about something else. */
export function freedIn(finding: TaskFinding): FreedThing | undefined {
  if (finding.is !== 'crashes') return undefined;
  const { crash } = finding;
  switch (crash.is) {
    case 'use after free':
    case 'read of freed data':
      return crash.object;
    case 'fault':
      return crash.place.in === 'free page' ? { is: 'page', page: crash.place.page } : undefined;
    default:
      return undefined;
  }
}
