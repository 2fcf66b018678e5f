import type { TraceKind } from '../../counterexamples/trace-kind.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import { InputError } from '../../model/core/input-error.ts';
import { printTimeline, timelineOf } from './timeline-of.ts';

/** An option that asks for a file made of a trace. */
export type ExportOption = '--trace';

/** The kinds of traces that it has no form for, and why. */
const UNFIT: Readonly<Record<ExportOption, Partial<Record<TraceKind, string>>>> = {
  '--trace': { history: 'a history in two kernels has no timeline, which is of one' },
};

/** The content of the file that an option asks for. Throws an InputError for a trace that has none. */
export function contentOf(_option: ExportOption, text: string): string {
  return printTimeline(timelineOf(text));
}

/** Throws an InputError for a kind of trace that an option has no form for. */
export function requireExportable(option: ExportOption, text: string): void {
  const why = UNFIT[option][traceKind(text)];
  if (why !== undefined) throw new InputError(`${option}: ${why}`);
}
