import { pairs } from '../../checker/interleavings/family.ts';
import { linkMulti, loadMulti } from '../../checker/interleavings/family-multi.ts';
import { knownTaskBreach } from '../../checker/interleavings/known-task-breach.ts';
import type { Occurrence } from '../../checker/interleavings/occurrence.ts';
import { possibleSpace } from '../../checker/interleavings/possible-space.ts';
import { searchScenarios } from '../../checker/interleavings/random/search-schedules.ts';
import { withThird } from '../../checker/interleavings/triples.ts';
import { KNOWN_TASK } from '../../conformance/known/task-breaches.ts';
import { item } from '../../model/core/present.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { moduleFunction, tracedFunction } from '../../model/trampoline/traced-function.ts';
import { rendered } from '../../properties/finding/render.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { TASK_LAWS } from '../../properties/task-laws.ts';
import type { DesignBound } from './bound.ts';
import { loadsMultiProgram } from './multi-programs.ts';
import type { DesignTally } from './tally.ts';

/** Checks the laws on interleavings: random schedules walk each scenario of multi links. */
export function judgeInterleavings(profile: string, bound: DesignBound, tally: DesignTally): void {
  const { seed, schedules, oneScenarioIn } = bound;
  const scenarios = scenariosFor(profile).filter(
    (scenario, i) => i % oneScenarioIn === 0 && isPossible(scenario),
  );
  const search = {
    laws: TASK_LAWS,
    seed,
    schedules,
    nameOf: (breach: Occurrence) => knownTaskBreach(KNOWN_TASK, breach)?.name,
  };
  for (const scenario of scenarios) {
    const { witnesses, known, found } = toEnd(searchScenarios([scenario], search));
    for (const [law, times] of witnesses) tally.meet(law, times);
    for (const name of known.keys()) tally.known.add(name);
    if (found !== undefined) tally.find(found.breach.law.name, rendered(found.breach.finding));
  }
}

const isOfMultiLinks = ({ scenario: { setup, clients } }: { readonly scenario: Scenario }) =>
  loadsMultiProgram([...setup, ...clients.flat()]);

/** Every scenario of a multi link and another operation, and those in which the first client continues. */
function scenariosFor(profile: string): Scenario[] {
  const two = pairs(profile, 1, 1).filter(isOfMultiLinks);
  const all = [...two, ...two.map(withThird)].map(({ scenario }) => scenario);
  const retrying = two.find(({ name }) => name === 'attach multi f1+f2, attach multi f1+f2')!.scenario;
  return [
    besideAModule(item(two, 0).scenario),
    growing(item(two, 0).scenario),
    { ...retrying, retries: true },
    ...all,
  ];
}

/** The set of functions of all links together grows, and shrinks. */
function growing({ callers, ...others }: Scenario): Scenario {
  return {
    ...others,
    setup: [loadMulti(1, 'fentry'), loadMulti(2, 'fentry'), linkMulti(2, 'f2')],
    clients: [[linkMulti(1, 'f1+f2'), { do: 'close(link)', link: 'link#1' }]],
    callers: [...callers, ...callers],
  };
}

/** A module is unloaded while the first client attaches. */
function besideAModule({ functions, clients: [first], ...others }: Scenario): Scenario {
  const [f1] = functions;
  return {
    ...others,
    functions: [f1!, tracedFunction('f2', 2, 'u64 x2 -> u64'), moduleFunction('f3', 3, 'u64 -> u64', 'm1')],
    clients: [first!, [{ do: 'delete_module', module: 'm1' }]],
  };
}

function isPossible(scenario: Scenario): boolean {
  return possibleSpace(scenario) !== undefined;
}
