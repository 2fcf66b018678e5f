import type { SearchedWorld } from '../checker/interleavings/worlds.ts';
import { Worlds } from '../checker/interleavings/worlds.ts';
import type { Operation } from '../model/core/run.ts';
import { startOperation, waitsFor } from '../model/core/run.ts';
import type { RoutineFrame } from '../model/core/world.ts';
import { advance, toFirstStep } from '../model/task/advance.ts';
import { nothingForbidden } from '../model/task/current.ts';
import { isWaitedFor } from '../model/task/grace-period.ts';
import type { View } from '../model/text/view.ts';
import type { PokeKernel } from './poke-kernel.ts';
import {
  bootPokeKernel,
  forgetCounters,
  leave,
  POKE_PROGRAM,
  POKE_ROUTINES,
  reachedFrom,
} from './poke-kernel.ts';
import { bytesOfWorlds } from './table-bytes.ts';

/** A kernel whose CPUs have seen everything, and how far the updater has got: plain data. */
interface Moment {
  readonly k: PokeKernel;
  /** Which of its routines, and the frames while it is in it. */
  readonly routine: number;
  readonly frames: readonly RoutineFrame[] | null;
}

/** A place that a call comes to, and the number of what its CPU may fetch afterwards. */
interface Reached {
  readonly place: number;
  readonly view: number;
}

/**
 * The states of the small model. One is two numbers: a world, which is a step and what each CPU may fetch, and
 * the readers. What a step does in a world is worked out once, by the model.
 *
 * ```text
 *   world     bit set of holdouts   PLACE_BITS for each reader: 0 outside, else its place's number + 1
 * ```
 */
export class PokeSpace {
  private readonly worlds = new Worlds();
  private readonly places: readonly string[];
  /** For each world, what the updater makes of it. */
  private readonly updates: (Update | undefined)[] = [];
  /** For each world and reader, what comes of calls: world, place, world, place … */
  private readonly calls: (Int32Array | undefined)[] = [];
  /** For each step, and each view that a CPU can have in it, the outcomes of calls. */
  private readonly reached: Reached[][][] = [];
  /** For each step and place, whether a task may resume there. */
  private readonly allowed: boolean[][] = [];

  constructor(
    private readonly readers: number,
    private readonly sites: number,
  ) {
    this.places = Array.from({ length: 2 * sites }, (_, i) =>
      i < sites ? `f${i + 1}` : `tramp#${i - sites + 1}`,
    );
    if (this.places.length >= 1 << PLACE_BITS) throw new Error(`${sites} sites are too many`);
    if (readers * (PLACE_BITS + 1) > 31) throw new Error(`${readers} readers are too many`);
  }

  initial(): number[] {
    return [this.worldOf(bootPokeKernel(this.sites, this.readers), 0, null), 0];
  }

  private worldOf(k: PokeKernel, routine: number, frames: readonly RoutineFrame[] | null): number {
    const moment: Moment = { k: { ...k, text: { ...k.text, views: [] } }, routine, frames };
    return this.worlds.numberOf([moment, ...k.text.views].map((part) => this.worlds.partNumber(part)));
  }

  /** Every move from a state: the two numbers of the next one, which are only lent. */
  visit(state: readonly number[], emit: (next: number[], move: number) => void): void {
    const world = state[0]!;
    const tasks = state[1]!;
    const { readers, next } = this;
    if (tasks >>> (PLACE_BITS * readers) === 0) {
      const { to, waits } = (this.updates[world] ??= this.workOutUpdate(world));
      next[0] = to;
      next[1] = waits ? tasks | (this.holdouts(tasks) << (PLACE_BITS * readers)) : tasks;
      emit(next, 0);
    }
    for (let reader = 0; reader < readers; reader++) {
      const shift = PLACE_BITS * reader;
      const place = (tasks >>> shift) & PLACE_MASK;
      if (place !== OUTSIDE) {
        this.requireAllowed(world, place);
        next[0] = world;
        next[1] = tasks & ~((PLACE_MASK << shift) | (1 << (PLACE_BITS * readers + reader)));
        emit(next, 1 + reader);
        continue;
      }
      const calls = (this.calls[world * readers + reader] ??= this.workOutCalls(world, reader));
      for (let i = 0; i < calls.length; i += 2) {
        next[0] = calls[i]!;
        next[1] = tasks | (calls[i + 1]! << shift);
        emit(next, 1 + reader);
      }
    }
  }

