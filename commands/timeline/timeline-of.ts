import { traceKind } from '../../counterexamples/trace-kind.ts';
import { InputError } from '../../model/core/input-error.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { playInterleaving } from '../explain/played-interleaving.ts';
import { caseTimeline } from './case-timeline.ts';
import { interleavingTimeline } from './interleaving-timeline.ts';
import { sequenceTimeline } from './sequence-timeline.ts';
import type { TimelineDocument } from './timeline.ts';

/** The timeline of a trace. Throws an InputError for a history in two kernels. */
export function timelineOf(text: string): TimelineDocument {
  const kind = traceKind(text);
  switch (kind) {
    case 'interleaving':
      return interleavingTimeline(playInterleaving(text));
    case 'sequence':
      return sequenceTimeline(text);
    case 'image':
      return caseTimeline(text);
    case 'history':
      throw new InputError(
        'it is a history in two kernels, which has no timeline: a timeline has one kernel',
      );
    default:
      return unreachable(kind);
  }
}

/** The file: an event a line. */
export function printTimeline({ traceEvents, ...others }: TimelineDocument): string {
  const events = traceEvents.map((event) => JSON.stringify(event)).join(',\n');
  return `{"traceEvents":[\n${events}\n],${JSON.stringify(others).slice(1)}\n`;
}
