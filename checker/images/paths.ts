import { item } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { checksRecursion } from '../../model/trampoline/program.ts';
import { setReturn, setStart } from '../../model/trampoline/stage/cells.ts';
import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { EVENT_NAMES, wordOf } from '../../model/trampoline/stage/event.ts';
import { beginCall } from '../../model/trampoline/stage/prepare.ts';
import type { PreparedCall, Stage } from '../../model/trampoline/stage/stage.ts';
import { cell } from '../../model/x86/cell.ts';
import type { Word } from '../../model/x86/word.ts';
import { equal } from '../../model/x86/word.ts';
import type { ImageFinding } from '../../properties/finding/image-finding.ts';
import type { FoundInImage, Law, Observer } from '../../properties/law/image-law.ts';
import type { Subject } from '../../properties/observed/subject.ts';
import type { StopPoint } from './segment.ts';
import { endOf, leaveEvent, runToPoint, takeEvents, takeStores } from './segment.ts';
import type { Snapshots } from './snapshot.ts';
import { snapshotsOf } from './snapshot.ts';
import { stopFinding } from './stopped.ts';

/** One answer that decided the path: enter's, or that of a program which may replace the return value. */
export interface Choice {
  readonly program: number;
  readonly question: 'start' | 'return';
  /** Zero or not. */
  readonly nonzero: boolean;
}

/** A law that is broken on some path. */
export interface Breach {
  readonly law: Law;
  readonly finding: ImageFinding;
  /** Address of the instruction that shows it, or of the return address of the call in which it occurs. */
  readonly at?: Word;
  readonly returnsTo?: Word;
  readonly path: readonly Choice[];
  /** Address of the image's instruction that wrote the wrong word last, when there is such a word. */
  readonly writer: Word | undefined;
  /** Address of the instruction that left the image, if it did. */
  readonly left: Word | undefined;
}

/** The result of following every path of a call. */
export interface Paths {
  /** Paths to the return, each for all values of the arguments. */
  readonly paths: bigint;
  /** Places where a choice was made. Paths that reach one in the same state are followed once from there. */
  readonly states: number;
  readonly breach: Breach | undefined;
  readonly unfinished: Unfinished | undefined;
}

/** Why a run ended in a way that none of the checked laws forbids, and the law that does. */
export interface Unfinished {
  readonly law: string;
  readonly finding: ImageFinding;
}

/**
 * Follows a call through an installed image on every path that the answers of `__bpf_prog_enter` and of modify-return
 * programs open, checking the laws. One path covers all argument values, because a run stops where a branch or an
 * address would depend on one.
 */
export function followPaths(
  stage: Stage,
  subject: Subject,
  call: PreparedCall,
  { laws, isKnown }: Watchers,
): Paths {
  const walk: Walk = {
    stage,
    subject,
    laws,
    isKnown,
    observers: observersOf(laws),
    memories: new Int32Array(laws.length),
    places: snapshotsOf(stage),
    path: [],
    stores: [],
    left: undefined,
    breach: undefined,
    unfinished: undefined,
  };
  beginCall(stage, call);
  stage.machine.strict = true;
  const paths = follow(walk);
  return { paths, states: walk.places.size, breach: walk.breach, unfinished: walk.unfinished };
}

/** Laws that watch, and the known breaches: after one, a law continues with the memory that it had. */
export interface Watchers {
  readonly laws: readonly Law[];
  readonly isKnown: (breach: Breach) => boolean;
}

interface Walk extends Watchers {
  readonly stage: Stage;
  readonly subject: Subject;
  readonly observers: readonly (readonly Listener[])[];
  readonly memories: Int32Array;
  /** Those that have been followed to all their ends, or are being followed. */
  readonly places: Snapshots;
  readonly path: Choice[];
  /** The image's stores on this path. */
  readonly stores: StageEvent[];
  left: Word | undefined;
  breach: Breach | undefined;
  unfinished: Unfinished | undefined;
}

/** An observer and the law that it belongs to, by index. */
interface Listener {
  readonly law: number;
  readonly observer: Observer;
}

/** The observers of each kind of event, by the event's number. */
function observersOf(laws: readonly Law[]): readonly (readonly Listener[])[] {
  const known = OBSERVERS.get(laws);
  if (known !== undefined) return known;
  const byNumber: Listener[][] = [[]];
  for (const name of EVENT_NAMES) {
    const listeners = laws.flatMap(({ on }, law) =>
      on?.[name] === undefined ? [] : [{ law, observer: on[name] }],
    );
    byNumber.push(listeners);
  }
  OBSERVERS.set(laws, byNumber);
  return byNumber;
}

