import type { Job } from '../../counterexamples/answer.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import { sequenceJob } from '../check/attach-job.ts';
import { searchJob } from '../check/search.ts';
import { randomSearchFor } from '../explore/explore-options.ts';
import { randomJob } from '../explore/random-answer.ts';
import { searchesFor } from '../line/options.ts';
import { nearSchedules } from '../near/near-scenarios.ts';
import { nearSearch } from '../near/near-sequences.ts';
import { subjectOf } from '../refine/subjects.ts';

/** One search of a round. Its bound is small: a breach ends it, and hides what comes after. */
export interface SoakSearch {
  /** `sequences of 6.12`. */
  readonly name: string;
  /** The kernel that it draws for; a search of images draws the kernel, too. */
  readonly kernel: string;
  /** What it draws, and how much of it. */
  readonly unit: 'sequence' | 'scenario' | 'attach combination';
  readonly bound: number;
  readonly start: (seed: number) => Job;
}

const SEQUENCES = 200;
const SCENARIOS = 10;
const COMBINATIONS = 2000;

/** The searches of a round, one after the other: each kernel, and each design that no kernel has. */
export function searchesOfRound(): readonly SoakSearch[] {
  const designs = DESIGNS.map(({ name }) => subjectOf(name)).filter((subject) => !isKernel(subject));
  return [
    images(),
    ...[...KERNELS, ...designs].map((kernel) => sequences(kernel)),
    ...[...KERNELS, ...designs].map(nearListed),
    ...KERNELS.map((kernel) => sequences(kernel, HIT_LAWS.map(({ name }) => name).join(','))),
    ...KERNELS.map(schedules),
    ...[...KERNELS, ...designs].map(nearListedInterleavings),
  ];
}

function isKernel(subject: string): boolean {
  return KERNELS.some((kernel) => kernel === subject);
}

function images(): SoakSearch {
  return {
    ...{ name: 'images', kernel: 'all', unit: 'attach combination', bound: COMBINATIONS },
    start: (seed) => searchJob(searchesFor(optionsOf(seed)).images!),
  };
}

function sequences(kernel: string, law?: string): SoakSearch {
  const about = law === undefined ? 'sequences' : 'tracepoints';
  return {
    ...{ name: `${about} of ${kernel}`, kernel, unit: 'sequence', bound: SEQUENCES },
    start: (seed) =>
      sequenceJob(
        searchesFor({ ...optionsOf(seed), kernel, ...(law === undefined ? {} : { law }) }).sequences!,
      ),
  };
}

function nearListed(kernel: string): SoakSearch {
  return {
    ...{ name: `near listed bugs of ${kernel}`, kernel, unit: 'sequence', bound: SEQUENCES },
    start: (seed) =>
      sequenceJob(nearSearch(undefined, { kernel, seed: String(seed), sequences: String(SEQUENCES) })),
  };
}

function schedules(kernel: string): SoakSearch {
  return {
    ...{ name: `schedules of ${kernel}`, kernel, unit: 'scenario', bound: SCENARIOS },
    start: (seed) =>
      randomJob(randomSearchFor({ kernel, random: String(SCENARIOS), workers: '1', seed: String(seed) })),
  };
}

function nearListedInterleavings(kernel: string): SoakSearch {
  const line = { kernel, sequences: String(SEQUENCES), scenarios: String(SCENARIOS) };
  return {
    ...{ name: `near listed interleavings of ${kernel}`, kernel, unit: 'scenario', bound: SCENARIOS },
    start: (seed) => randomJob(nearSchedules(undefined, { ...line, seed: String(seed) })),
  };
}

function optionsOf(seed: number) {
  return { seed: String(seed), cases: String(COMBINATIONS), sequences: String(SEQUENCES) };
}
