import { nextInstruction } from '../../model/call/next-instruction.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { entry } from '../../model/core/present.ts';
import { setReturn, setSessions, setStart } from '../../model/trampoline/stage/cells.ts';
import { installImage } from '../../model/trampoline/stage/install.ts';
import { PROGRAMS_MAX, STACK_BYTES } from '../../model/trampoline/stage/layout.ts';
import { beginCall, callWith } from '../../model/trampoline/stage/prepare.ts';
import type { Stage } from '../../model/trampoline/stage/stage.ts';
import { CALLER_RETURN } from '../../model/trampoline/stage/stubs.ts';
import { describeFault } from '../../model/x86/fault-words.ts';
import { FAMILY } from '../../model/x86/instruction.ts';
import { isBreakpoint } from '../../model/x86/link.ts';
import type { Stop } from '../../model/x86/machine.ts';
import { UnsupportedInstruction } from '../../model/x86/unsupported.ts';
import { equal } from '../../model/x86/word.ts';
import type { Subject } from '../../properties/observed/subject.ts';
import { lookingSessions } from '../../properties/trampoline/session-cookies-are-separate.ts';
import type { Choice } from '../images/paths.ts';
import { pointAt, startsAt, takeEvents } from '../images/segment.ts';
import { seenOnStage } from './case-events.ts';
import type { ExplainedMoment } from './moment.ts';
import { Recorder } from './recorder.ts';
import { isInC, isStub, stagePlace } from './stage-places.ts';

/** The course of an attach combination's call, transfer by transfer. */
export interface ObservedCase {
  readonly moments: readonly ExplainedMoment[];
  /** Why it did not return, in one sentence; undefined: it did. */
  readonly fault: string | undefined;
}

/** Instructions of one call, at most. */
const BUDGET = 50_000;

/**
 * Makes the call of an image on a stage, instruction by instruction. `choices` are the answers of `__bpf_prog_enter`
 * and of programs along the path; after them all give their default answers.
 */
export function observeCase(stage: Stage, subject: Subject, choices: readonly Choice[]): ObservedCase {
  prepare(stage, subject);
  const events: CallEvent[] = [];
  const left = [...choices];
  const recorder = new Recorder(stage.machine, {
    codeAt: (address) => stagePlace(stage, subject, address),
    isC: (address) => isInC(stage, address),
    stackEnd: STACK_BYTES + 8 * subject.stackWords,
    kept: () => [],
  });
  const step = (): Stop => {
    answer(stage, subject, left);
    if (isLeavingStub(stage)) {
      events.push(...takeEvents(stage, subject).flatMap((event) => seenOnStage(event, subject)));
      recorder.see(events);
    }
    return recorder.step();
  };
  return { moments: recorder.moments, fault: runToCaller(stage, subject, step) };
}

/** Why it does not return, in one sentence; undefined: it does. */
function runToCaller(stage: Stage, subject: Subject, step: () => Stop): string | undefined {
  try {
    for (let i = 0; i < BUDGET; i++) {
      if (equal(stage.machine.rip, entry(stage.stubs, CALLER_RETURN))) return undefined;
      const stop = step();
      if (stop.kind === 'fault') return describeFault(stage.machine, stop.fault);
    }
    return `it takes more than ${BUDGET} instructions`;
  } catch (error) {
    if (error instanceof UnsupportedInstruction && !startsAt(stage, subject, error.at))
      return `it jumps into the middle of an instruction: ${error.message}`;
    throw error;
  }
}

function prepare(stage: Stage, subject: Subject): void {
  installImage(stage, subject.bytes, subject.entry, subject.stackWords);
  setSessions(stage, lookingSessions(subject));
  beginCall(stage, callWith(stage, subject.contract.slots));
  stage.machine.strict = false;
  for (let id = 0; id <= PROGRAMS_MAX; id++) {
    setStart(stage, id, true);
    setReturn(stage, id, false);
  }
}

/** Where an answer is chosen: the next one of the path, if it is that program's. */
function answer(stage: Stage, subject: Subject, left: Choice[]): void {
  const { machine } = stage;
  if (!isBreakpoint(machine, machine.rip)) return;
  const point = pointAt(stage, subject, { ...machine.rip });
  const next = left[0];
  if (next === undefined || point.kind !== next.question || point.program !== next.program) return;
  left.shift();
  if (next.question === 'start') setStart(stage, next.program, next.nonzero);
  else setReturn(stage, next.program, next.nonzero);
}

/** A stub is about to return: its events are recorded. */
function isLeavingStub(stage: Stage): boolean {
  const { machine } = stage;
  return isStub(stage, machine.rip) && nextInstruction(machine)?.family === FAMILY.RETURN;
}
