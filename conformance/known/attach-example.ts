import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { readDeclaration } from '../../counterexamples/sequences/attach-trace.ts';
import { parseAction } from '../../model/action-text.ts';
import { item } from '../../model/core/present.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import type { KnownAttach } from './attach.ts';

const F1 = tracedFunction('f1', 1, 'u64 -> u64');
const F2 = tracedFunction('f2', 2, 'u64 -> u64');

/**
 * The client calls that show a listed breach in a kernel; by default the first that it is listed for. They use `f1`,
 * and `f2` if it is mentioned, unless functions are declared at the beginning as in a trace.
 */
export function exampleOf(entry: KnownAttach, kernel: RecordedVersion = item(entry.kernels, 0)): AttachCase {
  const { example, kernels, multiLinks } = entry;
  const lines = example.split('; ');
  const declared = lines.flatMap((line, i) => readDeclaration(line, i + 1) ?? []);
  const usual = /\bf2\b/.test(example) ? [F1, F2] : [F1];
  const functions: readonly TracedFunction[] = declared.length > 0 ? declared : usual;
  const spelling = { profile: item(kernels, 0), functions };
  const actions = lines.slice(declared.length).map((text) => parseAction(text, spelling));
  const profile = multiLinks === undefined ? kernel : `${kernel}, multiLinks = ${multiLinks}`;
  return { profile, functions, actions };
}

/**
 * Whether the example of a listed breach breaks its law in a kernel, at the last of its calls, and matches the
 * description.
 */
export function isMetByItsExample(entry: KnownAttach, kernel: RecordedVersion): boolean {
  if (!canStandOn(entry, kernel)) return false;
  const laws = ATTACH_LAWS.filter(({ name }) => name === entry.law);
  const c = exampleOf(entry, kernel);
  const { breach, known } = runSequence(c, { laws, known: [entry] });
  return known === entry && breach?.at === c.actions.length - 1;
}

/** Whether a kernel can have multi links of the design that a breach belongs to. */
export function canStandOn({ multiLinks }: Pick<KnownAttach, 'multiLinks'>, kernel: string): boolean {
  const design = DESIGNS.find(({ name }) => name === multiLinks);
  return design?.needs?.(profileNamed(kernel)) === undefined;
}
