import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { AttachBreach, Step } from '../../checker/sequences/played.ts';
import { printAction } from '../../model/action-text.ts';
import type { Action } from '../../model/client/all.ts';
import { crashText } from '../../model/core/crash-words.ts';
import { item } from '../../model/core/present.ts';
import { warningText } from '../../model/core/warning-words.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { wordsAfter } from '../../model/trampoline/traced-function.ts';
import { rendered } from '../../properties/finding/render.ts';
import type { BreachCause } from '../../properties/finding/why.ts';
import type { Framed } from '../report-frame.ts';
import { headLines, tailLines, whyLines } from '../report-frame.ts';
import { answeredLines, labelled, packed, wrap } from '../text.ts';
import { changeLines } from './change-line.ts';
import { delta } from './delta.ts';
import { printTracepoint } from './tracepoint-declaration.ts';

/** Everything in the report of a broken sequence. */
export interface AttachReported extends Framed {
  readonly case: AttachCase;
  readonly steps: readonly Step[];
  readonly breach: AttachBreach;
  /** The name of the listed breach that it is. */
  readonly known: string | undefined;
  readonly why: BreachCause | undefined;
}

/** Lines of a report at most, and of the part that shows the steps. */
export const LINES_MOST = 40;

/** The report of a broken sequence; at most forty lines. */
export function printAttachReport(r: AttachReported): string {
  const { law } = r.breach;
  const { expected, observed } = rendered(r.breach.finding);
  const head = headLines(law, circumstances(r));
  const tail = [
    '',
    ...labelled('expected', expected),
    ...labelled('observed', observed),
    ...whyLines(r.why),
    ...tailLines(law, r),
  ];
  return [...head, ...stepLines(r, LINES_MOST - head.length - tail.length), ...tail].join('\n');
}

function circumstances({ case: c, shrunkFrom, planted, known }: AttachReported): string {
  const shrunk = shrunkFrom === undefined ? '' : `, shrunk from ${shrunkFrom}`;
  return [
    `${c.actions.length} step${c.actions.length === 1 ? '' : 's'}${shrunk}`,
    `kernel ${c.profile}`,
    ...(planted === undefined ? [] : [`planted bug: ${planted}`]),
    ...(known === undefined ? [] : [`known: ${known}`]),
  ].join(' · ');
}

/**
 * The steps, and under each its changes. If they do not all fit, functions share lines, and then only the last steps
 * have their changes. With `from`, steps before it are not printed.
 */
export function stepLines(r: Pick<AttachReported, 'case' | 'steps'>, room: number, from = 0): string[] {
  let functions = functionLines(r.case);
  const calls = r.steps.map((step, i) => actionLines(r.case, step, i)).slice(from);
  const steps = calls.map((lines, i) => [...lines, ...stepReport(item(r.steps, from + i))]);
  const isLong = () => functions.length + steps.flat().length > room;
  if (isLong())
    functions = packed(
      functions.map((line) => line.trim()),
      NAMED,
    );
  for (let i = 0; i < steps.length && isLong(); i++) steps[i] = item(calls, i);
  return [...functions, ...steps.flat()];
}

/** The functions and tracepoints that a sequence names, with their types. */
export function functionLines({ functions, tracepoints = [], actions }: AttachCase): string[] {
  const traced = functions
    .filter(({ name }) => isMentioned(actions, name))
    .map((fn) => NAMED + functionText(fn));
  const hit = tracepoints.filter(({ name }) => isMentioned(actions, name));
  return [...traced, ...hit.map((tracepoint) => NAMED + printTracepoint(tracepoint))];
}

const NAMED = ' '.repeat(5);

function functionText(fn: TracedFunction): string {
  const called = `${fn.bpf ? 'program ' : ''}${fn.name}(${printSignature(fn.signature)})`;
  return [called, ...(fn.module === '' ? [] : [`[${fn.module}]`]), ...wordsAfter(fn)].join(' ');
}

function isMentioned(actions: readonly Action[], name: string): boolean {
  return new RegExp(`"${name}"`).test(JSON.stringify(actions));
}

/** `  3  close(link#1)                     = 0`: the number of the step, its action, its answer. */
export function actionLines(c: AttachCase, { action, outcome }: Step, i: number): string[] {
  const text = `  ${String(i + 1).padStart(2)} ${printAction(action, c)}`.replace(/^ {3}(\d) /, '  $1  ');
  return answeredLines(text, answerOf(action, outcome));
}

/** The client's answer: nothing for a declaration or a call. */
export function answerOf(action: Action, { errno, died }: Step['outcome']): string {
  if (died !== undefined) return 'dies';
  const silent = ['ftrace_ops', 'call', 'settle', 'fail'].includes(action.do);
  if (silent && errno === 0) return '';
  return errno === 0 ? '0' : `-${errno}`;
}

/** The changes of a step, and its warnings. */
export function stateLines({ before, after, outcome }: Step): string[] {
  const warnings = outcome.warnings.flatMap((warning) =>
    wrap(`WARN ${warningText(warning)}`, 70).map((line, i) => `       ${i === 0 ? '' : '     '}${line}`),
  );
  return [...changeLines(delta(before, after), Object.keys(after.functions)), ...warnings];
}

/** The changes of a step, and the events of a call. */
export function stepReport(step: Step): string[] {
  const { action, outcome } = step;
  const lines = stateLines(step);
  if (action.do !== 'call' || outcome.call === undefined) return lines;
  const { events, fault, gone } = outcome.call;
  const seen = events.map(({ who, kind, fn }) => (kind === 'body' ? `${fn}'s body` : `${who} ${kind}`));
  const told = [
    ...seen,
    ...(fault === undefined ? [] : [crashText(fault)]),
    ...(gone ? ['the task ends'] : []),
  ];
  return [...lines, ...wrap(told.join(', '), 72).map((line) => `       ${line}`)];
}
