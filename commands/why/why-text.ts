import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { Looked } from '../../checker/why/guard.ts';
import type { OtherCall } from '../../checker/why/other-call.ts';
import type { PlayedTrace, RefusedStep, Taken } from '../../checker/why/refusal.ts';
import type { UndoSearch } from '../../checker/why/undo.ts';
import { LINES_MOST, stepLines } from '../../counterexamples/sequences/attach-report.ts';
import { allSites } from '../../counterexamples/sequences/refusals.ts';
import { siteName } from '../../counterexamples/sequences/sites.ts';
import { counted, labelled } from '../../counterexamples/text.ts';
import { printAction } from '../../model/action-text.ts';
import type { Action } from '../../model/client/all.ts';
import { stepText } from '../../model/core/step-words.ts';
import { printOpsFlags } from '../../model/ftrace/ops.ts';
import { printRecordFlags } from '../../model/ftrace/record.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { kernelPlace } from './kernel-file.ts';

/** Why a call was refused, and what would make it succeed. */
export interface Why {
  readonly case: AttachCase;
  readonly played: readonly PlayedTrace[];
  readonly refusal: RefusedStep;
  /** The injected failure refuses it. */
  readonly isOrdered: boolean;
  readonly undo: UndoSearch;
  /** If nothing undoes it: a forgotten call, and other values of one parameter. */
  readonly missing: Action | undefined;
  readonly otherCalls: readonly OtherCall[];
  /** The command that repeats this. */
  readonly command: string;
}

/** The report: the steps, the return site with the values that its guard read, the smallest undo. */
export function whyLines(why: Why): string[] {
  const { case: c, played, refusal } = why;
  const steps = played
    .slice(0, refusal.at + 1)
    .map((trace, i) => ({ ...trace, after: played[i + 1]?.before ?? trace.before }));
  return [
    `${refusal.errno} at step ${refusal.at + 1} of ${c.actions.length}, kernel ${c.profile}`,
    '',
    ...stepLines({ case: c, steps }, LINES_MOST),
    '',
    ...siteLines(c, refusal),
    '',
    ...undoLines(why),
    `  again      ${why.command}`,
  ];
}

function siteLines({ profile }: AttachCase, { site, passedOn }: RefusedStep): string[] {
  if (site === undefined)
    return labelled(
      'site',
      'none: the client has no such object, or this kernel no such call, or the memory is in use',
    );
  return [
    ...labelled('site', stepText(site)),
    ...labelled('kernel', placeOf(profile, site)),
    ...passedOn.flatMap((taken, i) => labelled(i === 0 ? 'passed on' : '', stepText(taken))),
    ...lookedLines(site.looked),
  ];
}

/** The place of a return site in the kernel, if it has one. */
export function placeOf(profile: string, { routine, id, errno }: Taken): string {
  const isOwn = allSites(KERNEL_PROGRAM).includes(siteName({ routine, id }, errno));
  return (
    (isOwn ? kernelPlace(routine) : undefined) ??
    `none: it belongs to a planted bug, or to the design of ${profile}`
  );
}

/** Values that are printed: a guard that walks a list reads the deciding one last. */
const LOOKED_MOST = 8;

function lookedLines(looked: readonly Looked[]): string[] {
  const told = [...new Set(looked.map(lookedText))];
  const left = told.length - LOOKED_MOST;
  const shown = left > 0 ? [`${counted(left, 'value')}, and then`, ...told.slice(left)] : told;
  return shown.flatMap((text, i) => labelled(i === 0 ? 'it read' : '', text));
}

/** `ftrace.directFunctions[f1] is my_tramp1`. */
export function lookedText({ in: where, path, value }: Looked): string {
  const [room = '', ...rest] = path;
  const name = rest.reduce(
    (text, key) => (/^[a-z]\w*$/i.test(key) && !/\d$/.test(key) ? `${text}.${key}` : `${text}[${key}]`),
    room,
  );
  return `${where === 'locals' ? 'local ' : ''}${name} ${valueText(path, value)}`;
}

function valueText(path: readonly string[], value: unknown): string {
  if (value === undefined) return 'does not exist';
  if (path.at(-1) === 'flags' && typeof value === 'number') return `is ${flagsText(path, value)}`;
  return `is ${value === '' ? 'empty' : String(value)}`;
}

function flagsText([, room]: readonly string[], flags: number): string {
  if (flags === 0) return '0';
  return room === 'records' ? printRecordFlags(flags) : printOpsFlags(flags);
}

function undoLines({ case: c, refusal, undo, isOrdered, missing, otherCalls }: Why): string[] {
  const bound = `${counted(undo.tried, 'list')} of inverse calls tried, up to ${counted(undo.calls, 'call')} each`;
  if (isOrdered) return labelled('undo', 'none needed: without the injected failure the call answers 0');
  if (undo.found !== undefined)
    return [
      ...undo.found.flatMap((action, i) => labelled(i === 0 ? 'undo' : '', printAction(action, c))),
      ...labelled('', `and ${printAction(refusal.action, c)} answers 0; no shorter list does (${bound})`),
    ];
  return [
    ...labelled(
      'undo',
      undo.tried === 0
        ? 'nothing undoes it: there is no call to take back'
        : `nothing undoes it: ${bound}${undo.isWhole ? '' : '; there are more'}`,
    ),
    ...(missing === undefined ? [] : labelled('first', `${printAction(missing, c)}, and then it answers 0`)),
    ...changeLines(c, otherCalls),
  ];
}

/** Other values of one parameter. */
function changeLines(c: AttachCase, otherCalls: readonly OtherCall[]): string[] {
  if (otherCalls.length === 0)
    return labelled('call', 'no other value of one of its parameters is accepted either');
  return otherCalls.flatMap(({ parameter, action }, i) =>
    labelled(i === 0 ? 'call' : '', `with another ${parameter} it answers 0: ${printAction(action, c)}`),
  );
}
