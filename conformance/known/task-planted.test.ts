import { describe, expect, test } from 'vitest';
import { ImpossibleSetup } from '../../checker/interleavings/impossible-setup.ts';
import { knownByCause } from '../../checker/interleavings/known-task-breach.ts';
import { lively } from '../../checker/interleavings/liveness.ts';
import { knownOneByOne } from '../../checker/interleavings/one-by-one.ts';
import { explore } from '../../checker/interleavings/search.ts';
import type { SpaceOptions } from '../../checker/interleavings/space.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { scenariosOf } from '../../commands/explore/exploration.ts';
import type { Edit } from '../../model/core/link.ts';
import { KERNELS, profileNamed } from '../../model/core/profile.ts';
import type { Kernel } from '../../model/kernel.ts';
import { linkKernel } from '../../model/step.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { TASK_PLANTED } from '../../properties/planted/interleavings/all.ts';
import type { TaskPlanted } from '../../properties/planted/interleavings/planted.ts';
import { register, scenario, tracer, unregister } from '../../properties/planted/interleavings/scenarios.ts';
import { dropped, edit } from '../../properties/planted/sequences/edits.ts';
import { noFetchFromFreedMemory } from '../../properties/task/no-fetch-from-freed-memory.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import { someOf, THOROUGH } from '../../test/thorough.ts';
import { KNOWN_ATTACH } from './attach-all.ts';
import { KNOWN_TASK } from './task-breaches.ts';

/*
 * Bugs judged as if they were in the kernel: none may pass for a listed breach, unless the sound kernel shows that
 * one in the same scenario. Each bug is planted in its own kernel, and with `npm run thorough` in all of them.
 */

const STATES = 90_000;

interface Verdict {
  /** Names of listed breaches. */
  readonly known: readonly string[];
  /** Some breach is not listed. */
  readonly isNew: boolean;
}

/** The names for the breaches of a law in a state space. */
function verdict(law: TaskLaw, space: Space): Verdict {
  if (law.isLiveness === true) return { known: [], isNew: lively(space, STATES).trap !== undefined };
  const { breaches } = explore(space, {
    laws: [law],
    states: STATES,
    nameOf: (breach) => (knownByCause(KNOWN_TASK, breach) ?? knownOneByOne(KNOWN_ATTACH, breach, true))?.name,
  });
  return {
    known: [...new Set(breaches.flatMap(({ known }) => known ?? []))],
    isNew: breaches.some(({ known }) => known === undefined),
  };
}

function spaceOf(scenario: Scenario, options: SpaceOptions): Space | undefined {
  try {
    return new Space(scenario, options);
  } catch (error) {
    if (error instanceof ImpossibleSetup) return undefined;
    throw error;
  }
}

/** A profile with the overrides of another one. */
function inKernel(kernel: string, profile: string): string {
  return [kernel, ...profile.split(',').slice(1)].join(',');
}

function options({ grain }: TaskPlanted, edits: readonly Edit[]): SpaceOptions {
  return { program: linkKernel(edits), ...(grain === undefined ? {} : { grain }) };
}

/** The names for a bug's breaches in a kernel; undefined: its scenario cannot be set up there. */
function verdictIn(planted: TaskPlanted, kernel: string): Verdict | undefined {
  const { law, edits, profile } = planted;
  const bad = spaceOf({ ...planted.scenario, profile: inKernel(kernel, profile) }, options(planted, edits));
  return bad === undefined ? undefined : verdict(law, bad);
}

/** Breaches by a bug that pass for listed ones, although the sound kernel does not show them there. */
function swallowed(planted: TaskPlanted, kernel: string, known: Verdict['known']): readonly string[] {
  if (known.length === 0) return [];
  const { law, profile, sound = profile } = planted;
  const good = spaceOf({ ...planted.scenario, profile: inKernel(kernel, sound) }, options(planted, []));
  const shown = good === undefined ? [] : verdict(law, good).known;
  return known.filter((name) => !shown.includes(name));
}

