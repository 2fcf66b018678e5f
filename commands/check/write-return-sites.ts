import { REACHING, RETURN_SITES } from '../../conformance/known/return-sites.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { allSites } from '../../counterexamples/sequences/refusals.ts';
import type { ReturnSite, Sites } from '../../counterexamples/sequences/sites.ts';
import type { KernelVersion, RecordedVersion } from '../../model/core/profile.ts';
import { KERNELS, RECORDED_KERNELS } from '../../model/core/profile.ts';
import { toEnd } from '../../model/core/to-end.ts';
import { KERNEL_PROGRAM } from '../../model/step.ts';
import { searchesFor } from '../line/options.ts';
import { rewriteTable } from '../line/rewrite-table.ts';
import { searchKernel } from './attach-job.ts';
import type { SequenceSearch } from './attach-search.ts';

/*
 * `npm run sites`: plays the sequences of the default run, and writes which return sites they reach. A site that
 * they have stopped to reach becomes one of longer runs. A new one that they do not reach has to say which run does,
 * or why none does: it is named, and exits with 1.
 */

const FILE = new URL('../../conformance/known/return-sites.ts', import.meta.url);
const TABLE = 'export const RETURN_SITES: readonly ReturnSite[] = ';

function sitesOf(search: SequenceSearch, kernel: KernelVersion): Sites {
  return toEnd(searchKernel(search, kernel)).sites;
}

/** The row of a site, as the run has it. */
function rowOf(site: string, taken: ReadonlyMap<KernelVersion, Sites>): ReturnSite {
  const { reached: before = [], seldom: rarely = [], never } = listed.get(site) ?? {};
  const reached = KERNELS.filter((kernel) => taken.get(kernel)?.has(site));
  const seldom = RECORDED_KERNELS.filter(
    (kernel) => !isIn(reached, kernel) && (isIn(before, kernel) || rarely.includes(kernel)),
  );
  return {
    site,
    reached,
    ...(seldom.length > 0 ? { seldom } : {}),
    ...(never !== undefined && reached.length === 0 ? { never } : {}),
  };
}

function isIn(kernels: readonly RecordedVersion[], kernel: RecordedVersion): boolean {
  return kernels.includes(kernel);
}

const listed = new Map(RETURN_SITES.map((row) => [row.site, row]));
const { sequences: search } = searchesFor({
  seed: String(REACHING.seed),
  cases: '0',
  sequences: String(REACHING.sequences),
});
if (search === undefined) throw new Error('the default run has no sequences');
const taken = new Map(KERNELS.map((kernel) => [kernel, sitesOf(search, kernel)]));
const all = new Set(allSites(KERNEL_PROGRAM));
const rows = [...new Set([...listed.keys(), ...all])]
  .filter((site) => all.has(site))
  .map((site) => rowOf(site, taken));

const table = rows.map((row) => `${JSON.stringify(row)},\n`).join('');
rewriteTable(FILE, TABLE, `[\n${table}]`);

const open = rows.filter(
  ({ reached, seldom, never }) => reached.length === 0 && seldom === undefined && never === undefined,
);
for (const { site } of open) process.stdout.write(`✗ no sequence reaches it: ${site}\n`);
if (open.length > 0) process.exitCode = EXIT.BROKEN;
