import { withSleepers } from '../../checker/interleavings/family.ts';
import type { TaskBreach } from '../../checker/interleavings/judge.ts';
import { knownTaskBreach } from '../../checker/interleavings/known-task-breach.ts';
import { breaksAtomically } from '../../checker/interleavings/random/atomically.ts';
import type { NearScenarios } from '../../checker/interleavings/random/nearby.ts';
import type { FoundSchedule, RandomlySearched } from '../../checker/interleavings/random/search-schedules.ts';
import { NOTHING_SEARCHED, searchRandomly } from '../../checker/interleavings/random/search-schedules.ts';
import { shrinkScenario } from '../../checker/interleavings/random/shrink-schedule.ts';
import { playedBy } from '../../checker/interleavings/random/told.ts';
import { runsOf } from '../../checker/interleavings/schedule.ts';
import { Space } from '../../checker/interleavings/space.ts';
import type { Answer, Exit, Job, JobProgress, RunVerdict } from '../../counterexamples/answer.ts';
import { EXIT, progressOf } from '../../counterexamples/answer.ts';
import { foundJson } from '../../counterexamples/images/describe.ts';
import type { TaskCounterexample } from '../../counterexamples/interleavings/task-describe.ts';
import { described, savedTasks } from '../../counterexamples/interleavings/task-find.ts';
import { printFoundRandomly } from '../../counterexamples/interleavings/task-report.ts';
import type { Remark, RunPart } from '../../counterexamples/run-part.ts';
import { markOf, partAnswer } from '../../counterexamples/run-part.ts';
import { count, counted } from '../../counterexamples/text.ts';
import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import {
  detailLines,
  knownLines,
  knownText,
  lawLines,
  lawsText,
  plantedRemarks,
  searchVerdict,
  stoppedRemarks,
  unaskedLines,
  unaskedText,
  vacuousRemarks,
  vacuousText,
} from '../check/pass.ts';
import { meetsPremises } from './premises.ts';
import { randomChecks } from './random-checks.ts';
import type { NearTasks, RandomPart, RandomTaskSearch } from './random-search.ts';
import { leftScenarios, listedIn, met, vacuousIn } from './random-search.ts';

/** Searches until there is a new breach, the bound is reached, or it is stopped. */
export function* randomJob(search: RandomTaskSearch): Job {
  const parts: RandomPart[] = [];
  for (const profile of search.profiles) {
    const searched = yield* progressOf(stoppable(search, profile), (so) => progressIn(search, profile, so));
    parts.push({ profile, searched });
    if (searched.found !== undefined || searched.scenarios < search.scenarios) break;
  }
  return randomAnswer(search, parts);
}

/** The search in one kernel, which ends when it is stopped. */
function* stoppable(
  search: RandomTaskSearch,
  profile: string,
): Generator<RandomlySearched, RandomlySearched, boolean> {
  let so = NOTHING_SEARCHED;
  const { near, ...bound } = search;
  const all = searchRandomly({
    ...bound,
    ...(near === undefined ? {} : { near: nearIn(near, profile) }),
    profile: withSleepers(profile),
    program: plantedKernel(search.planted),
    nameOf: (breach) => knownTaskBreach(search.known, breach)?.name,
  });
  for (;;) {
    const step = all.next();
    so = step.value;
    if (step.done === true || (yield so)) return so;
  }
}

function nearIn({ scenarios }: NearTasks, profile: string): NearScenarios {
  return { near: scenarios.filter((scenario) => scenario.profile === profile), meetsPremises };
}

function progressIn({ scenarios }: RandomTaskSearch, profile: string, so: RandomlySearched): JobProgress {
  const inner = { done: so.moves, unit: 'move' };
  return { part: `schedules of ${profile}`, done: so.scenarios, of: scenarios, unit: 'scenario', inner };
}

function randomAnswer(search: RandomTaskSearch, parts: readonly RandomPart[]): Answer {
  const found = parts.at(-1)?.searched.found;
  const counterexample = found === undefined ? undefined : shrunk(search, found);
  const exit = exitOf(search, parts, counterexample);
  const save = savedTasks(counterexample);
  return partAnswer(
    partOf(search, parts, { exit, counterexample }),
    {
      json: { command: 'random', exit, ...jsonOf(search, parts, counterexample) },
      exit,
      save,
      verdict: verdictOfSearch(search, parts, counterexample !== undefined),
    },
    randomChecks(search, parts, { save, report: counterexample?.trace.report }),
  );
}

function partOf(
  search: RandomTaskSearch,
  parts: readonly RandomPart[],
  { exit, counterexample }: { readonly exit: Exit; readonly counterexample: TaskCounterexample | undefined },
): RunPart {
  const { laws, unasked } = search;
  const known = listedIn(search, parts);
  const moves = sumOf(parts, (searched) => searched.moves);
  const isWhole = counterexample === undefined && leftScenarios(search, parts).length === 0;
  return {
    mark: markOf(exit),
    name: 'schedules',
    counts: countsText(search, parts),
    kernels: parts.map(({ profile }) => profile),
    reports: counterexample === undefined ? [] : [counterexample.trace.report],
    remarks: counterexample === undefined ? remarksOn(search, parts) : [],
    details: [
      ...(isWhole
        ? laws.flatMap((law) => lawLines(law, { met: met(parts, law), of: moves, noun: 'move' }))
        : []),
      ...unasked.flatMap(unaskedLines),
      ...knownLines(known, 'scenario'),
      ...parts.flatMap((part) => boundLines(search, part)),
    ],
    known: knownText(known, 'interleavings'),
    uncovered: unaskedText(unasked, 'interleavings'),
  };
}

