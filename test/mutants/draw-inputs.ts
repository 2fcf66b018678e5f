import { join } from 'node:path';
import { drawCases as drawImages } from '../../checker/images/check.ts';
import { withSleepers } from '../../checker/interleavings/family.ts';
import { beside } from '../../checker/interleavings/family-beside.ts';
import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { searchToEnd } from '../../checker/sequences/search.ts';
import { prototypes } from '../../checker/stubs/search-stubs.ts';
import { profileFor } from '../../commands/designs/bound.ts';
import type { NamedScenario } from '../../commands/explore/exploration.ts';
import { DEFAULT_FAMILY, scenariosOf } from '../../commands/explore/exploration.ts';
import { parseTrace } from '../../counterexamples/images/trace.ts';
import { parseTaskTrace } from '../../counterexamples/interleavings/task-trace.ts';
import { parseAttachTrace } from '../../counterexamples/sequences/attach-trace.ts';
import { traceKind } from '../../counterexamples/trace-kind.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import { sources } from '../sources.ts';
import { cornerHistories } from './corner-histories.ts';
import { freeingScenarios } from './freeing-scenarios.ts';
import type { Input } from './input.ts';
import { overlappingLinks } from './overlapping-links.ts';
import { otherProfilesOf, overriddenProfiles, smallStackProfiles, withFaults } from './rare-sequences.ts';
import { drawPrograms } from './x86/draw.ts';
import { comparisons } from './x86/exhaustive.ts';
import { allOpcodes } from './x86/opcode.ts';
import { isDefined, runReference } from './x86/reference.ts';

/** How much is drawn, each kind from the same seed; a bound is a count. */
export interface InputBound {
  readonly seed: number;
  /** For each kernel, on functions; and for each, of tracepoints alone. */
  readonly sequences: number;
  readonly hits: number;
  /** For each design of multi links. */
  readonly ofDesigns: number;
  /** More for each kernel, and for each design, of which those are kept that run what few others do. */
  readonly rareOf: number;
  readonly rareOfDesigns: number;
  /** More for each behaviour of another kernel, and for each small shadow stack, of which those are kept as well. */
  readonly rareOfOverrides: number;
  /** Of one kind of call, those that a failure comes before, for each failure on its way; also of links that overlap. */
  readonly faults: number;
  readonly images: number;
  /** The n-th part of the scenarios of the default family: 1 is all of them. */
  readonly everyScenario: number;
  /**
   * A link that comes or goes beside a task that is in a call, in each design and each life cycle of images; and what the
   * default family has beside its pairs.
   */
  readonly freeing: boolean;
  /** Programs of machine code. */
  readonly programs: number;
  /** Of the saved counterexamples every n-th; 0: none. */
  readonly everyTrace: number;
  /** Prototypes of tracepoints, the shortest first. */
  readonly stubs: number;
  /** Every opcode, and every method of the assembler. */
  readonly exhaustive: boolean;
}

export const KERNELS = ['6.1', '6.12', '7.2'];

export function inputsOf(bound: InputBound): Input[] {
  const { seed, images, programs, stubs, exhaustive } = bound;
  const cases: Input[] = [];
  if (images > 0)
    drawImages({ seed, numRuns: images }, (c) => {
      cases.push({ is: 'image', case: c });
    });
  return [
    ...programsOf(seed, programs),
    ...(exhaustive ? allOpcodes() : []).map((opcode): Input => ({ is: 'opcode', opcode })),
    ...(exhaustive ? comparisons() : []).map((name): Input => ({ is: 'exhaustive', name })),
    ...stubsOf(stubs),
    ...cases,
    ...sequencesOf(bound),
    ...writtenOf(bound),
    ...savedCases(bound),
    ...scenariosFor(bound),
  ];
}

function programsOf(seed: number, count: number): Input[] {
  return drawPrograms(seed, count).flatMap((program): Input[] => {
    const expected = runReference(program);
    return isDefined(expected) ? [{ is: 'program', program, expected }] : [];
  });
}

function stubsOf(most: number): Input[] {
  const found: Input[] = [];
  if (most > 0)
    for (const types of prototypes()) {
      found.push({ is: 'stub', types });
      if (found.length === most) break;
    }
  return found;
}

/** Of each kernel in turn, so that the first of them are of all. */
function sequencesOf({ seed, sequences, hits, ofDesigns }: InputBound): Input[] {
  const all = [
    ...KERNELS.map((kernel) => drawSequences(kernel, seed, sequences)),
    ...KERNELS.map((kernel) => drawSequences(kernel, seed, hits, true)),
    ...DESIGNS.map((design) => drawSequences(profileFor(design), seed, ofDesigns)),
  ];
  const most = Math.max(...all.map(({ length }) => length));
  return Array.from({ length: most }, (_, n) => all.flatMap((drawn) => drawn.slice(n, n + 1))).flat();
}

