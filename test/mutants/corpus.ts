import { drawCases } from '../../checker/images/check.ts';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { searchToEnd } from '../../checker/sequences/search.ts';
import { profileFor } from '../../commands/designs/bound.ts';
import type { NamedScenario } from '../../commands/explore/exploration.ts';
import { DEFAULT_FAMILY, scenariosOf } from '../../commands/explore/exploration.ts';
import { linkKernel } from '../../model/step.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import type { Input } from './input.ts';
import { brokenBy, soundIn } from './input.ts';
import { distinctNames, reachOf } from './part-mutants.ts';

/** How much is drawn, each kind from the same seed; a bound is a count. */
export interface CorpusBound {
  readonly seed: number;
  /** For each kernel, on functions; and for each, of tracepoints alone. */
  readonly sequences: number;
  readonly hits: number;
  /** For each design of multi links. */
  readonly ofDesigns: number;
  readonly images: number;
  /** The n-th part of the scenarios: 1 is all of them. */
  readonly everyScenario: number;
}

/** An input, and the laws that the sound kernel breaks there. */
export interface JudgedInput {
  readonly input: Input;
  readonly sound: readonly string[];
}

/** Inputs, and the numbers of those that run something: a part of a routine, or an expression by its number. */
export interface Corpus {
  readonly drawn: readonly JudgedInput[];
  readonly reaching: ReadonlyMap<string | number, readonly number[]>;
}

export const KERNELS = ['6.1', '6.12', '7.2'];

/** What has run since the last call. */
type AlsoReached = () => Iterable<string | number>;

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

/** Draws inputs, and runs each in the sound kernel; those that it does not pass are left out. */
export function drawCorpus(bound: CorpusBound, alsoReached: AlsoReached = () => []): Corpus {
  const drawn: JudgedInput[] = [];
  const reaching = new Map<string | number, number[]>();
  const reached = () => [...partsReached(), ...alsoReached()];
  for (const input of inputsOf(bound)) {
    reached();
    const sound = input.is === 'scenario' ? soundIn(input.scenario, NAMED) : passed(input);
    if (sound === undefined) continue;
    for (const what of reached()) {
      const numbers = reaching.get(what);
      if (numbers === undefined) reaching.set(what, [drawn.length]);
      else numbers.push(drawn.length);
    }
    drawn.push({ input, sound });
  }
  return { drawn, reaching };
}

function passed(input: Input): readonly string[] | undefined {
  return brokenBy(input, [], NAMED).length === 0 ? [] : undefined;
}

function inputsOf(bound: CorpusBound): Input[] {
  const images: Input[] = [];
  if (bound.images > 0)
    drawCases({ seed: bound.seed, numRuns: bound.images }, (c) => {
      images.push({ is: 'image', case: c });
    });
  return [...images, ...sequencesOf(bound), ...scenariosFor(bound)];
}

/** Of each kernel in turn, so that the first of them are of all. */
function sequencesOf({ seed, sequences, hits, ofDesigns }: CorpusBound): Input[] {
  const draw = (profile: string, count: number, hit: boolean) => {
    const drawn: AttachCase[] = [];
    const search = {
      profile,
      seed,
      sequences: count,
      laws: [],
      hits: hit,
      played: (c: AttachCase) => drawn.push(c),
    };
    searchToEnd(search);
    return drawn;
  };
  const designs = DESIGNS.map((design) => draw(profileFor(design), ofDesigns, false));
  const all = [
    ...KERNELS.map((kernel) => draw(kernel, sequences, false)),
    ...KERNELS.map((kernel) => draw(kernel, hits, true)),
    ...designs,
  ];
  const most = Math.max(...all.map(({ length }) => length));
  return Array.from({ length: most }, (_, n) => all.flatMap((drawn) => drawn.slice(n, n + 1)))
    .flat()
    .map((c) => ({ is: 'sequence', case: c }));
}

/** Those of planted bugs, without the bug, in their kernel; then those of the default family, in each. */
function scenariosFor({ everyScenario }: CorpusBound): Input[] {
  const planted = TASK_PLANTED.map(({ name, sound, profile, scenario, grain }) => ({
    name,
    scenario: { profile: sound ?? profile, ...scenario },
    ...(grain === undefined ? {} : { grain }),
  }));
  const all: NamedScenario[] = [...planted, ...scenariosOf({ ...DEFAULT_FAMILY, profiles: KERNELS })];
  const distinct = new Map(all.map((named) => [JSON.stringify([named.scenario, named.grain]), named]));
  return [...distinct.values()]
    .filter((_, i) => i % everyScenario === 0)
    .map((scenario) => ({ is: 'scenario', scenario }));
}