describe('a planted bug passes for no listed breach:', () => {
  test.each(someOf(TASK_PLANTED, 16).map((planted) => [planted.name, planted] as const))(
    '%s',
    (_, planted) => {
      const own = profileNamed(planted.profile).kernel;
      const kernels = THOROUGH ? KERNELS : [own];
      for (const kernel of kernels) {
        const judged = verdictIn(planted, kernel);
        expect([kernel, ...swallowed(planted, kernel, judged?.known ?? [])]).toEqual([kernel]);
        if (kernel === own) expect(judged?.isNew).toBe(true);
      }
    },
  );
});

/** bpf_tramp_image_put() patches the image that call sites call now. */
const PATCHES_THE_IMAGE_IN_USE = edit('bpf_tramp_image_put', 'fexit programs are to be skipped', (part) =>
  part.kind !== 'when'
    ? [part]
    : [
        {
          ...part,
          parts: part.parts.map((part) =>
            part.kind !== 'call'
              ? part
              : {
                  ...part,
                  give: (k, locals) =>
                    part.give(k, { ...locals, image: inUse(k as Kernel, String(locals['image'])) }),
                },
          ),
        },
      ],
);

/** The image in use in place of another, if that one calls the original as well. */
function inUse({ bpf }: Kernel, image: string): string {
  const now = bpf.trampolines[bpf.images[image]?.target ?? '']?.curImage ?? '';
  return bpf.images[now]?.callOrig === true ? now : image;
}

const NOBODY_WAITS_FOR_AN_OPS = edit('ftrace_shutdown', 'the ops may be freed', dropped);

/** A scenario of the default run in a kernel. */
function ofDefaultRun(kernel: string, name: string): Scenario {
  const family = {
    is: 'family' as const,
    profiles: [kernel],
    cpus: 1,
    tasks: 3,
    operations: 2 as const,
    only: name.split(', '),
  };
  return scenariosOf(family).find((scenario) => scenario.name === name)!.scenario;
}

function editsOf(name: string): readonly Edit[] {
  return TASK_PLANTED.find((planted) => planted.name === name)!.edits;
}

const WITHOUT_A_SCENARIO: readonly [string, string, readonly Edit[], TaskLaw, Scenario][] = [
  ...['6.12', '7.2'].flatMap((kernel) =>
    ['no-rcu-tasks-trace-for-sleepers', 'rcu-for-sleepers'].map(
      (bug): [string, string, readonly Edit[], TaskLaw, Scenario] => [
        bug,
        kernel,
        editsOf(bug),
        noFetchFromFreedMemory,
        ofDefaultRun(kernel, 'attach f1, attach f1'),
      ],
    ),
  ),
  [
    'the image in use is patched',
    '6.12',
    [PATCHES_THE_IMAGE_IN_USE],
    probesSeeOldOrNew,
    ofDefaultRun('6.12', 'attach f1, attach f1'),
  ],
  [
    'an ops that may be freed is not waited for, and registered again under a walk',
    '6.12',
    [NOBODY_WAITS_FOR_AN_OPS],
    probesSeeOldOrNew,
    {
      profile: '6.12',
      ...scenario({
        setup: [...tracer('ops#2'), register('ops#2'), ...tracer('ops#1'), register('ops#1')],
        clients: [[unregister('ops#2'), register('ops#2')]],
      }),
    },
  ],
];

describe('a bug in a routine is new where the sound kernel shows another breach of the law:', () => {
  test.each(someOf(WITHOUT_A_SCENARIO, 3))('%s (%s)', (_, __, edits, law, scenario) => {
    expect(verdict(law, new Space(scenario, { program: linkKernel(edits) })).isNew).toBe(true);
  });
});

describe('a batch that is retired while a CPU may fetch its int3', () => {
  const planted = TASK_PLANTED.find(({ name }) => name === 'batch-is-retired-with-the-heads')!;

  test.each([
    ['6.1', false],
    ['6.12', true],
  ])('is fatal unless a late trap executes the place again: %s', (kernel, isNew) => {
    expect(verdictIn(planted, kernel)).toEqual({ known: [], isNew });
  });
});
