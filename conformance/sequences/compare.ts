import { counted } from '../../counterexamples/text.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { errnoName } from '../../model/core/errno.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import { item } from '../../model/core/present.ts';
import type { Divergence } from './divergence.ts';
import { difference } from './divergence.ts';
import { recordedLine } from './enabled.ts';
import { isSamePlace, modelEntry, recordedEntry } from './entry.ts';
import type { DoneInLab, Lab } from './lab.ts';
import { observe } from './observe.ts';
import { directErrno, performOp, reset } from './operations.ts';
import type { RecordedObservation, RecordedSequence } from './record.ts';
import type { EventOrder } from './same-events.ts';
import { comparable, firstDifference, inOrder } from './same-events.ts';

/** The result of replaying a sequence on some state. */
export interface SequenceReplay {
  readonly divergence: Divergence | undefined;
  /** For each compared step: the source of a warning. */
  readonly warned: readonly Warned[];
}

export interface Warned {
  readonly kernel: boolean;
  readonly model: boolean;
}

/** Replays a sequence on a recorder's kernel, and compares every step up to the first difference. */
export function replayOn(lab: Lab, sequence: RecordedSequence, order: EventOrder): SequenceReplay {
  const warned: Warned[] = [];
  for (const i of sequence.steps.keys()) {
    const divergence = compareStep(lab, sequence, i, order);
    if (divergence !== undefined) return { divergence, warned };
    warned.push(warnedIn(lab, sequence, i));
  }
  return { divergence: compareEnd(lab, sequence), warned };
}

/** The sources of a WARN in the step that was compared last. */
export function warnedIn({ warnings }: Lab, { steps }: RecordedSequence, i: number): Warned {
  return { kernel: item(steps, i).warn !== undefined, model: warnings.length > 0 };
}

export function compareStep(
  lab: Lab,
  { steps, ops, fns }: RecordedSequence,
  i: number,
  order: EventOrder,
): Divergence | undefined {
  const step = item(steps, i);
  lab.warnings = [];
  const done = performOp(lab, item(ops, i));
  const found =
    compareCrash(lab, i) ??
    difference(i, 'errno', { kernel: recordedErrno(step.errno), model: spellErrno(done.errno) }) ??
    difference(i, 'stage', { kernel: step.stage ?? 'none', model: done.stage ?? 'none' }) ??
    difference(i, 'attached', { kernel: `${step.attached ?? 'none'}`, model: `${done.attached ?? 'none'}` });
  if (found !== undefined) return found;
  for (const [j, fn] of fns.entries()) {
    const divergence = compareFunction(lab, { step: i, fn, order }, item(step.obs, j));
    if (divergence !== undefined) return divergence;
  }
  return undefined;
}

interface Look {
  readonly step: number;
  readonly fn: FunctionName;
  readonly order: EventOrder;
}

/** Compares the observations of one function: its entry, its line in tracefs, and a call. */
function compareFunction(
  lab: Lab,
  { step, fn, order }: Look,
  { entry, jmp, enabled, call }: RecordedObservation,
): Divergence | undefined {
  const model = observe(lab, fn);
  const leads = recordedEntry(entry, jmp === 1);
  if (!isSamePlace(leads, model.entry))
    return difference(step, 'entry', { kernel: leads, model: model.entry }, fn);
  // The recorder reads the line of a patched function only.
  const line = { kernel: recordedLine(enabled), model: model.enabled };
  if (leads !== 'nop' && !isSamePlace(line.kernel, line.model))
    return difference(step, 'enabled_functions', line, fn);
  if (model.broken !== undefined)
    return difference(step, 'call', { kernel: 'it returns', model: model.broken }, fn);
  const recorded = call.ev.map((event, i) => comparable(lab, event, model.events[i]));
  const events = { kernel: inOrder(lab, recorded, order), model: inOrder(lab, model.events, order) };
  if (firstDifference(events.kernel, events.model) !== undefined)
    return {
      step,
      aspect: 'events',
      fn,
      kernel: counted(recorded.length, 'event'),
      model: counted(model.events.length, 'event'),
      events,
    };
  const lost = { kernel: lostRegisters(call.callee_saved_bad), model: model.lost.join(' ') || NONE };
  return (
    difference(step, 'rax', { kernel: call.rax, model: model.rax }, fn) ??
    difference(step, 'callee-saved', lost, fn)
  );
}

const NONE = 'all preserved';

/** The recorder's mask of registers that a call did not preserve. */
function lostRegisters(mask = 0): string {
  return ['rbx', 'r12', 'r13', 'r14', 'r15'].filter((_, bit) => (mask & (1 << bit)) !== 0).join(' ') || NONE;
}

function compareCrash(lab: Lab, step: number): Divergence | undefined {
  return difference(step, 'crash', {
    kernel: 'continues',
    model: lab.died === undefined ? 'continues' : crashText(lab.died),
  });
}

/** Everything is detached; then entries are nops again, and each function accepts a direct call. */
export function compareEnd(lab: Lab, sequence: RecordedSequence): Divergence | undefined {
  const { steps, fns, after_reset, poisoned } = sequence;
  if (after_reset === undefined) return undefined;
  const end = steps.length;
  reset(lab);
  const crash = compareCrash(lab, end);
  if (crash !== undefined) return crash;
  for (const [i, fn] of fns.entries()) {
    // The recorder does not note by which instruction.
    const model = modelEntry(lab, fn).replace(/^jmp /, 'call ');
    const kernel = recordedEntry(item(after_reset, i), false);
    if (!isSamePlace(kernel, model)) return difference(end, 'after_reset', { kernel, model }, fn);
  }
  if (after_reset.some((entry) => entry !== 'nop')) return undefined;
  for (const fn of fns) {
    const kernel = poisoned?.fn === fn ? recordedErrno(poisoned.dreg_errno) : '0';
    const found = difference(end, 'poisoned', { kernel, model: spellErrno(directErrno(lab, fn)) }, fn);
    if (found !== undefined || kernel !== '0') return found;
  }
  return compareCrash(lab, end);
}

/** The recorder's errno for what it refuses itself. */
const EALREADY = 114;

export function recordedErrno(errno: number): string {
  return errno === 0 ? '0' : errno === EALREADY ? 'EALREADY' : errnoName(errno);
}

function spellErrno(errno: DoneInLab['errno']): string {
  return String(errno);
}
