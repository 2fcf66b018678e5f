import { crashText } from '../../model/core/crash-words.ts';
import type { FunctionName } from '../../model/core/ids.ts';
import { present } from '../../model/core/present.ts';
import { apply } from '../../model/step.ts';
import { modelLine } from './enabled.ts';
import { modelEntry } from './entry.ts';
import { writeEvent } from './event.ts';
import type { Lab } from './lab.ts';
import type { RecordedSequenceEvent } from './record.ts';
import { targetNamed } from './targets.ts';
import { wordsFor } from './words.ts';

/** What the recorder reads after an operation, for one function, and the events of a call of it. */
export interface ObservedFunction {
  readonly entry: string;
  readonly enabled: string;
  readonly rax: string;
  /** Registers that were not preserved, by name. */
  readonly lost: readonly string[];
  readonly events: readonly RecordedSequenceEvent[];
  /** A failure of the call itself, if any. */
  readonly broken: string | undefined;
}

/** Reads a function of the model as the recorder does. */
export function observe(lab: Lab, fn: FunctionName): ObservedFunction {
  const target = present(targetNamed(fn), fn);
  const words = wordsFor(target);
  const entry = modelEntry(lab, fn);
  const enabled = modelLine(lab, fn);
  const { registers, stack } = words;
  const { call, warnings, died } = apply(lab.k, { do: 'call', fn, registers, stack });
  lab.warnings.push(...warnings);
  if (call === undefined)
    return {
      entry,
      enabled,
      rax: '',
      lost: [],
      events: [],
      broken: died === undefined ? 'it is not called' : `it crashes: ${crashText(died)}`,
    };
  const called = { lab, target, words };
  return {
    entry,
    enabled,
    rax: call.rax,
    lost: call.calleeSaved,
    events: call.events.map((event) => writeEvent(called, event)),
    broken:
      (call.fault === undefined ? undefined : crashText(call.fault)) ??
      (call.stackBalanced ? undefined : 'the stack is not balanced') ??
      (call.callerStackIntact ? undefined : "the caller's stack is changed"),
  };
}
