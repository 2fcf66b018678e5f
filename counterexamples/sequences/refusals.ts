import type { Instruction } from '../../model/core/instruction.ts';
import { DO } from '../../model/core/instruction.ts';
import type { LinkedRoutines } from '../../model/core/link.ts';
import type { Routine } from '../../model/core/part.ts';
import { present } from '../../model/core/present.ts';
import { KERNELS, PROFILES } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import type { Refusal } from './sites.ts';
import { siteName } from './sites.ts';

/** Every return site of the kernels' own functions, one for each errno that it may give. */
export function refusalsOf(program: LinkedRoutines): Refusal[] {
  const own = kernelRoutines(program);
  return program.instructions.flatMap((instruction) =>
    instruction.do !== DO.REFUSE || !own.has(instruction.routine)
      ? []
      : instruction.errnos.map((errno) => ({ routine: instruction.routine, id: instruction.id, errno })),
  );
}

/** Their names. */
export function allSites(program: LinkedRoutines): string[] {
  return refusalsOf(program).map((refusal) => siteName(refusal, refusal.errno));
}

/** The routines of the kernels: without those that only designs of multi links call and no kernel has. */
export function kernelRoutines({ instructions, entries }: LinkedRoutines): ReadonlySet<string> {
  const foreign = new Set(OF_DESIGNS.map(({ name }) => name));
  const calls = callsOf(instructions, entries);
  const called = new Set([...calls.values()].flatMap((names) => [...names]));
  const own = new Set<string>();
  const reach = (name: string): void => {
    if (own.has(name) || foreign.has(name)) return;
    own.add(name);
    for (const next of calls.get(name) ?? []) reach(next);
  };
  for (const name of entries.keys()) if (!called.has(name)) reach(name);
  return own;
}

const KERNELS_OWN = KERNELS.map((kernel) => PROFILES[kernel].multiLinks);

/** The callers of routines of designs that no kernel has. */
const OF_DESIGNS: readonly Routine[] = DESIGNS.filter(({ name }) => !KERNELS_OWN.includes(name)).flatMap(
  ({ attach, detach, linkSingle, background = [], routines = [] }) => [
    attach,
    detach,
    ...(linkSingle === undefined ? [] : [linkSingle]),
    ...background,
    ...routines,
  ],
);

/** The routines that each routine calls, by name. */
function callsOf(
  instructions: readonly Instruction[],
  entries: ReadonlyMap<string, number>,
): Map<string, Set<string>> {
  const names = new Map([...entries].map(([name, entry]) => [entry, name]));
  const calls = new Map([...entries.keys()].map((name) => [name, new Set<string>()]));
  for (const instruction of instructions)
    for (const start of calledBy(instruction))
      present(calls.get(instruction.routine), instruction.routine).add(
        present(names.get(start), `routine at ${start}`),
      );
  return calls;
}

/** First instructions of an instruction's possible callees. */
function calledBy(instruction: Instruction): readonly number[] {
  if (instruction.do === DO.CALL) return [instruction.target];
  return instruction.do === DO.INDIRECT ? Object.values(instruction.targets) : [];
}
