import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordedKernelsOf } from '../../conformance/known/attach.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { exampleOf } from '../../conformance/known/attach-example.ts';
import type { ModuleHost } from '../../kernels/own/run-module.ts';
import { ranModule } from '../../kernels/own/run-module.ts';
import { releaseOf } from '../../kernels/releases.ts';
import { recordedHost } from '../../kernels/setup/recorded-host.ts';
import { InputError } from '../../model/core/input-error.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { RECORDED_KERNELS } from '../../model/core/profile.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { rewriteTable } from '../line/rewrite-table.ts';
import { bundleOf, isShown, writeBundle } from './bundle.ts';
import type { Reproducer } from './reproducer.ts';
import { reproducerOf } from './reproducer.ts';
import type { TriedBundles } from './tried-bundles.ts';
import { TRIED_BUNDLES } from './tried-bundles.ts';

/*
 * `npm run bundles`: makes a bundle of the example of each listed breach that a module can show, builds it for each recorded
 * kernel that is listed to have it, loads it there, and writes which of them showed it. Some twenty minutes on one core.
 */

const FILE = new URL('./tried-bundles.ts', import.meta.url);
const TABLE = 'export const TRIED_BUNDLES: readonly TriedBundles[] = ';

/** The module of an example; undefined: it cannot be one. */
function moduleOf(entry: (typeof KNOWN_ATTACH)[number], kernel: RecordedVersion): Reproducer | undefined {
  try {
    return reproducerOf({ case: exampleOf(entry, kernel), law: entry.law, known: entry.name });
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function runs(host: ModuleHost, reproducer: Reproducer): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'attachcheck-bundle-'));
  try {
    writeBundle(folder, bundleOf(reproducer, '', undefined));
    return isShown(toEnd(ranModule(host, folder, reproducer.id)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function triedOn(kernel: RecordedVersion): TriedBundles {
  const host = recordedHost(releaseOf(kernel));
  const shown: string[] = [];
  const hidden: string[] = [];
  try {
    for (const entry of KNOWN_ATTACH) {
      if (entry.multiLinks !== undefined || !recordedKernelsOf([entry]).includes(kernel)) continue;
      const reproducer = moduleOf(entry, kernel);
      if (reproducer === undefined) continue;
      const isSeen = runs(host, reproducer);
      (isSeen ? shown : hidden).push(entry.name);
      process.stderr.write(`${kernel} ${entry.name}: ${isSeen ? 'shown' : 'not shown'}\n`);
    }
  } finally {
    host.close();
  }
  return { kernel, shown: shown.toSorted(), hidden: hidden.toSorted() };
}

const named = process.argv.slice(2);
const wanted = RECORDED_KERNELS.filter((kernel) => named.length === 0 || named.includes(kernel));
const tried = wanted.map(triedOn);
const rows = RECORDED_KERNELS.flatMap(
  (kernel) =>
    tried.find((own) => own.kernel === kernel) ?? TRIED_BUNDLES.find((own) => own.kernel === kernel) ?? [],
);
rewriteTable(FILE, TABLE, JSON.stringify(rows));
