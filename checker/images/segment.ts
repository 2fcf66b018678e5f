import { entry } from '../../model/core/present.ts';
import { resetLog } from '../../model/trampoline/stage/cells.ts';
import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { EVENT, eventsBetween } from '../../model/trampoline/stage/event.ts';
import { CELL } from '../../model/trampoline/stage/layout.ts';
import type { Stage } from '../../model/trampoline/stage/stage.ts';
import {
  CALLER_RETURN,
  ENTER_CHOICES,
  RETURN_CHOICE,
  SLOTS_MAX,
} from '../../model/trampoline/stage/stubs.ts';
import { cell } from '../../model/x86/cell.ts';
import { FAMILY } from '../../model/x86/instruction.ts';
import { setBreakpoint } from '../../model/x86/link.ts';
import type { Stop } from '../../model/x86/machine.ts';
import { JOURNAL_ROW, readRegister, registerTags } from '../../model/x86/machine.ts';
import { offsetIn, readWord } from '../../model/x86/memory.ts';
import { CONSTANT4 } from '../../model/x86/origin.ts';
import { R9, RDI, RSP } from '../../model/x86/register.ts';
import { run } from '../../model/x86/run.ts';
import { UnsupportedInstruction } from '../../model/x86/unsupported.ts';
import type { Word } from '../../model/x86/word.ts';
import { equal } from '../../model/x86/word.ts';
import type { EndOfPath } from '../../properties/law/image-law.ts';
import type { Subject } from '../../properties/observed/subject.ts';

/**
 * A call is run from one point of interest to the next. Between two points nothing is decided: the events of the
 * stubs are read from the log.
 */
export type StopPoint =
  /** Enter is about to answer for a program, or a program is about to return. `program` 0: not one of ours. */
  | { readonly kind: 'start' | 'return'; readonly program: number }
  /** The image is about to return. */
  | { readonly kind: 'leave' }
  /** The call has returned to the caller. */
  | { readonly kind: 'end' }
  | { readonly kind: 'stopped'; readonly stop: Exclude<Stop, { kind: 'breakpoint' }> }
  /** The run left the instructions of the image or of a stub: it jumped into the middle of one. */
  | { readonly kind: 'astray'; readonly at: Word; readonly message: string };

/** Instructions between two points, at most. */
const BUDGET = 20_000;

/** Sets the breakpoints of the stubs; once for a stage. */
export function watchStubs(stage: Stage): void {
  const names = [CALLER_RETURN, ...ENTER_CHOICES];
  for (let slots = 0; slots <= SLOTS_MAX; slots++) names.push(`${RETURN_CHOICE} ${slots}`);
  for (const name of names) breakAt(stage, entry(stage.stubs, name));
}

function breakAt(stage: Stage, address: Word): void {
  setBreakpoint(stage.machine, stage.text, offsetIn(stage.text, address.hi, address.lo));
}

/** Sets breakpoints on the instructions by which an installed image returns. */
export function watchReturns(stage: Stage, subject: Subject): void {
  const thunk = subject.request.mitigations.returnThunk;
  for (const { family, offset, target } of subject.swept) {
    const jumps = family === FAMILY.JUMP && thunk !== undefined && subject.addresses.nameOf(target) === thunk;
    if (family === FAMILY.RETURN || jumps) setBreakpoint(stage.machine, stage.image, offset);
  }
}

/** Runs to the next point. */
export function runToPoint(stage: Stage, subject: Subject): StopPoint {
  try {
    const stop = run(stage.machine, BUDGET);
    return stop.kind === 'breakpoint' ? pointAt(stage, subject, stop.at) : { kind: 'stopped', stop };
  } catch (error) {
    if (error instanceof UnsupportedInstruction && !startsAt(stage, subject, error.at))
      return { kind: 'astray', at: error.at, message: error.message };
    throw error;
  }
}

/** Whether an address is the start of an instruction of the image. */
export function startsAt(stage: Stage, subject: Subject, address: Word): boolean {
  const offset = offsetIn(stage.image, address.hi, address.lo);
  return subject.swept.some((swept) => swept.offset === offset);
}

/** The meaning of a breakpoint. */
export function pointAt(stage: Stage, subject: Subject, address: Word): StopPoint {
  if (offsetIn(stage.image, address.hi, address.lo) < stage.image.size) return { kind: 'leave' };
  if (equal(address, entry(stage.stubs, CALLER_RETURN))) return { kind: 'end' };
  const starts = ENTER_CHOICES.some((name) => equal(address, entry(stage.stubs, name)));
  if (!starts) return { kind: 'return', program: readRegister(stage.machine, R9).lo >>> 8 };
  const pointer = readRegister(stage.machine, RDI);
  const program = subject.addresses.programStructs.findIndex(
    (word) => word !== undefined && equal(word, pointer),
  );
  return { kind: 'start', program: Math.max(program, 0) };
}

/** The events of the stubs and the image's stores since the last call of this, in order; the log is consumed. */
export function takeEvents(stage: Stage, subject: Subject): StageEvent[] {
  const { data } = stage;
  const log = { words: data.words, tags: data.tagWords };
  const next = readWord(data, CELL.LOG_NEXT);
  const to = offsetIn(data, next.hi, next.lo) >> 2;
  const events = eventsBetween(log, CELL.LOG >> 2, to, subject.contract.slots.length, subject.stackWords);
  resetLog(stage);
  return events;
}

/** The image's stores since the last call of this, as events. */
export function takeStores(stage: Stage): StageEvent[] {
  const { machine, image } = stage;
  const events: StageEvent[] = [];
  const { journal } = machine;
  const rows = Math.min(machine.journalLength, journal.length);
  for (let index = 0; index < rows; index += JOURNAL_ROW) {
    const words = new Int32Array(8);
    words[2] = (image.base.lo + cell(journal, index)) | 0;
    words[3] = image.base.hi;
    words[4] = cell(journal, index + 2);
    words[5] = cell(journal, index + 1);
    words[6] = cell(journal, index + 3);
    events.push(synthetic(EVENT.STORE, words));
  }
  machine.journalLength = 0;
  return events;
}

/** The image's return about to happen, as an event. */
export function leaveEvent(stage: Stage): StageEvent {
  const { machine, stack } = stage;
  const rsp = readRegister(machine, RSP);
  const offset = offsetIn(stack, rsp.hi, rsp.lo);
  const target = offset + 8 <= stack.size && (offset & 7) === 0 ? readWord(stack, offset) : { hi: 0, lo: 0 };
  const { rip } = machine;
  const words = Int32Array.of(0, 0, rip.lo, rip.hi, rsp.lo, rsp.hi, target.lo, target.hi);
  return synthetic(EVENT.LEAVE, words);
}

/** An event of three words that no stub recorded: they are constants. */
function synthetic(kind: number, words: Int32Array): StageEvent {
  return { kind, number: 0, at: 0, log: { words, tags: CONSTANTS } };
}

const CONSTANTS = new Int32Array(8).fill(CONSTANT4);

/** The caller's view once the call has returned. */
export function endOf(stage: Stage): EndOfPath {
  const { machine, data } = stage;
  const index = CELL.TASK_CONTEXT >> 2;
  return {
    register: (reg) => {
      const { lo, hi } = registerTags(machine, reg);
      return { value: readRegister(machine, reg), tagLo: lo, tagHi: hi };
    },
    taskContext: {
      value: readWord(data, CELL.TASK_CONTEXT),
      tagLo: cell(data.tagWords, index),
      tagHi: cell(data.tagWords, index + 1),
    },
  };
}
