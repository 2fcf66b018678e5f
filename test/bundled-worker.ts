import { spawnSync } from 'node:child_process';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { nameOf, WORKERS } from '../commands/program/bundling.ts';
import { TOP } from './sources.ts';

const PRINTED = `import { currentBundle } from './commands/program/current-bundle.mjs';
console.log((await currentBundle()) ?? '');`;

/** Its folder is named by the text of all sources; the modules of this process are as old. Empty: there is none. */
let folder: string | undefined;

function bundle(): string {
  const args = ['--input-type=module', '--eval', PRINTED];
  folder ??= spawnSync(process.execPath, args, { cwd: TOP, encoding: 'utf8' }).stdout.trimEnd();
  return folder;
}

/** The start of the same worker in the bundle that `npm run check` starts from; itself where there is none. */
export function bundledWorker(fromSources: URL): URL {
  const path = relative(TOP, dirname(fileURLToPath(fromSources)));
  const worker = WORKERS.find((known) => dirname(known) === path);
  if (worker === undefined || bundle() === '') return fromSources;
  return pathToFileURL(join(bundle(), `${nameOf(worker)}.mjs`));
}
