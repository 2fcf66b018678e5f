import { expect, test } from 'vitest';
import { familyOptions } from '../../counterexamples/interleavings/family-options.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { words } from '../../test/console.ts';
import { someOf } from '../../test/thorough.ts';
import type { NamedScenario } from './exploration.ts';
import { DEFAULT_FAMILY, scenariosOf } from './exploration.ts';
import type { ExploreLine } from './explore-options.ts';
import { explorationFor } from './explore-options.ts';

/** `--only 'a, b' --cpus 2` as the command line reads it. */
function lineOf(options: string): ExploreLine {
  const all = words(options);
  const values = all.map((word, i) => [word.replace('--', ''), all[i + 1]!] as const);
  return { workers: '1', seed: '1', ...Object.fromEntries(values.filter((_, i) => i % 2 === 0)) };
}

const FAMILIES = KERNELS.flatMap((kernel) => [
  { ...DEFAULT_FAMILY, profiles: [kernel], cpus: 1 },
  { ...DEFAULT_FAMILY, profiles: [kernel], tasks: 2 },
  { ...DEFAULT_FAMILY, profiles: [kernel], tasks: 4, operations: 3 as const },
]);

/** Beside the pairs stand scenarios of other makes: of two operations each one is asked for. */
const isAsked = (operations: 2 | 3) => (all: readonly NamedScenario[]) =>
  operations === 2 ? all : someOf(all, 10);

test.each(FAMILIES)(
  'a scenario is found by the options that its report prints: $profiles, $tasks tasks, $operations operations',
  { timeout: 600_000 },
  (family) => {
    const scenarios = isAsked(family.operations)(scenariosOf(family));
    const lost = scenarios.filter(({ name, scenario }) => {
      const line = { ...lineOf(familyOptions(scenario, name)), kernel: scenario.profile };
      const found = explorationFor(line).scenarios.map((other) => JSON.stringify(other.scenario));
      return !found.includes(JSON.stringify(scenario));
    });
    expect(scenarios.length).toBeGreaterThan(20);
    expect(lost.map(({ name }) => name)).toEqual([]);
  },
);
