import { taskName } from '../../checker/interleavings/actor-names.ts';
import type { Schedule } from '../../checker/interleavings/schedule.ts';
import { counted } from '../../counterexamples/text.ts';
import type { Action } from '../../model/client/all.ts';
import { item, last } from '../../model/core/present.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { INTERRUPTIONS } from '../../properties/observed/scenario.ts';
import type { Bootable } from '../boot/guest.ts';
import { Guest, GuestLost } from '../boot/guest.ts';
import { readCall, readEntry, readOp } from '../history/answer.ts';
import { castOf } from '../history/cast.ts';
import type { CastHistory } from '../history/cast-history.ts';
import { open, ownLine, wordingOf } from '../history/cast-history.ts';
import { wireLine } from '../wire/line.ts';
import { CannotSay, op } from '../wire/numbers.ts';
import { KernelCode } from './code.ts';
import type { PlaceRating } from './places.ts';
import { ratingOf, whyNowhere } from './places.ts';
import { KernelStage } from './stage.ts';
import type { Staging } from './staging.ts';
import { fetchesStale, stagingOf, stopsOf, whyUnbroken } from './staging.ts';
import type { ShownSchedule } from './verdict.ts';
import { crashed, verdict } from './verdict.ts';

export interface RanSchedule {
  readonly shown: ShownSchedule;
  /** Undefined: it was not run. */
  readonly staging: Staging | undefined;
}

/** A preempted task is one on a running CPU, in a kernel that preempts; freed memory shows. */
const WORDS = 'preempt=full slub_debug=FZP';

/** Runs a schedule of the model on a kernel, with its tasks stopped where it says. */
export function runSchedule(bootable: Bootable, schedule: Schedule, law: TaskLaw): RanSchedule {
  const { scenario } = schedule;
  const question = castFor(scenario);
  const why = whyNot(scenario, question);
  if (why !== undefined) return { shown: { is: 'not run', why }, staging: undefined };
  for (let boots = 1; ; boots++) {
    const ran = inNewGuest(bootable, question, schedule, law);
    if (ran !== undefined) return ran;
    if (boots === BOOTS_MOST)
      return {
        shown: {
          is: 'not run',
          why: `the emulator executed int3s that are not there in ${counted(boots, 'boot')}`,
        },
        staging: undefined,
      };
  }
}

const BOOTS_MOST = 5;

/** Undefined: the emulator failed. */
function inNewGuest(
  bootable: Bootable,
  question: CastHistory,
  schedule: Schedule,
  law: TaskLaw,
): RanSchedule | undefined {
  const { clients, callers } = schedule.scenario;
  let guest: Guest | undefined;
  try {
    guest = new Guest(bootable, { other: { cpus: 1 + clients.length + callers.length, words: WORDS } });
    return onGuest(guest, question, schedule, law);
  } catch (error) {
    if (error instanceof GuestLost && isOfEmulator(error)) return undefined;
    throw error;
  } finally {
    guest?.close();
  }
}

/**
 * With several CPUs QEMU 7.2 now and then executes an int3 that a text poke has taken away already: the kernel then
 * panics in a function of its own. An int3 in freed memory is at an address without a name, or in an image.
 */
export function isOfEmulator({ console }: Pick<GuestLost, 'console'>): boolean {
  const isInt3 = console.some((line) => /Oops: int3|^int3:/.test(line));
  const place = console.map((line) => /RIP: 0010:(\S+)/.exec(line)?.[1]).find((name) => name !== undefined);
  return (
    isInt3 &&
    place !== undefined &&
    /^[a-z_]\w*(\.\w+)*\+0x/.test(place) &&
    !/^bpf_|_ops_trampoline/.test(place)
  );
}

