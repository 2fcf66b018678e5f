/*
 * The bundle of the sources as they are now, with the starts of its workers: it is made once for each state of them.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

const TOP = join(import.meta.dirname, '../..');
const BUNDLES = join(TOP, 'node_modules/.cache/program');
/** Longer than any run that may still read its bundle. */
const KEPT_DAYS = 7;

/** A folder by the versions of all that is in the bundle: of sources their text, of packages the lock file. */
function folderOf() {
  const { files } = JSON.parse(readFileSync(join(TOP, 'package.json'), 'utf8'));
  const tops = files.filter((name) => statSync(join(TOP, name), { throwIfNoEntry: false })?.isDirectory());
  const sources = tops.filter((top) => top !== 'dist').flatMap((top) => filesIn(top));
  const hash = createHash('sha256').update(process.version);
  for (const path of ['main.ts', 'package-lock.json', ...sources]) {
    const text = readFileSync(join(TOP, path));
    hash.update(`${path} ${text.length}\n`).update(text);
  }
  return join(BUNDLES, hash.digest('hex').slice(0, 32));
}

function filesIn(top) {
  const files = readdirSync(join(TOP, top), { recursive: true }).sort();
  return files.filter((file) => /(?<!\.test|\.d)\.ts$/.test(file)).map((file) => join(top, file));
}

/** Makes the bundle beside its folder, and puts it in place when it is whole: another process may be at the same. */
async function makeBundle(folder) {
  const { register } = await import('tsx/esm/api');
  const unregister = register();
  const { bundleSources } = await import('./source-bundle.ts');
  await unregister();
  mkdirSync(BUNDLES, { recursive: true });
  const made = `${folder}.${process.pid}`;
  await bundleSources({ start: { file: 'main.ts' }, folder: made, bundlesWorkers: true });
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true });
  }
}

/** Another process may put a bundle in place, or remove an old one, meanwhile. */
function removeOld() {
  const before = Date.now() - KEPT_DAYS * 86_400_000;
  for (const path of readdirSync(BUNDLES).map((name) => join(BUNDLES, name)))
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? before) < before)
      rmSync(path, { recursive: true, force: true });
}

/** The folder of the bundle, which is made if it is not there; undefined: none could be made. */
export async function currentBundle() {
  try {
    const folder = folderOf();
    if (!existsSync(folder)) {
      await makeBundle(folder);
      removeOld();
    }
    utimesSync(folder, new Date(), new Date());
    return folder;
  } catch {
    return undefined;
  }
}
