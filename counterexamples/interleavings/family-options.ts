import { THIRD } from '../../checker/interleavings/triples.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { shellWord } from '../text.ts';

/**
 * The options of `explore` that select a scenario of a family by its name. The name says of how many operations the
 * family is: a scenario beside the pairs belongs to two, whatever calls its clients make, and to two clients at least.
 */
export function familyOptions({ cpus, clients, callers }: Scenario, name: string): string {
  const named = name.split(', ').length + name.split(THIRD).length - 1;
  const tasks = Math.max(clients.length, CLIENTS_LEAST) + callers.length;
  const operations = Math.max(named, CLIENTS_LEAST);
  return `--only ${shellWord(name)} --cpus ${cpus} --tasks ${tasks} --operations ${operations}`;
}

const CLIENTS_LEAST = 2;
