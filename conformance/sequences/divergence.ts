import type { FunctionName } from '../../model/core/ids.ts';
import type { RecordedSequenceEvent } from './record.ts';

/** The aspects of a recorded sequence that can differ. */
export type SequenceAspect =
  | 'errno'
  | 'stage'
  | 'attached'
  | 'crash'
  | 'entry'
  | 'enabled_functions'
  | 'call'
  | 'events'
  | 'rax'
  | 'callee-saved'
  | 'after_reset'
  | 'poisoned';

/** The first place where the model differs from the recorded kernel. */
export interface Divergence {
  /** Number of the step, from 0; the number of steps for what follows them. */
  readonly step: number;
  readonly aspect: SequenceAspect;
  /** The function, if the aspect is one of a function. */
  readonly fn: string | undefined;
  readonly kernel: string;
  readonly model: string;
  readonly events: EventLists | undefined;
}

export interface EventLists {
  readonly kernel: readonly RecordedSequenceEvent[];
  readonly model: readonly RecordedSequenceEvent[];
}

/** A divergence of one aspect, if the two sides differ. */
export function difference(
  step: number,
  aspect: SequenceAspect,
  { kernel, model }: { readonly kernel: string; readonly model: string },
  fn?: FunctionName,
): Divergence | undefined {
  return kernel === model ? undefined : { step, aspect, fn, kernel, model, events: undefined };
}
