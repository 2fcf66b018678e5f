import { expect, test } from 'vitest';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import { linkKernel } from '../../model/step.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { F1 } from '../../properties/planted/sequences/actions.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import { dropped, edit } from '../../properties/planted/sequences/edits.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import { someOf, THOROUGH } from '../../test/thorough.ts';
import { KNOWN_ATTACH } from './attach-all.ts';

/*
 * Mutants: kernels in which one routine lacks one part, judged as the kernel itself. The sequences are those of the
 * planted bugs, in which the sound kernel breaks no law: no breach of a mutant there may match a listed one. Each
 * mutant runs in the first of some sequences that reaches the part, and with `npm run thorough` in all of them.
 */

interface Scene {
  readonly name: string;
  readonly case: AttachCase;
  readonly laws: readonly AttachLaw[];
}

const SCENES: readonly Scene[] = someOf(ATTACH_PLANTED, 10).map(
  ({ name, law, profile, functions = [F1], tracepoints = [], smallest: actions }) => ({
    name,
    case: { profile, functions, tracepoints, actions },
    laws: HIT_LAWS.includes(law) ? HIT_LAWS : ATTACH_LAWS,
  }),
);

/**
 * The parts that a sequence reaches in the sound kernel, each with its routine; empty if the sequence breaks a law.
 */
function partsIn(scene: Scene): readonly (readonly [string, string])[] {
  const parts = new Map<string, readonly [string, string]>();
  const { breach } = runSequence(scene.case, {
    laws: scene.laws,
    watch: { step: ({ routine, id }) => parts.set(`${routine}: ${id}`, [routine, id]) },
  });
  return breach === undefined ? [...parts.values()] : [];
}

/** The kernel without a part; undefined for parts that cannot be removed alone: a return, the end of a bracket. */
function mutant(routine: string, id: string): KernelProgram | undefined {
  const isPart = `${routine} has no part ${id}`;
  try {
    return linkKernel([edit(routine, id, dropped)]);
  } catch (error) {
    if (error instanceof Error && error.message === isPart) return undefined;
    throw error;
  }
}

type Verdict =
  | { readonly is: 'holds' | 'new' }
  | { readonly is: 'known'; readonly name: string }
  /** The mutant lacks what the model needs to continue. */
  | { readonly is: 'stuck' };

/** The verdict on a mutant in a sequence. */
function judge({ case: c, laws }: Scene, program: KernelProgram): Verdict {
  try {
    const { known, newBreach } = runSequence(c, { laws, program, known: KNOWN_ATTACH, asKernel: true });
    if (known !== undefined) return { is: 'known', name: known.name };
    return { is: newBreach === undefined ? 'holds' : 'new' };
  } catch {
    return { is: 'stuck' };
  }
}

test('no breach of a mutant matches a listed one', { timeout: 1_800_000 }, () => {
  const mutants = new Map<string, KernelProgram | undefined>();
  const verdicts: Verdict[] = [];
  const taken: string[] = [];
  for (const scene of SCENES)
    for (const [routine, id] of partsIn(scene)) {
      const name = `${routine}: ${id}`;
      const isTried = mutants.has(name);
      if (isTried && !THOROUGH) continue;
      const program = isTried ? mutants.get(name) : mutant(routine, id);
      mutants.set(name, program);
      if (program === undefined) continue;
      const verdict = judge(scene, program);
      verdicts.push(verdict);
      if (verdict.is === 'known') taken.push(`${name} is ${verdict.name} in ${scene.name}`);
    }
  const counted = (is: Verdict['is']) => verdicts.filter((verdict) => verdict.is === is).length;
  expect(taken).toEqual([]);
  expect(counted('new')).toBeGreaterThan(THOROUGH ? 100 : 40);
  expect(counted('stuck')).toBeLessThan(counted('new') / 5);
});
