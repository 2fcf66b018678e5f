import { codePlace } from '../../model/call/code-place.ts';
import { item } from '../../model/core/present.ts';
import { nextInstruction } from '../../model/core/run.ts';
import type { RoutineFrame } from '../../model/core/world.ts';
import type { KernelView } from '../../model/kernel.ts';
import { describeBranch } from '../../model/text/branch.ts';
import { addressOfPlace } from '../../model/text/int3.ts';
import { branchTarget } from '../../model/text/space.ts';
import type { TextPlace } from '../../model/text/text.ts';
import { fetches, INT3 } from '../../model/text/view.ts';
import type { Wait } from '../../properties/law/wait.ts';
import { clientName, taskName } from './actor-names.ts';
import type { Move } from './move.ts';
import type { Work } from './parts.ts';
import type { Space } from './space.ts';
import type { PackedState } from './state.ts';
import { conditionIn, cpuIn, OVER, standingIn } from './state.ts';

/* The names of actors in a schedule, and of the places that they reach. */

/** The actor of a move: `client#1`, `task#2`, `work bpf_tramp_image_put(tramp#1)`. */
export function actorOf(
  space: Space,
  state: PackedState,
  { who, index }: Pick<Move, 'who' | 'index'>,
): string {
  if (who === 'client') return clientName(index);
  return who === 'caller' ? taskName(index) : item(workNames(space.worksOf(state)), index);
}

/** Background work by routine and arguments; of several that are alike, each with its number. */
function workNames(works: readonly Work[]): string[] {
  const names = works.map(nameOfWork);
  return names.map((name, i) => {
    const before = names.slice(0, i).filter((other) => other === name).length;
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}

/** `work bpf_tramp_image_put(tramp#1)`. */
export function nameOfWork({ routine, args }: Work): string {
  return `work ${routine}(${Object.values(args).join(', ')})`;
}

/** An actor by the name that schedules have for it: an operation itself names background work in another way. */
export function namedActor(works: readonly Work[], who: string): string {
  const work = works.find((own) => own.who === who);
  return work === undefined ? who : nameOfWork(work);
}

/** A wait between actors by these names. */
export function namedWait(works: readonly Work[], wait: Wait): Wait {
  const who = namedActor(works, wait.who);
  return wait.is === 'lock' ? { ...wait, who, holder: namedActor(works, wait.holder) } : { ...wait, who };
}

/** The instructions that a task's CPU may fetch at its place, as text; empty where there is only one. */
export function fetchesOf(space: Space, state: PackedState, caller: number): string[] {
  const now = space.callerOf(state, caller);
  const cpu = cpuIn(standingIn(state, caller));
  if (now === null || now.trapped || cpu < 0) return [];
  const k = space.kernelOf(state);
  const stand = space.runner.standOf(k, now);
  if (stand.at !== 'place') return [];
  const address = addressOfPlace(k, stand.place);
  const all = fetches(k, item(k.text.views, cpu), stand.place).map(({ bytes, torn }) => {
    const text =
      bytes === INT3 ? 'int3' : (jumpWithin(k, bytes, stand.place) ?? describeBranch(k, bytes, address));
    return torn ? `torn ${text}` : text;
  });
  return all.length === 1 ? [] : all.map((text, i) => withNumber(all, text, i));
}

/** A jump within the code around it: `jmp trace_xdp_exception+0x6`; undefined when it is none. */
function jumpWithin(k: KernelView, bytes: string, place: TextPlace): string | undefined {
  if (place.kind !== 'page' || !bytes.startsWith(JMP)) return undefined;
  const to = codePlace(k, branchTarget(bytes, addressOfPlace(k, place)));
  return to.startsWith(`${place.name}+`) ? `jmp ${to}` : undefined;
}

const JMP = 'e9';

/** Equal texts that leave the CPU with different views get a number. */
function withNumber(all: readonly string[], text: string, i: number): string {
  const before = all.slice(0, i).filter((other) => other === text).length;
  return before === 0 ? text : `${text} (${before + 1})`;
}

/** A crashed kernel has no next place. */
export const CRASH = 'a crash';
export const ITS_END = 'its end';

/** The place that a move reaches: `f1+0x4`, `bpf_tramp_image_put: retire the image`, `its end, 0`. */
export function placeAfter(
  space: Space,
  before: PackedState,
  move: Move,
  next: PackedState | undefined,
): string {
  if (next === undefined) return CRASH;
  if (move.who === 'caller') return placeOfTask(space, next, move.index);
  if (move.who === 'work') return placeOfWork(space, item(space.worksOf(before), move.index), before, next);
  const { frames, answers } = space.clientOf(next, move.index);
  if (frames !== null) return instruction(space, frames);
  // A client that retries has no answer yet.
  const answer = answers[space.clientOf(before, move.index).answers.length] ?? 'EAGAIN';
  return `${ITS_END}, ${answered(answer)}`;
}

/** What an operation has answered: `0`, `-EBUSY`. */
export function answered(answer: string | number): string {
  return answer === 0 ? '0' : `-${answer}`;
}

/** The place of a task: in text, or at a step of a function in C. */
export function placeOfTask(space: Space, state: PackedState, caller: number): string {
  const now = space.callerOf(state, caller);
  if (now === null) return conditionIn(standingIn(state, caller)) === OVER ? ITS_END : 'before its call';
  if (now.frames !== null) return instruction(space, now.frames);
  const place = space.runner.placeOf(space.kernelOf(state), now);
  return now.trapped ? `the int3 handler at ${place}` : place;
}

function placeOfWork(space: Space, work: Work, before: PackedState, next: PackedState): string {
  const isLike = ({ who }: Work) => who === work.who;
  const known = new Set(space.worksOf(before).map((item) => JSON.stringify(item)));
  const after = space.worksOf(next).filter(isLike);
  const moved = after.find((item) => !known.has(JSON.stringify(item)));
  if (moved !== undefined) return instruction(space, moved.frames);
  if (after.length < space.worksOf(before).filter(isLike).length) return ITS_END;
  return instruction(space, work.frames);
}

/** The step that comes next: `bpf_tramp_image_put: retire the image`. */
export function instruction({ program }: Space, frames: readonly RoutineFrame[]): string {
  const { routine, id } = nextInstruction(program, frames);
  return `${routine}: ${id}`;
}
