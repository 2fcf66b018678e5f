import type { ExplainedMoment } from '../../checker/explain/moment.ts';
import { Activations } from '../explain/activations.ts';
import type { ToldCall } from '../explain/call-text.ts';
import { TELLS } from '../explain/call-text.ts';
import { eventText } from '../explain/event-text.ts';
import type { Enclosing } from './nested-slices.ts';
import { NestedSlices } from './nested-slices.ts';
import type { Timeline, TrackName } from './timeline.ts';
import { MOVE } from './timeline.ts';

/** A call on the track of its task. */
export interface CallOnTrack {
  readonly timeline: Timeline;
  readonly track: TrackName;
  readonly call: Enclosing;
  /** Its beginning, in microseconds. */
  readonly from: number;
}

/**
 * A call, transfer by transfer, each of which lasts a millisecond: the code that it is in encloses what that calls, and
 * events that clients see are instants. Gives the end of the call.
 */
export function addCall(told: ToldCall, { timeline, track, call, from }: CallOnTrack): number {
  const frames = new Activations(told.plans);
  const slices = new NestedSlices(timeline, track);
  let to = from;
  for (const moment of told.moments) {
    if (moment.how !== 'done in C') frames.come(moment);
    for (const event of moment.events)
      timeline.instant(track, { name: eventText(event, told), cat: 'event', ts: to, args: { ...event } });
    if (moment.how === 'done in C' || (moment.inC && TELLS.test(moment.to))) continue;
    const code = frames.open.map(({ code: name }) => ({ name, cat: 'code' }));
    const inC = moment.inC ? [{ name: moment.to, cat: 'function' }] : [];
    slices.add([call, ...code, ...inC], { ...transfer(moment), from: to, to: to + MOVE });
    to += MOVE;
  }
  slices.close(0);
  if (to > from) return to;
  timeline.slice(track, { ...call, from, to: from + MOVE });
  return from + MOVE;
}

function transfer({ how, from, to }: ExplainedMoment): Enclosing {
  const verb = how === 'call' ? 'calls' : how === 'jump' ? 'jumps to' : 'returns to';
  return { name: `${from} ${verb} ${to}`, cat: 'code', args: { from, to } };
}
