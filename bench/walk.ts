import { searchToEnd } from '../checker/sequences/search.ts';
import { KNOWN_ATTACH } from '../conformance/known/attach-all.ts';
import { DO } from '../model/core/instruction.ts';
import { KERNELS } from '../model/core/profile.ts';
import { ATTACH_LAWS } from '../properties/attach-laws.ts';
import type { AttachLaw } from '../properties/law/sequence-law.ts';
import { simulateWithQuint } from './quint/simulate.ts';

/** Instructions of an operation that change the state: what another checker would call a step. */
const STEPS: readonly boolean[] = Object.values(DO).map((what) =>
  ([DO.STEP, DO.LOCK, DO.TRYLOCK, DO.UNLOCK, DO.WAIT] as number[]).includes(what),
);

/** Sequences between two readings of the clock. */
const BATCH = 100;

/**
 * A random walk of the full model: sequences of client calls drawn by fast-check, with these laws asked after each. It
 * gives the labelled steps done in a second; a call of a traced function counts as one.
 */
export function walk(laws: readonly AttachLaw[], seconds: number, round: number): number {
  let steps = 0;
  const begun = performance.now();
  let spent = 0;
  for (let i = 0; spent < seconds * 1000; i++, spent = performance.now() - begun) {
    const profile = KERNELS[i % KERNELS.length]!;
    steps += walkOnce(laws, profile, round * 1000 + i);
  }
  return (steps / spent) * 1000;
}

function walkOnce(laws: readonly AttachLaw[], profile: string, seed: number): number {
  let steps = 0;
  const { found, calls } = searchToEnd({
    profile,
    seed,
    sequences: BATCH,
    laws,
    known: KNOWN_ATTACH,
    watch: {
      step: (instruction) => {
        if (STEPS[instruction.do] === true) steps++;
      },
    },
  });
  if (found !== undefined) throw new Error(`${found.breach.law.name} is broken`);
  return steps + calls;
}

/** Figures of rounds: the model alone, the same with all laws asked, and the peer where it is installed. */
export interface Walks {
  readonly model: number[];
  readonly laws: number[];
  readonly peer: number[];
}

/** Alternates between us and Quint's simulator on a small model. */
export function measureWalk(rounds: number, seconds: number): Walks {
  const walks: Walks = { model: [], laws: [], peer: [] };
  walk(ATTACH_LAWS, seconds, 0);
  for (let round = 0; round < rounds; round++) {
    walks.model.push(walk([], seconds, round));
    walks.laws.push(walk(ATTACH_LAWS, seconds, round));
    const peer = simulateWithQuint();
    if (peer !== undefined) walks.peer.push(peer);
  }
  return walks;
}
