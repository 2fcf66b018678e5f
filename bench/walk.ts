import { searchToEnd } from '../checker/sequences/search.ts';
import { KNOWN_ATTACH } from '../conformance/known/attach-all.ts';
import { DO } from '../model/core/instruction.ts';
import { KERNELS } from '../model/core/profile.ts';
import { ATTACH_LAWS } from '../properties/attach-laws.ts';
import type { AttachLaw } from '../properties/law/sequence-law.ts';
import { WALKS } from './figures.ts';
import { simulateWithQuint } from './quint/simulate.ts';
import type { MeasuredPart } from './row.ts';
import { rowOf } from './row.ts';

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
function walk(laws: readonly AttachLaw[], seconds: number, round: number): number {
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

/** Rounds, and the seconds that each walk of ours has in one; a run of the peer takes ten. */
const ROUNDS = 7;
const SECONDS = 3;

/** The model alone, and the same with all laws asked, alternating with Quint's simulator on a small model. */
export function measureWalks(): MeasuredPart {
  const model: number[] = [];
  const judged: number[] = [];
  const theirs: number[] = [];
  walk(ATTACH_LAWS, SECONDS, 0);
  for (let round = 0; round < ROUNDS; round++) {
    model.push(walk([], SECONDS, round));
    judged.push(walk(ATTACH_LAWS, SECONDS, round));
    const peer = simulateWithQuint();
    if (peer !== undefined) theirs.push(peer);
  }
  return {
    rows: [rowOf(WALKS.model, model, theirs), rowOf(WALKS.laws, judged, theirs)],
    missing: theirs.length > 0 ? [] : ['Quint is not installed: npm ci in bench/quint'],
  };
}
