import { clientName, taskName } from '../../checker/interleavings/actor-names.ts';
import { ITS_END } from '../../checker/interleavings/actors.ts';
import { isStep } from '../../checker/interleavings/schedule.ts';
import type { Action } from '../../model/client/all.ts';
import { item, present } from '../../model/core/present.ts';
import type { Debugger, Hit } from '../boot/debugger.ts';
import type { Guest } from '../boot/guest.ts';
import { pause } from '../boot/pause.ts';
import { readEntry, readOp } from '../history/answer.ts';
import type { CastHistory } from '../history/cast-history.ts';
import { ownLine } from '../history/cast-history.ts';
import { CannotSay, op } from '../wire/numbers.ts';
import type { KernelCode } from './code.ts';
import { addressesOf, offsetInImage } from './places.ts';
import type { Direction, EndedCalls, VisitedPlace } from './play-directions.ts';
import type { Staging } from './staging.ts';

/** What a schedule is staged on: a booted kernel, or what a test has in its place. */
export interface StagedKernel extends Pick<Guest, 'ask' | 'pass'> {
  readonly breakpoints: Pick<Debugger, 'atHit' | 'breakAt' | 'lead' | 'poll'>;
}

/** Seconds that an actor may take to get somewhere: longer than any grace period. */
const GETS_THERE_SECONDS = 30;
/** Seconds after which an actor that waits for another, and background work, have got as far as they get. */
const WAITS_SECONDS = 4;
const LOOK_MS = 5;

/** An actor of a schedule: a task of the guest on a CPU of its own. */
interface Actor {
  readonly cpu: number;
  readonly calls: readonly Action[];
  /** Of its calls: the one that comes next. */
  next: number;
  isAtWork: boolean;
  stands: boolean;
}

/** Whether a direction came off: where the actor was not stopped, why. */
export type FollowedDirection =
  | { readonly is: 'followed' }
  | { readonly is: 'not stopped'; readonly why: string };

/** Follows the directions of a staging on a running kernel. */
export class KernelStage {
  readonly warnings: string[] = [];
  private readonly actors = new Map<string, Actor>();
  private readonly park: bigint;

  constructor(
    private readonly guest: StagedKernel,
    private readonly code: KernelCode,
    private readonly question: CastHistory,
    { space: { scenario } }: Pick<Staging, 'space'>,
  ) {
    scenario.clients.forEach((script, i) => {
      this.add(clientName(i), script);
    });
    scenario.callers.forEach(({ call }, i) => {
      this.add(taskName(i), [{ do: 'call', ...call }]);
    });
    this.park = code.function('recorder_park') ?? 0n;
  }

  private add(name: string, calls: readonly Action[]): void {
    this.actors.set(name, { cpu: this.actors.size + 1, calls, next: 0, isAtWork: false, stands: false });
  }

  /** The CPU of an actor; undefined: it is background work. */
  cpuOf(name: string): number | undefined {
    return this.actors.get(name)?.cpu;
  }

  /** Grace periods that have begun in the model, and have not here, do now. */
  waitForBackground(): void {
    this.guest.pass(WAITS_SECONDS);
  }

  /** Lets an actor do what a direction says; `reached`: where it gets to in the model. */
  follow({ actor: name, begins, stop }: Direction, reached: string): FollowedDirection {
    const actor = this.actors.get(name);
    if (actor === undefined) {
      this.waitForBackground();
      return { is: 'followed' };
    }
    if (begins === 'sleeps') this.tell(op('STAND', actor.cpu, true));
    else if (begins?.startsWith('is interrupted')) throw new CannotSay('an interrupt that makes a call');
    if (stop === 'at once' && !isStep({ actor: name, does: begins ?? '' })) return { is: 'followed' };
    if (typeof stop !== 'object') return this.goFar(actor, reached);
    return 'ends' in stop ? this.endCalls(name, actor, stop) : this.stopAt(name, actor, stop);
  }

  /** Brings a task to a place before the others begin, asleep. */
  begin(name: string, place: string): FollowedDirection {
    const actor = present(this.actors.get(name), name);
    this.tell(op('STAND', actor.cpu, true));
    return this.stopAt(name, actor, { at: place, visits: 1 });
  }

