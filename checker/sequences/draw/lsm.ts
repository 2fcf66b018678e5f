import fc from 'fast-check';
import type { Action } from '../../../model/client/all.ts';
import { isLoadedForOne } from '../../../model/contract/promises.ts';
import { isLsmHook } from '../../../model/trampoline/listing.ts';
import { lsmKind } from '../../../model/trampoline/load-target.ts';
import type { TracedFunction } from '../../../model/trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../../../model/x86/word.ts';
import { rarely } from './weighed.ts';

/** `-EACCES`, and a value that is no answer of most hooks. */
const EACCES = -13;
const NO_ANSWER = 1;

/**
 * A load is of BPF LSM where its share, of ten, is drawn; whether it is for a cgroup, and which value it answers. Now and
 * then it asks for what programs for cgroups do not have.
 */
const choices = fc.record({
  share: fc.nat(9),
  cgroup: fc.boolean(),
  unexpected: rarely,
  answer: fc.oneof(
    { weight: 7, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.constant(EACCES) },
    { weight: 1, arbitrary: fc.constant(NO_ANSWER) },
  ),
});

type Choice = typeof choices extends fc.Arbitrary<infer T> ? T : never;

/** Most programs for hooks of BPF LSM are its own; one in ten for other functions, which is refused. */
export function withLsm(
  functions: readonly TracedFunction[],
  loads: fc.Arbitrary<Action>,
): fc.Arbitrary<Action> {
  return fc.tuple(loads, choices).map(([load, choice]) => ofLsm(functions, load, choice));
}

function ofLsm(functions: readonly TracedFunction[], load: Action, choice: Choice): Action {
  if (load.do !== 'BPF_PROG_LOAD' || !isLoadedForOne(load)) return load;
  const hook = functions.find(({ name, bpf }) => name === load.target && !bpf);
  if (hook === undefined || choice.share >= (isLsmHook(hook.listing) ? 6 : 1)) return load;
  const program = { ...load.program, kind: lsmKind(hook.signature), lsm: true as const };
  const { cgroup, unexpected, answer } = choice;
  // A hook with a truth value says yes with 1, which no other hook may.
  const isYes = hook.listing === 'bool_lsm' && answer === EACCES;
  if (!cgroup) return { ...load, program, returns: fromNumber(isYes ? 1 : answer) };
  const plain = { ...program, cookie: ZERO, sleepable: false, reads: 'direct' as const };
  return {
    ...load,
    program: { ...(unexpected ? program : plain), cgroup: true },
    // 0 denies.
    returns: fromNumber(answer === EACCES ? 0 : 1),
  };
}
