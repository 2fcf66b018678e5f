import { pairs, singles, withSleepers } from '../../checker/interleavings/family.ts';
import type { Share } from '../../checker/share.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { markOf } from '../../counterexamples/run-part.ts';
import { PROFILES, profileNamed } from '../../model/core/profile.ts';
import { DESIGNS } from '../../model/trampoline/designs/all.ts';
import { designOf, ONE_BY_ONE } from '../../model/trampoline/designs/chosen.ts';
import type { TaskSearch } from '../explore/exploration.ts';
import type { WaitingJob } from '../explore/explore.ts';
import { exploreBeside } from '../explore/explore.ts';
import { besideSections, commandOf, explorationOf } from '../explore/explore-options.ts';
import { refineJob } from '../refine/refine-job.ts';
import { subjectOf, subjectsOf } from '../refine/subjects.ts';
import { sequenceJob } from './attach-job.ts';
import type { SequenceSearch } from './attach-search.ts';
import { sectionsJob } from './check.ts';
import type { Section, Task } from './section.ts';
import { taskOf } from './section.ts';
import { inOnePart } from './sections.ts';

/** Operations of a history, and states of a scenario: these fit into a minute on two CPUs. */
const OPERATIONS = 2;
const STATES = 40_000;

/** The kernel that `--kernel` names: a profile, or a design on its preferred kernel. */
export function kernelOf(named: string): string {
  return DESIGNS.some(({ name }) => name === named) ? subjectOf(named) : named;
}

/** Whether a kernel was named for its design: that is named alone, or is not the kernel's own. */
export function isForDesign(named: string): boolean {
  const kernel = kernelOf(named);
  const profile = profileNamed(kernel);
  if (designOf(profile) === undefined) return false;
  return kernel !== named || profile.multiLinks !== PROFILES[profile.kernel].multiLinks;
}

/** The bounds, and whether the first breach ends the run. */
export interface DesignRun {
  readonly sequences: SequenceSearch;
  /** Scenarios to explore, the first of them; undefined: all. */
  readonly scenarios: number | undefined;
  readonly first: boolean;
  readonly share: Share;
}

/**
 * A design's check of a minute: random sequences, interleavings of a multi link and a call, and of two multi links,
 * and its differences from single links. Its own consistency check (`disagreement`) is a law of the first two.
 */
export function designJob(profile: string, { sequences, scenarios, first, share }: DesignRun): WaitingJob {
  const tasks = [taskOf('sequences', 'sequences', () => sequenceJob({ ...sequences, share }))];
  const { multiLinks } = profileNamed(profile);
  if (multiLinks !== ONE_BY_ONE) tasks.push(inOnePart(share, refinement(profile)));
  const links = family(profile);
  const exploration = explorationOfLinks(links, scenarios);
  return sectionsJob({
    tasks,
    explore: () => exploreBeside(exploration, besideSections(share)),
    exploreCommand: commandOf(links),
    seed: sequences.seed,
    first,
  });
}

function family(profile: string) {
  return { is: 'family', profiles: [profile], cpus: 1, tasks: 3, operations: 2, only: [] } as const;
}

/** A multi link that is attached or detached during a call; and two that are concurrently, next to a third. */
function explorationOfLinks(links: ReturnType<typeof family>, most: number | undefined): TaskSearch {
  const [kernel] = links.profiles.map(withSleepers);
  const all = [...singles(kernel!, links.cpus, 1), ...pairs(kernel!, links.cpus, 0)];
  const scenarios = all.filter(({ name }) =>
    name.split(', ').every((operation) => operation.includes(' multi ')),
  );
  return { ...explorationOf(links, scenarios.slice(0, most)), states: STATES, leavesUnmet: true };
}

function refinement(profile: string): Task {
  return {
    name: 'differences',
    fields: ['refine'],
    *work() {
      const job = refineJob({ profiles: subjectsOf([profile, ONE_BY_ONE]), operations: OPERATIONS });
      return refinedSection(yield* job);
    },
  };
}

/** A difference is not a breach: it is what clients would notice. */
export function refinedSection({ text, exit, json, save, suites = [] }: Answer): Section {
  const found = exit === EXIT.BROKEN;
  const open = exit === EXIT.INCONCLUSIVE ? [`the difference for clients from ${ONE_BY_ONE} is open`] : [];
  return {
    part: {
      mark: found ? '≠' : markOf(exit),
      name: 'differences',
      counts: `${found ? 'clients can' : open.length > 0 ? 'open whether clients can' : 'clients cannot'} tell it from ${ONE_BY_ONE}${found ? ', which is no breach' : ''}`,
      reports: found ? [text] : [],
      details: found ? [] : text.split('\n'),
    },
    exit: found ? EXIT.HELD : exit,
    json: { refine: json },
    save,
    // A difference is no breach here.
    suites: found ? [] : suites,
    verdict: { breaches: 0, wrong: [], known: [], open, next: { options: {} } },
  };
}
