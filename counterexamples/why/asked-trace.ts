import { InputError } from '../../model/core/input-error.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { ATTACH_PLANTED } from '../../properties/planted/attach.ts';
import type { AttachPlanted } from '../../properties/planted/attach-planted.ts';
import type { AttachTrace } from '../attach/attach-trace.ts';
import { parseSequence } from '../attach/attach-trace.ts';
import { isRefineTrace } from '../refine/refine-trace.ts';
import { isTaskTrace } from '../task/task-trace.ts';
import { plantedIn } from '../trace-file.ts';

/** A sequence that somebody asks about: saved by a search, or written by hand. */
export interface AskedTrace extends Pick<AttachTrace, 'case' | 'answers'> {
  readonly planted: AttachPlanted | undefined;
}

/**
 * Reads a saved sequence, or one that was written by hand, in which only `kernel`, functions and actions have to be
 * there. An InputError names the line that cannot be read, or says of what kind the file is.
 */
export function readAskedTrace(text: string): AskedTrace {
  const kind = otherKind(text);
  if (kind !== undefined)
    throw new InputError(`it is ${kind}; why asks about client calls, one after the other`);
  const { planted, ...sequence } = parseSequence(text);
  return { ...sequence, planted: plantedIn(ATTACH_PLANTED, planted) };
}

/** Files that look alike, and hold no sequence of client calls. */
function otherKind(text: string): string | undefined {
  if (isTaskTrace(text)) return 'a trace of an interleaving';
  if (isRefineTrace(text)) return 'a history of two designs';
  const law = /^law +(\S+)$/m.exec(text)?.[1];
  return IMAGE_LAWS.some(({ name }) => name === law) ? 'a trace of one attach combination' : undefined;
}
