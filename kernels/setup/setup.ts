import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kernelFolder } from '../cache.ts';
import type { Release } from '../releases.ts';
import { buildRecorder } from './build.ts';
import { fetchPackages } from './packages.ts';
import { noteRecorder } from './recorder-key.ts';
import { bytesBelow, EMULATOR, FETCHING, requireTools } from './tools.ts';

/** What a setup did. */
export interface SetUp {
  readonly folder: string;
  readonly bytes: number;
  readonly seconds: number;
}

const BUILT_FROM = ['root', 'cache', 'lists', 'sources.list', 'status'];

/** Fetches a kernel and builds the recorder for it; it is safe to repeat. Throws an InputError that says what is missing. */
export function* setUp(release: Release): Generator<string, SetUp> {
  const start = Date.now();
  requireTools([...EMULATOR, ...FETCHING]);
  const folder = kernelFolder(release.kernel);
  mkdirSync(folder, { recursive: true });
  yield `fetching ${release.package}, its headers and their compiler`;
  const root = fetchPackages(release, folder);
  yield `building the recorder for ${release.release}`;
  buildRecorder(release, root, folder);
  noteRecorder(folder);
  // What it was built from is fetched again when it is wanted again.
  for (const name of BUILT_FROM) rmSync(join(folder, name), { recursive: true, force: true });
  writeFileSync(join(folder, 'release'), `${release.release}\n`);
  return { folder, bytes: bytesBelow(folder), seconds: Math.round((Date.now() - start) / 1000) };
}
