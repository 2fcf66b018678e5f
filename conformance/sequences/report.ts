import { spread, WIDTH } from '../../counterexamples/text.ts';
import type { SequenceResult } from './boots.ts';
import { recordedErrno } from './compare.ts';
import type { Divergence, EventLists } from './divergence.ts';
import type { RecordedEvent, RecordedSequence } from './record.ts';
import { EVENT_FIELDS, firstDifference, printEvent } from './same-events.ts';

/*
 * The report of one sequence that differs: the operations up to the step with their errnos, and what the kernel and
 * the model say there side by side.
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
    row('', 'kernel', 'model'),
    ...differenceLines(divergence!),
    '',
    `  question   ${question(sequence, divergence!.step)}`,
  ];
}

/** The operations up to the one that differs, as they can be put to a real kernel once more. */
function question({ fns, ops }: RecordedSequence, step: number): string {
  const texts = ops.slice(0, step + 1).map(({ text }) => text);
  return `fns=${fns.join(',')}: ${texts.join('; ')}`;
}

/** The operations with the kernel's answers. What comes after them all is the reset. */
function stepLines({ steps, ops }: RecordedSequence, { step }: Divergence): string[] {
  const lines = steps
    .slice(0, step + 1)
    .map(({ errno }, i) => stepLine(i, ops[i]!.text, `= ${recordedErrno(errno)}`, i === step));
  return step < steps.length ? lines : [...lines, stepLine(step, 'everything is taken off', '', true)];
}

function stepLine(i: number, text: string, answer: string, differs: boolean): string {
  return spread(`${differs ? '✗' : ' '} ${String(i + 1).padStart(2)}  ${text}`, answer).trimEnd();
}

function differenceLines({ aspect, fn, kernel, model, events }: Divergence): string[] {
  const what = fn === undefined ? aspect : `${aspect}, ${fn}`;
  if (events !== undefined) return [row(`  ${what}`, kernel, model), ...eventLines(events)];
  if (Math.max(kernel.length, model.length) < WIDTH - MODEL_COLUMN) return [row(`✗ ${what}`, kernel, model)];
  return [`✗ ${what}`, `${' '.repeat(KERNEL_COLUMN)}${kernel}`, `${' '.repeat(MODEL_COLUMN)}${model}`];
}

/** Events in front of the first that differs, and behind it. */
const EVENTS_AROUND = 3;

/** The events around the first that differs, and the fields of that one. */
function eventLines({ kernel, model }: EventLists): string[] {
  const at = firstDifference(kernel, model)!;
  const most = Math.max(kernel.length, model.length);
  const [from, to] = [Math.max(0, at - EVENTS_AROUND), Math.min(most, at + 1 + EVENTS_AROUND)];
  const lines: string[] = [];
  if (from > 0) lines.push(row('', `… ${from} before`, ''));
  for (let i = from; i < to; i++) {
    lines.push(row(i === at ? '✗' : '', eventText(kernel[i]), eventText(model[i])));
    if (i === at) lines.push(...fieldLines(kernel[i], model[i]));
  }
  if (to < most) lines.push(row('', `… ${most - to} after`, ''));
  return lines;
}

function eventText(event: RecordedEvent | undefined): string {
  return event === undefined ? NOTHING : printEvent(event);
}

const NOTHING = '–';

/** The fields of two events of one kind that differ. */
function fieldLines(kernel: RecordedEvent | undefined, model: RecordedEvent | undefined): string[] {
  if (kernel === undefined || model === undefined || kernel.h !== model.h) return [];
  return EVENT_FIELDS.flatMap((field) => {
    const [ours, theirs] = [wordsOf(model[field]), wordsOf(kernel[field])];
    if (theirs.length === 1 && ours.length === 1)
      return theirs[0] === ours[0] ? [] : [row(`    ${field}`, theirs[0]!, ours[0]!)];
    return Array.from({ length: Math.max(theirs.length, ours.length) }, (_, i) => i).flatMap((i) => {
      const [a = NOTHING, b = NOTHING] = [theirs[i], ours[i]];
      return a === b ? [] : [row(`    ${field}[${i}]`, a, b)];
    });
  });
}

function wordsOf(value: RecordedEvent[keyof RecordedEvent]): readonly string[] {
  if (value === undefined) return [NOTHING];
  return Array.isArray(value) ? value : [String(value)];
}

function row(label: string, kernel: string, model: string): string {
  const cells = [label.padEnd(KERNEL_COLUMN), cell(kernel), shortened(model, WIDTH - MODEL_COLUMN)];
  return cells.join('').trimEnd();
}

function cell(text: string): string {
  const width = MODEL_COLUMN - KERNEL_COLUMN;
  return shortened(text, width - 1).padEnd(width);
}

function shortened(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
