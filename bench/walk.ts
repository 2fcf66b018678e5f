import { KNOWN_ATTACH } from '../conformance/known/attach-all.ts';
import { DO } from '../model/core/link.ts';
import { KERNELS } from '../model/core/profile.ts';
import { searchToEnd } from '../properties/attach/search.ts';
import { ATTACH_LAWS } from '../properties/attach-laws.ts';
import { simulateWithQuint } from './quint/simulate.ts';

/** Instructions of an operation that change the state: what another checker would call a step. */
const STEPS: readonly number[] = [DO.STEP, DO.LOCK, DO.TRYLOCK, DO.UNLOCK, DO.WAIT];

/** Sequences between two looks at the clock. */
const BATCH = 100;

/**
 * A random walk of the full model: sequences of client calls drawn by fast-check, all laws asked after each call. It
 * gives the labelled steps done in a second; a call of a traced function counts as one.
 */
export function walk(seconds: number, round: number): number {
  let steps = 0;
  const begun = performance.now();
  let spent = 0;
  for (let i = 0; spent < seconds * 1000; i++, spent = performance.now() - begun) {
    const profile = KERNELS[i % KERNELS.length]!;
    steps += walkOnce(profile, round * 1000 + i);
  }
  return (steps / spent) * 1000;
}

function walkOnce(profile: string, seed: number): number {
  let steps = 0;
  const { found, calls } = searchToEnd({
    profile,
    seed,
    sequences: BATCH,
    laws: ATTACH_LAWS,
    known: KNOWN_ATTACH,
    watch: {
      step: (instruction) => {
        if (STEPS.includes(instruction.do)) steps++;
      },
    },
  });
  if (found !== undefined) throw new Error(`${found.breach.law.name} is broken`);
  return steps + calls;
}

/** The figure beside Quint's simulator on a small model, as ratios of rounds; no ratios where that is not installed. */
export function measureWalk(rounds: number, seconds: number): { ours: number[]; theirs: number[] } {
  const ours: number[] = [];
  const theirs: number[] = [];
  walk(seconds, 0);
  for (let round = 0; round < rounds; round++) {
    ours.push(walk(seconds, round));
    const peer = simulateWithQuint();
    if (peer !== undefined) theirs.push(peer);
  }
  return { ours, theirs };
}
