import { printCase } from '../../checker/images/spelling.ts';
import { rendered } from '../../properties/finding/render.ts';
import { observedRun, runOfCase } from '../explain/explain-case.ts';
import { addCall } from './call-slices.ts';
import { CALLS } from './groups.ts';
import type { TimelineDocument } from './timeline.ts';
import { Timeline } from './timeline.ts';

/** The call of an attach combination's image as a timeline: each transfer of control lasts a millisecond. */
export function caseTimeline(text: string): TimelineDocument {
  const run = runOfCase(text);
  const { case: c, planted, law } = run.trace;
  const timeline = new Timeline([CALLS]);
  const track = { group: CALLS, track: 'task#1' };
  const told = observedRun(run);
  if (told !== undefined) {
    const ts = addCall(told, { timeline, track, call: { name: 'task#1 calls f', cat: 'call' }, from: 0 });
    const breach = run.outcome.verdict?.breach;
    if (breach !== undefined) {
      const args = { law: breach.law.name, sentence: breach.law.sentence, ...rendered(breach.finding) };
      timeline.instant(track, { name: `✗ ${breach.law.name}`, cat: 'breach', ts, of: 'all', args });
    }
  }
  return timeline.document({
    kernel: c.kernel,
    case: printCase(c),
    law,
    planted: planted ?? null,
    time: 'each transfer of control is one millisecond: the model has no clock',
  });
}
