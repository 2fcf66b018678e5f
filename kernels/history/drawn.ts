import type { Drawable } from '../../checker/sequences/arbitrary.ts';
import { sequenceOf } from '../../checker/sequences/arbitrary.ts';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { clientsOfFew } from '../../checker/sequences/draw/clients-of-few.ts';
import { shuffled } from '../../checker/sequences/shuffled.ts';
import type { Action } from '../../model/client/all.ts';
import { LIVE_PATCH_FLAGS } from '../../model/ftrace/ops.ts';
import { wireLine } from '../wire/line.ts';
import type { Wording } from '../wire/numbers.ts';
import { isHook } from '../wire/programs.ts';
import { castOf } from './cast.ts';
import type { Meeting } from './meetings.ts';
import { meetingsOf, playMeeting } from './meetings.ts';

/** Functions that the recorder has all, and calls that it can make; whether a client would make one is seen as it is run. */
function sayableOf(purpose: Purpose): Drawable {
  return (profile, { functions, tracepoints = [] }) => {
    if (purpose === 'contract' && (tracepoints.length > 0 || functions.some(isHook))) return undefined;
    const wording: Wording = { profile, functions, tracepoints, cast: castOf({ functions, tracepoints }) };
    if (wording.cast.size < functions.length + tracepoints.length) return undefined;
    const isSayable = (action: Action) =>
      typeof wireLine(action, wording) === 'string' && mayBe(purpose, action);
    return clientsOfFew(functions).map((isWanted) => (action) => isWanted(action) && isSayable(action));
  };
}

/**
 * Histories that are compared with the model may have tracepoints, hooks of BPF LSM, which a kernel may be built without, and
 * pokes that fail; the contract is not judged on these.
 */
export type Purpose = 'comparison' | 'contract';

/** Whether a history of this purpose may have an action. */
export function mayBe(purpose: Purpose, action: Action): boolean {
  return action.do !== 'fail' || purpose === 'comparison' || action.fault.what === 'allocation';
}

/** Every second history is a meeting of two mechanisms, as long as there is one that was not run. */
const MEETING_EVERY = 2;

/** The histories of a seed by their number, from 0: drawn ones, and between them the meetings in an order of the seed. */
export class KernelHistories {
  private readonly meetings: readonly Meeting[];

  constructor(
    private readonly profile: string,
    private readonly seed: number,
    private readonly purpose: Purpose,
  ) {
    this.meetings = shuffled(meetingsOf(profile), seed);
  }

  at(n: number): AttachCase {
    const meeting = n % MEETING_EVERY === 1 ? this.meetings[(n - 1) / MEETING_EVERY] : undefined;
    if (meeting !== undefined) return playMeeting(this.profile, meeting);
    const drawn = sequenceOf(this.profile, this.seed, n, sayableOf(this.purpose));
    // A drawn call may come with a failure of its own. klp makes allocations of its own.
    const isPatched = drawn.actions.some(
      (action) => action.do === 'ftrace_ops' && action.flags === LIVE_PATCH_FLAGS,
    );
    const mayStay = (action: Action) => mayBe(this.purpose, action) && !(isPatched && action.do === 'fail');
    return { ...drawn, actions: drawn.actions.filter(mayStay) };
  }
}
