import type { SpawnSyncReturns } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TOP } from './sources.ts';

/** For a module, by its path from the top, the path of a file that stands in its place. */
export type InPlaceOf = Readonly<Record<string, string>>;

/** Runs Node at the top of the project in a process, and in its workers, in which files stand in the place of modules. */
export function startedWith(replaced: InPlaceOf, ...args: readonly string[]): SpawnSyncReturns<string> {
  const addresses = Object.entries(replaced).map(([module, file]) =>
    [join(TOP, module), file].map((path) => pathToFileURL(path).href),
  );
  return spawnSync(process.execPath, ['--import', 'tsx', '--import', './test/replacing.mjs', ...args], {
    cwd: TOP,
    encoding: 'utf8',
    env: { ...process.env, REPLACED: JSON.stringify(Object.fromEntries(addresses)) },
  });
}

/** What code prints as JSON there; its imports lead into the project as `./…`. Throws with what it says on stderr. */
export function printedWith(replaced: InPlaceOf, code: string): unknown {
  const { stdout, stderr, status } = startedWith(replaced, '--input-type=module', '-e', code);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}