const OBSERVERS = new WeakMap<readonly Law[], readonly (readonly Listener[])[]>();

/** Points of a path between two that it forks at; an image with the most programs has a tenth of that. */
const POINTS_MOST = 2_000;

/** Continues from the machine's state; the number of paths to the return, or 0 once a law is broken. */
function follow(w: Walk): bigint {
  for (let left = POINTS_MOST; left > 0; left--) {
    const point = runToPoint(w.stage, w.subject);
    if (!watch(w)) return 0n;
    switch (point.kind) {
      case 'end':
        return conclude(w);
      case 'stopped':
      case 'astray':
        return breakOff(w, point);
      case 'leave':
        w.left = { ...w.stage.machine.rip };
        if (!show(w, leaveEvent(w.stage))) return 0n;
        break;
      case 'start':
        if (mayBeMissed(w.subject, point.program)) return fork(w, 'start', point.program);
        setStart(w.stage, point.program, true);
        break;
      case 'return':
        if (replacesReturn(w.subject, point.program)) return fork(w, 'return', point.program);
        setReturn(w.stage, point.program, w.subject.contract.isMember);
        break;
      default:
        return unreachable(point);
    }
  }
  return breakOff(w, { kind: 'stopped', stop: { kind: 'budget', at: { ...w.stage.machine.rip } } });
}

/** Whether the enter helper of a program can answer zero: not without a check for recursion. */
function mayBeMissed({ request }: Subject, id: number): boolean {
  return request.programs.some((program) => program.id === id && checksRecursion(program));
}

/** Only a modify-return program's answer decides a branch; a struct_ops member returns a value, the others zero. */
function replacesReturn(subject: Subject, id: number): boolean {
  return subject.request.programs.some((program) => program.id === id && program.kind === 'fmod_ret');
}

/** The ordinary answer first: the program runs, and lets the call continue. */
const ANSWERS = { start: [true, false], return: [false, true] } as const;

function fork(w: Walk, question: 'start' | 'return', program: number): bigint {
  const { snapshot, isNew } = w.places.take(w.memories);
  if (!isNew) return snapshot.count;
  const { length } = w.stores;
  const { left } = w;
  const [first] = ANSWERS[question];
  for (const nonzero of ANSWERS[question]) {
    if (nonzero !== first) w.places.restore(w.memories, snapshot);
    w.stores.length = length;
    w.left = left;
    if (question === 'start') setStart(w.stage, program, nonzero);
    else setReturn(w.stage, program, nonzero);
    w.path.push({ program, question, nonzero });
    snapshot.count += follow(w);
    if (w.breach !== undefined) return 0n;
    w.path.pop();
  }
  return snapshot.count;
}

/** Shows the laws the events since the last point; false when one is broken. */
function watch(w: Walk): boolean {
  for (const event of takeStores(w.stage)) {
    w.stores.push(event);
    if (!show(w, event)) return false;
  }
  for (const event of takeEvents(w.stage, w.subject)) if (!show(w, event)) return false;
  return true;
}

function show(w: Walk, event: StageEvent): boolean {
  for (const { law, observer } of item(w.observers, event.kind)) {
    const after = observer(cell(w.memories, law), event, w.subject);
    if (typeof after === 'number') w.memories[law] = after;
    else if (report(w, item(w.laws, law), after)) return false;
  }
  return true;
}

/** Whether a finding ends the walk: not if it is known. */
function report(w: Walk, law: Law, { slot, ...found }: FoundInImage): boolean {
  const store = slot && w.stores.findLast((event) => equal(wordOf(event, 2), slot));
  const writer = store && wordOf(store, 1);
  const breach = { law, ...found, path: [...w.path], writer, left: w.left };
  if (w.isKnown(breach)) return false;
  w.breach = breach;
  return true;
}

function conclude(w: Walk): bigint {
  const end = endOf(w.stage);
  for (let i = 0; i < w.laws.length; i++) {
    const found = item(w.laws, i).conclude?.(cell(w.memories, i), end, w.subject);
    if (found !== undefined && report(w, item(w.laws, i), found)) return 0n;
  }
  return 1n;
}

/** A run that did not return breaks the law that forbids it; it is noted if that law is not checked. */
function breakOff(w: Walk, point: Extract<StopPoint, { kind: 'stopped' | 'astray' }>): bigint {
  const { law, found } = stopFinding(w.stage, point);
  if (w.laws.includes(law)) report(w, law, found);
  else w.unfinished ??= { law: law.name, finding: found.finding };
  return 0n;
}
