import type { TraceKind } from '../../counterexamples/trace-kind.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import { InputError } from '../../model/core/input-error.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { playInterleaving } from '../explain/played-interleaving.ts';
import type { NamedTrace } from '../line/read-trace.ts';
import { interleavingStates } from './interleaving-states.ts';
import type { ItfTrace } from './itf.ts';
import { printItf } from './itf.ts';
import { sequenceStates } from './sequence-states.ts';
import { printTimeline, timelineOf } from './timeline-of.ts';

/** An option that asks for a file made of a trace. */
export type ExportOption = '--trace' | '--itf' | '--html';

/** The kinds of traces that it has no form for, and why. */
const UNFIT: Readonly<Record<ExportOption, Partial<Record<TraceKind, string>>>> = {
  '--trace': { history: 'a history in two kernels has no timeline, which is of one' },
  '--itf': {
    history: 'states are of one kernel, and a history has two',
    image: 'an attach combination has an image and no kernel, whose states could be written',
  },
  '--html': {
    image: 'an attach combination has no steps to walk through: abi --html draws the frame of its image',
  },
};

/** The content of the file that an option asks for. Throws an InputError for a trace that has none. */
export async function contentOf(option: ExportOption, trace: NamedTrace): Promise<string> {
  const { text } = trace;
  requireExportable(option, text);
  switch (option) {
    case '--trace':
      return printTimeline(timelineOf(text));
    case '--itf':
      return printItf(statesOf(text));
    case '--html':
      return (await import('../page/page-of.ts')).pageOf(trace);
    default:
      return unreachable(option);
  }
}

/** The states of a run, for a kind of trace that has some. */
export function statesOf(text: string): ItfTrace {
  return traceKind(text) === 'interleaving'
    ? interleavingStates(playInterleaving(text))
    : sequenceStates(text);
}

/** Throws an InputError for a kind of trace that an option has no form for. */
export function requireExportable(option: ExportOption, text: string): void {
  const why = UNFIT[option][traceKind(text)];
  if (why !== undefined) throw new InputError(`${option}: ${why}`);
}
