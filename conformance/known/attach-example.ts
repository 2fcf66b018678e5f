import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { parseAction } from '../../properties/attach/action-parse.ts';
import type { AttachCase } from '../../properties/attach/attach-case.ts';
import { runSequence } from '../../properties/attach/run-sequence.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import type { KnownAttach } from './attach.ts';

const F1 = tracedFunction('f1', 1, 'u64 -> u64');
const F2 = tracedFunction('f2', 2, 'u64 -> u64');

/** The client calls that show a listed breach, in a kernel; the first that it is listed for if none is named. */
export function exampleOf({ example, kernels }: KnownAttach, profile: string = kernels[0]!): AttachCase {
  const functions = /\bf2\b/.test(example) ? [F1, F2] : [F1];
  const spelling = { profile: kernels[0]!, functions };
  return { profile, functions, actions: example.split('; ').map((text) => parseAction(text, spelling)) };
}

/** Whether a listed breach is met by its example in a kernel, at the last of its calls, and looks as it is described. */
export function isMetByItsExample(entry: KnownAttach, profile: string): boolean {
  const laws = ATTACH_LAWS.filter(({ name }) => name === entry.law);
  const c = exampleOf(entry, profile);
  const { breach, known } = runSequence(c, { laws, known: [entry] });
  return known === entry && breach?.at === c.actions.length - 1;
}