function onGuest(guest: Guest, question: CastHistory, schedule: Schedule, law: TaskLaw): RanSchedule {
  const code = new KernelCode(guest);
  const ratings = new Map<string, PlaceRating>();
  const rate = (place: string) => {
    const rating = ratings.get(place) ?? ratingOf(code, place);
    ratings.set(place, rating);
    return rating;
  };
  const staging = stagingOf(schedule, law, rate);
  if (staging === undefined) return { shown: { is: 'not run', why: whyUnbroken(schedule) }, staging };
  const unknown = stopsOf(staging).find(({ stop }) => rate(stop.at) === 'unknown');
  if (unknown !== undefined) {
    const place = unknown.stop.at;
    const why = whyNowhere(place) ?? `no place in this kernel is known for ${place}`;
    return { shown: { is: 'not run', why }, staging };
  }
  if (staging.directions.some(fetchesStale))
    return { shown: { is: 'not run', why: 'an emulated CPU fetches what is in memory now' }, staging };
  try {
    return { shown: staged(guest, question, code, staging), staging };
  } catch (error) {
    if (error instanceof CannotSay) return { shown: { is: 'not run', why: error.message }, staging };
    if (error instanceof GuestLost && !isOfEmulator(error))
      return { shown: crashed(staging, error), staging };
    throw error;
  }
}

function castFor({ profile, functions, setup }: Scenario): CastHistory {
  return { case: { profile, functions, actions: setup }, cast: castOf({ functions }) };
}

/** Why the recorder cannot do what a scenario says; undefined: it can. */
function whyNot(
  { tracepoints = [], setup, clients, callers }: Scenario,
  question: CastHistory,
): string | undefined {
  if (tracepoints.length > 0) return 'tracepoints';
  const calls = callers.map(({ call }): Action => ({ do: 'call', ...call }));
  for (const action of [...setup, ...clients.flat(), ...calls]) {
    const line = wireLine(action, wordingOf(question));
    if (typeof line !== 'string') return line.why;
  }
  if (callers.some((caller) => INTERRUPTIONS.some((kind) => caller[kind] !== undefined)))
    return 'an interrupt that makes a call';
  return callers.some(({ idle }) => idle === true) ? 'a call of the idle task' : undefined;
}

/** Sets up, follows the directions, and compares what came of them. */
function staged(guest: Guest, question: CastHistory, code: KernelCode, staging: Staging): ShownSchedule {
  const { scenario } = staging.space;
  open(question, (lines) => guest.ask(lines));
  for (const action of scenario.setup) {
    const { errno } = readOp(item(guest.ask([ownLine(question, action)]), 0));
    if (errno !== '0') return { is: 'differs', kernel: [`${action.do}: ${errno}`], model: ['0'] };
  }
  guest.ask([op('SETTLE')]);
  const places = placesOf(guest, question);
  guest.ask([TAKE]);
  const stage = new KernelStage(guest, code, question, staging);
  for (const [i, { startsAt }] of scenario.callers.entries()) {
    if (startsAt === undefined) continue;
    const begun = stage.begin(taskName(i), startsAt.place);
    if (begun.is === 'not stopped') return begun;
  }
  for (const [i, direction] of staging.directions.entries()) {
    const { to, after } = last(item(staging.played, i));
    const followed = stage.follow(direction, to);
    if (followed.is === 'not stopped') return followed;
    if (after !== undefined && staging.space.worksOf(after).length > 0) stage.waitForBackground();
  }
  stage.finish();
  const seen = readCall(item(guest.ask([TAKE]), 0), question.cast, places);
  const { actor } = last(last(staging.played)).turn;
  const answer = { ...seen, warnings: [...stage.warnings, ...seen.warnings] };
  return verdict(answer, question, staging, stage.cpuOf(actor));
}

/** The line for what was seen since it was last sent. */
const TAKE = 'e';

/** The addresses of the functions, by name. */
function placesOf(guest: Guest, { cast }: CastHistory): Map<string, bigint> {
  return new Map(
    [...cast].map(([name, number]) => [name, readEntry(item(guest.ask([`o ${number}`]), 0)).address]),
  );
}
