import { linkKernel } from '../../model/step.ts';
import type { InputBound } from './draw-inputs.ts';
import { inputsOf, moreSequences } from './draw-inputs.ts';
import type { Input } from './input.ts';
import { brokenBy } from './input.ts';
import { distinctNames, reachOf } from './part-mutants.ts';
import { soundIn } from './scenario-input.ts';

/** An input, and the laws that the sound kernel breaks there. */
export interface JudgedInput {
  readonly input: Input;
  readonly sound: readonly string[];
}

/** What runs: a part of a routine by its name, or an expression by its number. */
export type ReachedCode = string | number;

/** Inputs, and the numbers of those that run something. */
export interface Corpus {
  readonly drawn: readonly JudgedInput[];
  readonly reaching: ReadonlyMap<ReachedCode, readonly number[]>;
  /** What runs when the modules are loaded, or in an input that was left out. */
  readonly loaded: ReadonlySet<ReachedCode>;
  /** Inputs that the sound kernel does not pass, by kind: nothing is judged on them. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** What has run since the last call. */
type AlsoReached = () => Iterable<ReachedCode>;

/** The sound kernel, in which each part has a name of its own. */
const NAMED = linkKernel(distinctNames());

/** The parts of routines that have run. */
function partsReached(): Set<string> {
  const { executed, instructions } = NAMED;
  const reached = new Set<string>();
  for (const [pc, { routine, id }] of instructions.entries())
    if (executed[pc] === 1) reached.add(reachOf(routine, id));
  executed.fill(0);
  return reached;
}

/** What fewer inputs run than that is looked for in more sequences. */
const RARE = 20;

/** Draws inputs, and runs each in the sound kernel; those that it does not pass are left out. */
export function drawCorpus(bound: InputBound, alsoReached: AlsoReached = () => []): Corpus {
  const drawn: JudgedInput[] = [];
  const reaching = new Map<ReachedCode, number[]>();
  const leftOut: Record<string, number> = {};
  const reached = () => [...partsReached(), ...alsoReached()];
  const loaded = new Set(reached());
  const add = (input: Input, least?: number): void => {
    reached();
    const sound = input.is === 'scenario' ? soundIn(input.scenario, NAMED) : passed(input);
    const runs = reached();
    if (sound === undefined) leftOut[input.is] = (leftOut[input.is] ?? 0) + 1;
    const isRare = least === undefined || runs.some((what) => (reaching.get(what) ?? []).length < least);
    if (sound === undefined || !isRare) {
      // Code that computes something once for all inputs does not run again.
      for (const what of runs) loaded.add(what);
      return;
    }
    for (const what of runs) {
      const numbers = reaching.get(what);
      if (numbers === undefined) reaching.set(what, [drawn.length]);
      else numbers.push(drawn.length);
    }
    drawn.push({ input, sound });
  };
  for (const input of inputsOf(bound)) add(input);
  for (const input of moreSequences(bound)) add(input, RARE);
  return { drawn, reaching, loaded, leftOut };
}

function passed(input: Input): readonly string[] | undefined {
  return brokenBy(input, [], NAMED).length === 0 ? [] : undefined;
}
