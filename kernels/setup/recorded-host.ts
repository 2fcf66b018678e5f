import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../cache.ts';
import type { ModuleHost } from '../own/run-module.ts';
import type { Release } from '../releases.ts';
import { buildBundle } from './build.ts';
import { fetchPackages } from './packages.ts';
import { EMULATOR, FETCHING, requireTools } from './tools.ts';

/** A recorded kernel: its packages are fetched when the first module is built, and kept until it is closed. */
export function recordedHost(release: Release): ModuleHost {
  requireTools([...EMULATOR, ...FETCHING]);
  let packages: string | undefined;
  let root: string | undefined;
  return {
    release: release.release,
    *build(sources, name, folder) {
      if (root === undefined) {
        yield `fetching ${release.package}, its headers and their compiler`;
        mkdirSync(cacheFolder(), { recursive: true });
        packages = mkdtempSync(join(cacheFolder(), 'bundle-'));
        root = fetchPackages(release, packages);
      }
      yield `building ${name} for ${release.release}`;
      return buildBundle(release, root, { sources, name, folder });
    },
    close() {
      if (packages !== undefined) rmSync(packages, { recursive: true, force: true });
    },
  };
}
