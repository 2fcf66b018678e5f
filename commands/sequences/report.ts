import type { SequenceResult } from '../../conformance/sequences/boots.ts';
import { recordedErrno } from '../../conformance/sequences/compare.ts';
import type { Divergence, EventLists } from '../../conformance/sequences/divergence.ts';
import type { RecordedSequence, RecordedSequenceEvent } from '../../conformance/sequences/record.ts';
import { EVENT_FIELDS, firstDifference, printEvent } from '../../conformance/sequences/same-events.ts';
import { spread, WIDTH, wrap } from '../../counterexamples/text.ts';
import { item } from '../../model/core/present.ts';

/*
 * The report of one sequence that differs: the operations up to the step with their errnos, and the kernel and the
 * model side by side.
 */

/** Where the columns of the kernel and of the model start. */
const KERNEL_COLUMN = 20;
const MODEL_COLUMN = 50;

export function divergenceReport({ sequence, divergence, how }: SequenceResult): string[] {
  const { place, kernel, set, seq } = sequence;
  return [
    spread(`✗ ${place}`, `${kernel} ${set} ${seq}, ${how}`),
    '',
    ...stepLines(sequence, divergence!),
    '',
    ...differenceLines(divergence!),
    '',
    `  question   ${question(sequence, divergence!.step)}`,
  ];
}

/** The operations up to the one that differs, in a form that can be run on a real kernel again. */
function question({ fns, ops }: RecordedSequence, step: number): string {
  const texts = ops.slice(0, step + 1).map(({ text }) => text);
  return `fns=${fns.join(',')}: ${texts.join('; ')}`;
}

/** The operations with the kernel's answers. The last step is the reset. */
function stepLines({ steps, ops }: RecordedSequence, { step }: Divergence): string[] {
  const lines = steps
    .slice(0, step + 1)
    .map(({ errno }, i) => stepLine(i, item(ops, i).text, `= ${recordedErrno(errno)}`, i === step));
  return step < steps.length ? lines : [...lines, stepLine(step, 'everything is detached', '', true)];
}

function stepLine(i: number, text: string, answer: string, differs: boolean): string {
  return spread(`${differs ? '✗' : ' '} ${String(i + 1).padStart(2)}  ${text}`, answer).trimEnd();
}

/** Both sides in columns, or one above the other when they are too long for that. */
function differenceLines({ aspect, fn, kernel, model, events }: Divergence): string[] {
  const what = fn === undefined ? aspect : `${aspect}, ${fn}`;
  if (events !== undefined)
    return [`  ${what}`, eventRow('', `kernel: ${kernel}`, `model: ${model}`), ...eventLines(events)];
  if (Math.max(kernel.length, model.length) < MODEL_COLUMN - KERNEL_COLUMN)
    return [
      `${''.padEnd(KERNEL_COLUMN) + 'kernel'.padEnd(MODEL_COLUMN - KERNEL_COLUMN)}model`,
      `✗ ${what}`.padEnd(KERNEL_COLUMN) + kernel.padEnd(MODEL_COLUMN - KERNEL_COLUMN) + model,
    ];
  const line = (label: string, text: string) =>
    wrap(text, WIDTH - KERNEL_COLUMN).map((part, i) => (i === 0 ? label : '').padEnd(KERNEL_COLUMN) + part);
  return [`✗ ${what}`, ...line('  kernel', kernel), ...line('  model', model)];
}

/** Events before the first that differs, and after it. */
const EVENTS_AROUND = 3;

/** The events around the first that differs, and the fields of that one. */
function eventLines({ kernel, model }: EventLists): string[] {
  const index = firstDifference(kernel, model)!;
  const most = Math.max(kernel.length, model.length);
  const [from, to] = [Math.max(0, index - EVENTS_AROUND), Math.min(most, index + 1 + EVENTS_AROUND)];
  const lines: string[] = [];
  if (from > 0) lines.push(eventRow('', `… ${from} before`, ''));
  for (let i = from; i < to; i++) {
    lines.push(eventRow(i === index ? '✗' : '', eventText(kernel[i]), eventText(model[i])));
    if (i === index) lines.push(...fieldLines(kernel[i], model[i]));
  }
  if (to < most) lines.push(eventRow('', `… ${most - to} after`, ''));
  return lines;
}

function eventText(event: RecordedSequenceEvent | undefined): string {
  return event === undefined ? NOTHING : printEvent(event);
}

const NOTHING = '–';

/** Columns of two lists of events. */
const MARK = 4;
const EVENT = 38;

function eventRow(mark: string, kernel: string, model: string): string {
  return (mark.padEnd(MARK) + shortened(kernel, EVENT - 1).padEnd(EVENT) + shortened(model, EVENT)).trimEnd();
}

function shortened(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

/** The difference between two events of one kind: a field, or some words of one. */
function fieldLines(
  kernel: RecordedSequenceEvent | undefined,
  model: RecordedSequenceEvent | undefined,
): string[] {
  if (kernel === undefined || model === undefined || kernel.h !== model.h) return [];
  return EVENT_FIELDS.flatMap((field) => {
    const [theirs, ours] = [wordsOf(kernel[field]), wordsOf(model[field])];
    const name = (i: number) => (theirs.length + ours.length > 2 ? `${field}[${i}]` : field);
    return Array.from({ length: Math.max(theirs.length, ours.length) }, (_, i) => i).flatMap((i) => {
      const [a = NOTHING, b = NOTHING] = [theirs[i], ours[i]];
      return a === b ? [] : [eventRow('', `  ${name(i)} ${a}`, `  ${name(i)} ${b}`)];
    });
  });
}

function wordsOf(value: RecordedSequenceEvent[keyof RecordedSequenceEvent]): readonly string[] {
  if (value === undefined) return [NOTHING];
  return Array.isArray(value) ? value : [String(value)];
}
