import type { KernelObject } from '../../../model/core/kernel-object.ts';
import type { Flavour } from '../../../model/core/part.ts';
import type { Kernel } from '../../../model/kernel.ts';
import type { Stepped } from '../operations.ts';
import type { Space } from '../space.ts';
import type { PackedState } from '../state.ts';
import type { DoneStep } from './done-step.ts';
import type { HistoryMoment } from './history.ts';
import { momentsOf, operationOf, taskOf } from './history.ts';
import type { SpotStanding } from './spot.ts';
import { OUTSIDE, Spots } from './spot.ts';

/** The cause of a breach: the path to it, besides the finding of the law. */
export interface Cause {
  /** The place of the failing actor before the last move. */
  readonly last: SpotStanding;
  /** The places of tasks when their calls ended. */
  readonly ended: readonly SpotStanding[];
  /** Its earlier places while other actors moved, and their steps. */
  readonly stood: readonly Stood[];
  /** The freed object that it uses. */
  readonly freed: Freed | undefined;
}

/** A place where an actor paused, and the steps of others meanwhile. */
export interface Stood {
  readonly standing: SpotStanding;
  readonly did: readonly Did[];
}

/** A part of a routine that was executed, and the state of its image then. */
export interface Did extends DoneStep {
  readonly image: ImageRole | undefined;
}

/** A replaced image, one that call sites enter, a new one that is not entered yet. */
export type ImageRole = 'retired' | 'in use' | 'new';

/** Freed memory: by whom, and which grace periods it waited for. */
export interface Freed {
  /** The step of the move that has freed it. */
  readonly did: readonly DoneStep[];
  readonly waits: readonly Passed[];
}

/** A grace period, and the place of the task that it no longer waited for. */
export interface Passed {
  readonly flavour: Flavour;
  readonly task: SpotStanding;
}

/** The freed object: in the kernel's memory, or on a page of executable memory. */
export type FreedThing = KernelObject | { readonly is: 'page'; readonly page: number };

/** Finds causes in one space. */
export class Causes {
  private readonly spots: Spots;
  /** What the steps of a way have done: those to several breaches begin alike. */
  private readonly done = new WeakMap<HistoryMoment, readonly Did[]>();

  constructor(private readonly space: Space) {
    this.spots = new Spots(space);
  }

  of(last: HistoryMoment | undefined, freed: FreedThing | undefined): Cause {
    const moments = once(() => momentsOf(last));
    const stood = once(() => (last === undefined ? [] : this.stood(moments(), last)));
    const ended = once(() => moments().flatMap((moment) => this.ended(moment)));
    const freedBy = once(() =>
      freed === undefined || last === undefined ? undefined : this.freed(moments(), freed, taskOf(last)),
    );
    return {
      last: last === undefined ? OUTSIDE : this.standingOf(last, last.before),
      get ended() {
        return ended();
      },
      get stood() {
        return stood();
      },
      get freed() {
        return freedBy();
      },
    };
  }

  private ended(moment: HistoryMoment): SpotStanding[] {
    const { before, after } = moment;
    const task = taskOf(moment);
    if (task === undefined || after === undefined || this.space.callerOf(after, task) !== null) return [];
    return [this.spots.standing(before, task)];
  }

  /** The place of the actor of a move in a state. */
  private standingOf(moment: HistoryMoment, state: PackedState): SpotStanding {
    const task = taskOf(moment);
    if (task !== undefined) return this.spots.standing(state, task);
    return { ...OUTSIDE, at: this.spots.inRoutine(operationOf(this.space, state, moment)?.frames ?? null) };
  }

  /** The places where an actor paused while others moved, in order. */
  private stood(moments: readonly HistoryMoment[], victim: HistoryMoment): Stood[] {
    const all: { readonly standing: SpotStanding; readonly did: Did[] }[] = [];
    let now: Did[] | undefined;
    for (const moment of moments) {
      if (moment.who === victim.who) now = undefined;
      else if (moment.step !== undefined) {
        const did = this.did(moment, moment.step);
        if (now === undefined) {
          now = [];
          all.push({ standing: this.standingOf(victim, moment.before), did: now });
        }
        now.push(...did);
      }
    }
    return all.filter(({ did }) => did.length > 0);
  }

