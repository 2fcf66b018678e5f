import type { SpawnSyncReturns } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import type { InPlaceOf } from './bundled.ts';
import { bundled, removeBundle } from './bundled.ts';
import { TOP } from './sources.ts';

/** Runs the program at the top of the project in a process in which files replace modules. */
export async function startedWith(
  inPlaceOf: InPlaceOf,
  ...args: readonly string[]
): Promise<SpawnSyncReturns<string>> {
  return started(await bundled({ file: 'main.ts' }, { inPlaceOf }), args);
}

/** What code prints as JSON there; its imports lead into the project as `./…`. Throws with what it says on stderr. */
export async function printedWith(inPlaceOf: InPlaceOf, code: string): Promise<unknown> {
  const { stdout, stderr, status } = started(await bundled({ code }, { inPlaceOf }), []);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Runs a bundle once, and removes it. */
function started(program: string, args: readonly string[]): SpawnSyncReturns<string> {
  const ran = spawnSync(process.execPath, [program, ...args], { cwd: TOP, encoding: 'utf8' });
  removeBundle(program);
  return ran;
}