  /** Lets every actor run to its end. */
  finish(): void {
    for (const actor of this.actors.values()) this.goFar(actor, ITS_END);
  }

  private stopAt(name: string, actor: Actor, stop: VisitedPlace): FollowedDirection {
    const addresses = new Set(this.addressesOf(stop.at));
    const { breakpoints } = this.guest;
    let hits = 0;
    breakpoints.atHit = ({ cpu, address }: Hit) => {
      if (cpu !== actor.cpu || !addresses.has(address) || ++hits < stop.visits) return 'executes';
      breakpoints.breakAt([]);
      breakpoints.lead(cpu, this.park);
      actor.stands = true;
      return 'led away';
    };
    breakpoints.breakAt(addresses);
    this.release(actor);
    for (const end = Date.now() + 1000 * GETS_THERE_SECONDS; Date.now() < end && !actor.stands; ) {
      if (!this.works(actor)) break;
    }
    breakpoints.breakAt([]);
    if (actor.stands) return { is: 'followed' };
    const how = hits === 0 ? 'does not get to' : `gets ${hits} times to`;
    return { is: 'not stopped', why: `${name} ${how} ${stop.at}` };
  }

  /** A place in an image is in the one that a function goes to now. */
  private addressesOf(place: string): bigint[] {
    const offset = offsetInImage(place);
    if (offset === undefined) return addressesOf(this.code, place);
    return [...this.question.cast.values()].flatMap((fn) => {
      const { goesTo } = readEntry(item(this.guest.ask([`o ${fn}`]), 0));
      return goesTo === undefined ? [] : [goesTo + BigInt(offset)];
    });
  }

  private endCalls(name: string, actor: Actor, { ends }: EndedCalls): FollowedDirection {
    this.release(actor);
    const next = actor.next + ends - (actor.isAtWork ? 1 : 0);
    const hasEnded = () => !actor.isAtWork && actor.next >= next;
    for (const end = Date.now() + 1000 * GETS_THERE_SECONDS; Date.now() < end && !hasEnded(); )
      if (!this.works(actor)) break;
    return hasEnded()
      ? { is: 'followed' }
      : { is: 'not stopped', why: `${name} does not come to the end of its call` };
  }

  private goFar(actor: Actor, reached: string): FollowedDirection {
    this.release(actor);
    const seconds = reached.startsWith(ITS_END) ? GETS_THERE_SECONDS : WAITS_SECONDS;
    for (const end = Date.now() + 1000 * seconds; Date.now() < end && this.works(actor); );
    return { is: 'followed' };
  }

  /** The answer of an operation has what the kernel has warned of meanwhile. */
  private tell(...lines: readonly string[]): void {
    for (const answer of this.guest.ask(lines)) this.warnings.push(...readOp(answer).warnings);
  }

  private order(line: string): void {
    const { errno } = readOp(item(this.guest.ask([line]), 0));
    if (errno !== '0')
      throw new CannotSay('a failure in a function of which no call is known in this kernel');
  }

  private release(actor: Actor): void {
    if (!actor.stands) return;
    actor.stands = false;
    // Where it stands next, it may not be allowed to sleep.
    this.tell(op('STAND', actor.cpu, false), op('RELEASE', actor.cpu));
  }

  /** Looks after an actor, and starts its next call; whether it has anything left to do. */
  private works(actor: Actor): boolean {
    if (!actor.isAtWork) {
      const call = actor.calls[actor.next];
      if (call === undefined) return false;
      actor.next++;
      const line = ownLine(this.question, call);
      // A failure is one of all tasks.
      if (call.do === 'fail') {
        this.order(line);
        return true;
      }
      actor.isAtWork = true;
      this.guest.ask([`a ${actor.cpu} ${line}`]);
    }
    this.guest.breakpoints.poll();
    if (actor.stands) return true;
    const answer = item(this.guest.ask([`w ${actor.cpu}`]), 0);
    const { ended } = JSON.parse(answer) as { readonly ended: number };
    if (ended === 1) actor.isAtWork = false;
    else pause(LOOK_MS);
    return true;
  }
}