function countsText({ laws, near }: RandomTaskSearch, parts: readonly RandomPart[]): string {
  const scenarios = sumOf(parts, (searched) => searched.scenarios);
  const walks = sumOf(parts, (searched) => searched.walks);
  return [
    `${counted(scenarios, 'scenario')} drawn${near === undefined ? '' : ` near ${near.name}`}`,
    counted(walks, 'schedule'),
    lawsText(laws.map((law) => met(parts, law))),
  ].join(', ');
}

function sumOf(parts: readonly RandomPart[], of: (searched: RandomlySearched) => number): number {
  return parts.reduce((sum, { searched }) => sum + of(searched), 0);
}

/** What leaves the question open. */
function remarksOn(search: RandomTaskSearch, parts: readonly RandomPart[]): Remark[] {
  const left = leftScenarios(search, parts);
  const open = left.length > 0 ? stoppedRemarks(left) : vacuousRemarks(vacuousIn(search, parts));
  return [...open, ...plantedRemarks(search.planted)];
}

function verdictOfSearch(
  search: RandomTaskSearch,
  parts: readonly RandomPart[],
  isFound: boolean,
): RunVerdict {
  const { planted, seed, scenarios, near } = search;
  const left = leftScenarios(search, parts);
  const unmet = vacuousText(vacuousIn(search, parts).length, 'interleaving');
  const known = parts.flatMap(({ searched }) => [...searched.known.keys()]);
  const more = { [near === undefined ? '--random' : '--scenarios']: String(10 * scenarios) };
  return searchVerdict({ isFound, planted, known, left, unmet, seed, more });
}

/** Shrinks a finding, plays the result again, and describes it. */
function shrunk(search: RandomTaskSearch, { number, ...found }: FoundSchedule): TaskCounterexample {
  const { planted, known, seed, schedules, near } = search;
  const { law } = found.breach;
  const program = plantedKernel(planted);
  const isAtomic = atomicityOf(law, program);
  const { scenario, moves, proved, isFirst } = shrinkScenario(found.scenario, found.moves, {
    laws: [law],
    program,
    isSame: (breach) => knownTaskBreach(known, breach) === undefined && !isAtomic(breach.space.scenario),
  }) ?? { ...found, proved: false, isFirst: true };
  const space = new Space(scenario, { program, reduce: false, symmetric: false });
  return described({ scenario, runs: runsOf(playedBy(space, moves)) }, law, {
    planted,
    known: undefined,
    found: printFoundRandomly({ seed, near: near?.name, scenario: number, schedules, proved, isFirst }),
  });
}

/** Whether a scenario breaks a law without interleaving as well: then it is no simpler one, sequences find it. */
function atomicityOf(law: TaskLaw, program: KernelProgram): (scenario: Scenario) => boolean {
  const known = new WeakMap<Scenario, boolean>();
  const isSame = (breach: TaskBreach) => breach.law === law;
  return (scenario) => {
    const isAtomic = known.get(scenario) ?? breaksAtomically(scenario, { laws: [law], program, isSame });
    known.set(scenario, isAtomic);
    return isAtomic;
  };
}

function exitOf(
  search: RandomTaskSearch,
  parts: readonly RandomPart[],
  found: TaskCounterexample | undefined,
): Exit {
  if (found !== undefined) return EXIT.BROKEN;
  const isOpen = vacuousIn(search, parts).length > 0;
  return isOpen || leftScenarios(search, parts).length > 0 || search.planted !== undefined
    ? EXIT.INCONCLUSIVE
    : EXIT.HELD;
}

/** The summary of the search in one kernel. A pass says no more than this. */
function boundLines({ seed, scenarios }: RandomTaskSearch, { profile, searched }: RandomPart): string[] {
  const { walks, moves, operations, calls, atomic, found } = searched;
  return detailLines(
    `${profile}, seed ${seed}: ${found === undefined ? 'no new breach in ' : ''}` +
      `${count(searched.scenarios)} of ${counted(scenarios, 'drawn scenario')} with ` +
      `${counted(operations, 'operation')} and ${counted(calls, 'call')}: ` +
      `${counted(walks, 'random schedule')}, ${counted(moves, 'move')}` +
      (atomic === 0 ? '' : `; ${counted(atomic, 'scenario')} left to the search of sequences`),
  );
}

function jsonOf(
  search: RandomTaskSearch,
  parts: readonly RandomPart[],
  found: TaskCounterexample | undefined,
) {
  const { planted, seed, schedules, near } = search;
  return {
    planted: planted?.name ?? null,
    near: near?.name ?? null,
    seed,
    schedules,
    kernels: parts.map(({ profile, searched: { witnesses: _, found: __, known, ...counts } }) => ({
      kernel: profile,
      ...counts,
      known: [...known.keys()],
    })),
    laws: search.laws.map((law) => ({ name: law.name, sentence: law.sentence, moves: met(parts, law) })),
    unasked: search.unasked,
    counterexample: found === undefined ? null : foundJson(found),
  };
}