  private did(moment: HistoryMoment, { did }: Stepped): readonly Did[] {
    const noted = this.done.get(moment);
    if (noted !== undefined) return noted;
    const done = did.map((step) => {
      const name = step.about['place'] ?? step.about['image'];
      return {
        ...step,
        image: typeof name === 'string' ? imageRole(this.space.kernelOf(moment.before), name) : undefined,
      };
    });
    this.done.set(moment, done);
    return done;
  }

  private freed(
    moments: readonly HistoryMoment[],
    thing: FreedThing,
    task: number | undefined,
  ): Freed | undefined {
    const index = moments.findLastIndex((moment) => this.frees(moment, thing));
    const freeing = moments[index];
    if (freeing?.step === undefined) return undefined;
    const before = moments.slice(0, index);
    const waiting =
      freeing.move.who === 'work' ? this.ofWork(before, freeing) : this.ofClient(before, freeing);
    return {
      did: freeing.step.did,
      waits: waiting.flatMap((moment) => this.passed(moments, moment, freeing, task)),
    };
  }

  private frees({ before, step }: HistoryMoment, thing: FreedThing): boolean {
    if (step === undefined) return false;
    if (thing.is !== 'page') return step.freed.some((freed) => isSameObject(freed, thing));
    const { pages } = this.space.kernelOf(before).text;
    return step.freed.some((freed) => freed.is === 'code' && pages[freed.of]?.at === thing.page);
  }

  /** Background work waits from the move that has queued it. */
  private ofWork(before: readonly HistoryMoment[], freeing: HistoryMoment): HistoryMoment[] {
    const isThere = (state: PackedState) => operationOf(this.space, state, freeing) !== undefined;
    const from = before.findLastIndex(
      (moment) => moment.after !== undefined && isThere(moment.after) && !isThere(moment.before),
    );
    return before.filter((moment, i) => i === from || (i > from && moment.who === freeing.who));
  }

  /**
   * An operation waits while it is in progress; an actor that frees its own memory has waited in the operation that
   * detached it.
   */
  private ofClient(before: readonly HistoryMoment[], freeing: HistoryMoment): HistoryMoment[] {
    const { index } = freeing.move;
    const own = before.filter(({ who }) => who === freeing.who);
    const nth = (moment: HistoryMoment) => this.space.clientOf(moment.before, index).answers.length;
    const last = nth(freeing);
    const action = this.space.scenario.clients[index]?.[last];
    if (action?.do !== 'kfree') return own.filter((moment) => nth(moment) === last);
    const { object } = action;
    const letGo = own.findLast(
      ({ step }) => step?.did.some(({ about }) => Object.values(about).includes(object)) === true,
    );
    return letGo === undefined ? [] : own.filter((moment) => nth(moment) === nth(letGo));
  }

  /** The wait that begins with a move, and the place of the task that did not delay it, or no longer. */
  private passed(
    moments: readonly HistoryMoment[],
    moment: HistoryMoment,
    who: HistoryMoment,
    task: number | undefined,
  ): Passed[] {
    if (moment.after === undefined) return [];
    const wait = operationOf(this.space, moment.after, who);
    if (wait === undefined || wait.waits === null) return [];
    const flavour = wait.waits;
    if (task === undefined) return [{ flavour, task: OUTSIDE }];
    const holdsUp = (state: PackedState) =>
      ((operationOf(this.space, state, who)?.holdouts ?? 0) & (1 << task)) !== 0;
    let state = moment.after;
    for (const { after } of moments.slice(moments.indexOf(moment) + 1)) {
      if (!holdsUp(state) || after === undefined) break;
      state = after;
    }
    return [{ flavour, task: this.spots.standing(state, task) }];
  }
}

/** Whether the freed object is the one that a crash names; an image is the code of its name. */
function isSameObject(freed: KernelObject, named: KernelObject): boolean {
  if (named.is === 'image') return freed.is === 'code' && freed.of === named.name;
  return JSON.stringify(freed) === JSON.stringify(named);
}

/** Computes a value on first use, and once. */
function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/** The state of an image at a point of the path; undefined: it does not exist. */
function imageRole({ bpf }: Kernel, name: string): ImageRole | undefined {
  const image = bpf.images[name];
  if (image === undefined) return undefined;
  if (image.state === 'draining') return 'retired';
  return Object.values(bpf.trampolines).some(({ curImage }) => curImage === name) ? 'in use' : 'new';
}
