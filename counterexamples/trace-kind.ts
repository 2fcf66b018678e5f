import { IMAGE_LAWS } from '../properties/laws.ts';
import { currentName } from './former-names.ts';
import { isRefineTrace } from './histories/refine-trace.ts';
import { hasActors, isTaskTrace } from './interleavings/task-trace.ts';

/**
 * The content of a trace: a history in two kernels, tasks that interleave, one attach combination, or client calls in
 * order.
 */
export type TraceKind = 'history' | 'interleaving' | 'image' | 'sequence';

/** The kind of a trace, saved or written by hand: its header says it, and the law that it breaks. */
export function traceKind(text: string): TraceKind {
  if (isRefineTrace(text)) return 'history';
  if (isTaskTrace(text) || hasActors(text)) return 'interleaving';
  const law = lawIn(text);
  return IMAGE_LAWS.some(({ name }) => name === law) ? 'image' : 'sequence';
}

/** The name of the law that a trace breaks; undefined: it names none. */
export function lawIn(text: string): string | undefined {
  const [, name] = /^law +(\S+)$/m.exec(text) ?? [];
  return name === undefined ? undefined : currentName(name);
}
