import { printAction } from '../../../model/action-text.ts';
import type { Action } from '../../../model/client/all.ts';
import { item } from '../../../model/core/present.ts';
import { compareText } from '../../../model/core/text-order.ts';
import type { DeclaredTracepoint } from '../../../model/tracepoint/boot.ts';
import { LISTINGS } from '../../../model/trampoline/listing.ts';
import { printSignature } from '../../../model/trampoline/signature.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { wordsAfter } from '../../../model/trampoline/traced-function.ts';
import type { AttachCase } from '../attach-case.ts';
import { searchedCall } from '../calls/all.ts';
import { count } from '../calls/searched-call.ts';
import { PLAIN_TYPES } from './plain-types.ts';
import { renamed } from './rename.ts';

/** A sequence, and the order by simplicity: fewer actions, then fewer functions, then simpler interfaces. */
export interface Measured {
  readonly case: AttachCase;
  readonly figures: readonly number[];
}

export function measured(c: AttachCase): Measured {
  const { functions, tracepoints = [], actions } = c;
  const declared = sum(functions.map(functionEffort)) + sum(tracepoints.map(tracepointEffort));
  const effort = sum(actions.map(actionEffort)) + declared;
  return { case: c, figures: [actions.length, functions.length, effort] };
}

/** A sequence with its objects named in order of creation. Ties are broken by the text. */
export interface Written extends Measured {
  readonly text: string;
}

export function written({ case: c, figures }: Measured): Written {
  return asNamed({ case: renamed(c), figures });
}

/** The same with the names that it has: those of functions may decide what happens, as sites are in their order. */
export function asNamed({ case: named, figures }: Measured): Written {
  const declared = named.functions.map(
    (fn) =>
      `${fn.name} ${fn.module}(${printSignature(fn.signature)})${wordsAfter(fn)
        .map((word) => ` ${word}`)
        .join('')}`,
  );
  const points = (named.tracepoints ?? []).map(({ name, prototype }) => `${name}(${prototype})`);
  const text = [...named.actions.map((action) => printAction(action, named)), ...declared, ...points].join(
    '\n',
  );
  return { case: named, figures, text };
}

/** Less than zero when the first of two sequences is the plainer one. */
export function compare(a: Written, b: Written): number {
  const figures = compareFigures(a, b);
  return figures !== 0 ? figures : compareText(a.text, b.text);
}

export function compareFigures(a: Measured, b: Measured): number {
  for (const [i, figure] of a.figures.entries())
    if (figure !== b.figures[i]) return figure - item(b.figures, i);
  return 0;
}

function actionEffort(action: Action): number {
  const call = searchedCall(action);
  return call.effort + (call.optionEffort?.(action) ?? 0);
}

function functionEffort({ signature, nesting, bpf, module, noreturn, listing }: TracedFunction): number {
  const rank = PLAIN_TYPES.indexOf(printSignature(signature));
  return (
    (rank < 0 ? PLAIN_TYPES.length : rank) +
    (nesting === 'none' ? 0 : 4) +
    2 * count(bpf, module !== '', noreturn) +
    2 * LISTINGS.indexOf(listing)
  );
}

/** How far it is from three arguments, and whether one of them is narrower than an int. */
function tracepointEffort({ args }: DeclaredTracepoint): number {
  return 4 + 2 * Math.abs(args.length - 3) + count(args.some(({ size }) => size < 4));
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