  /** Bytes of the worlds, and of what was worked out for them. */
  get tableBytes(): number {
    return this.calls.reduce((sum, array) => sum + (array?.byteLength ?? 0), bytesOfWorlds(this.worlds));
  }

  private readonly next: number[] = [0, 0];

  private workOutUpdate(world: number): Update {
    // Each for itself: CPUs that may fetch the same share it in a world.
    const [moment, ...views] = this.worlds
      .partsOf(this.worlds.get(world))
      .map((part) => structuredClone(part));
    const { k, routine, frames } = moment as Moment;
    k.text.views = views as View[];
    const operation =
      frames === null ? this.begun(k, routine) : { frames: frames as RoutineFrame[], who: UPDATER };
    const ended = advance(POKE_PROGRAM, k, operation, 'visible');
    forgetCounters(k);
    if (ended !== undefined)
      return { to: this.worldOf(k, (routine + 1) % POKE_ROUTINES.length, null), waits: false };
    const waits = waitsFor(POKE_PROGRAM, operation) !== undefined;
    return { to: this.worldOf(k, routine, operation.frames), waits };
  }

  private begun(k: PokeKernel, routine: number): Operation {
    const operation = { ...startOperation(POKE_PROGRAM, POKE_ROUTINES[routine]!, {}), who: UPDATER };
    toFirstStep(POKE_PROGRAM, k, operation);
    return operation;
  }

  private workOutCalls(number: number, reader: number): Int32Array {
    const world = this.worlds.get(number);
    const ofMoment = (this.reached[world[0]!] ??= []);
    const found = (ofMoment[world[1 + reader]!] ??= this.workOutReached(world, reader));
    return Int32Array.from(
      found.flatMap(({ place, view }) => [this.worlds.numberOf(world.with(1 + reader, view)), place]),
    );
  }

  private workOutReached(world: SearchedWorld, reader: number): Reached[] {
    const { k } = this.worlds.part(world[0]!) as Moment;
    const view = this.worlds.part(world[1 + reader]!) as View;
    const own = { ...k, text: { ...k.text, views: [view] } };
    return this.places.slice(0, this.sites).flatMap((fn) =>
      reachedFrom(own, fn, 0).map(({ place, view: after }) => ({
        place: this.places.indexOf(place) + 1,
        view: this.worlds.partNumber(after),
      })),
    );
  }

  private requireAllowed(world: number, place: number): void {
    const moment = this.worlds.get(world)[0]!;
    const allowed = (this.allowed[moment] ??= []);
    if (allowed[place] === true) return;
    leave((this.worlds.part(moment) as Moment).k, this.places[place - 1]!);
    allowed[place] = true;
  }

  /** Readers that a grace period waits for which begins now, as a bit set. */
  private holdouts(tasks: number): number {
    let all = 0;
    for (let reader = 0; reader < this.readers; reader++)
      if (HOLDS_UP[Number(((tasks >>> (PLACE_BITS * reader)) & PLACE_MASK) !== OUTSIDE)]) all |= 1 << reader;
    return all;
  }
}

/** The world after a step of the updater, and whether it waits for a grace period then. */
interface Update {
  readonly to: number;
  readonly waits: boolean;
}

const UPDATER = 'client#1';
const PLACE_BITS = 3;
const PLACE_MASK = (1 << PLACE_BITS) - 1;
const OUTSIDE = 0;

/** Whether a task holds up a grace period: one that is outside, one that runs. */
const HOLDS_UP = (['outside', 'running'] as const).map((condition) =>
  isWaitedFor('rcu_tasks', { condition, current: nothingForbidden(), keepsCpu: false, idle: false }),
);