function writtenOf({ faults }: InputBound): Input[] {
  const cases = faults > 0 ? cornerHistories() : [];
  return cases.map((c): Input => ({ is: 'sequence', case: c, written: true }));
}

/** Other sequences than those of the corpus; of each kernel and design one after the other, so that few are held. */
export function* moreSequences(bound: InputBound): Generator<Input> {
  const { seed, rareOf, rareOfDesigns, rareOfOverrides, faults } = bound;
  const withDesigns = [...DESIGNS.map(profileFor), ...DESIGNS.flatMap(otherProfilesOf)];
  for (const kernel of KERNELS) yield* drawSequences(kernel, seed + 1, rareOf);
  for (const profile of withDesigns) yield* drawSequences(profile, seed + 1, rareOfDesigns);
  for (const profile of [...overriddenProfiles(), ...smallStackProfiles()])
    yield* drawSequences(profile, seed + 1, rareOfOverrides);
  if (faults === 0) return;
  for (const profile of withDesigns) yield* asInputs(overlappingLinks(profile));
  for (const profile of withDesigns) yield* asInputs(withFaults(overlappingLinks(profile), faults));
  for (const profile of [...KERNELS, ...withDesigns])
    yield* asInputs(withFaults(drawCases(profile, seed + 2, rareOfDesigns), faults));
}

function drawSequences(profile: string, seed: number, sequences: number, hits = false): Input[] {
  return [...asInputs(drawCases(profile, seed, sequences, hits))];
}

function* asInputs(cases: Iterable<AttachCase>): Generator<Input> {
  for (const c of cases) yield { is: 'sequence', case: c };
}

function drawCases(profile: string, seed: number, sequences: number, hits = false): AttachCase[] {
  const drawn: AttachCase[] = [];
  const played = (c: AttachCase) => drawn.push(c);
  if (sequences > 0) searchToEnd({ profile, seed, sequences, laws: [], hits, played });
  return drawn;
}

/** What saved counterexamples do, without the planted bug that they were found for; no saved answer is read. */
function savedCases(bound: InputBound): Input[] {
  return savedTraces(bound).flatMap(caseOf);
}

function caseOf(text: string): Input[] {
  const kind = traceKind(text);
  switch (kind) {
    case 'image':
      return [{ is: 'image', case: parseTrace(text).case }];
    case 'sequence':
      return [{ is: 'sequence', case: parseAttachTrace(text).case }];
    case 'interleaving':
    case 'history':
      return [];
    default:
      return unreachable(kind);
  }
}

function savedTraces({ everyTrace }: InputBound): string[] {
  const traces = sources('.trace').filter(({ path }) => path.startsWith(join('counterexamples', 'corpus')));
  return traces.filter((_, i) => everyTrace > 0 && i % everyTrace === 0).map(({ text }) => text);
}

/** Those of planted bugs, without the bug, in their kernel; saved ones; then some of the default family, in each. */
function scenariosFor(bound: InputBound): Input[] {
  const { everyScenario, everyTrace, freeing } = bound;
  const planted = TASK_PLANTED.filter((_, i) => everyTrace > 0 && i % everyTrace === 0).map(
    ({ name, sound, profile, scenario, grain }) =>
      named(name, { profile: sound ?? profile, ...scenario }, grain),
  );
  const saved = savedTraces(bound)
    .filter((text) => traceKind(text) === 'interleaving')
    .map((text) => parseTaskTrace(text).schedule)
    .map(({ scenario, grain }, i) => named(`saved ${i + 1}`, scenario, grain));
  const family = scenariosOf({ ...DEFAULT_FAMILY, profiles: KERNELS }).filter(
    (_, i) => i % everyScenario === 0,
  );
  const freed = freeing ? freeingScenarios() : [];
  const small: NamedScenario[] = freeing
    ? KERNELS.flatMap((kernel) => beside(withSleepers(kernel), DEFAULT_FAMILY.cpus))
    : [];
  const all = [...planted, ...saved, ...freed, ...small, ...family];
  const distinct = new Map(
    all.map((scenario) => [JSON.stringify([scenario.scenario, scenario.grain]), scenario]),
  );
  return [...distinct.values()].map((scenario) => ({ is: 'scenario', scenario }));
}

function named(name: string, scenario: Scenario, grain: NamedScenario['grain']): NamedScenario {
  return { name, scenario, ...(grain === undefined ? {} : { grain }) };
}
