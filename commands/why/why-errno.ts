import { RETURN_SITES } from '../../conformance/known/return-sites.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import type { Likelihood } from '../../counterexamples/sequences/sites.ts';
import { siteName } from '../../counterexamples/sequences/sites.ts';
import { counted, WIDTH, wrap } from '../../counterexamples/text.ts';
import type { Errno } from '../../model/core/errno.ts';
import { ERRNO } from '../../model/core/errno.ts';
import { oneOf } from '../../model/core/input-value.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { RECORDED_KERNELS } from '../../model/core/profile.ts';
import { STRERROR, spelled } from './errno-asked.ts';
import type { LikelySite } from './errno-sites.ts';
import { sitesOf } from './errno-sites.ts';
import { FOUND } from './guard-words.ts';
import { kernelFile, kernelFunction, kernelPlace } from './kernel-file.ts';

/** `why ERRNO` without a file: all return sites with this answer, the most likely first. */
export function whyErrno(errno: Errno, kernel: string | undefined): Answer {
  const kernels = kernel === undefined ? RECORDED_KERNELS : [oneOf(kernel, RECORDED_KERNELS, '--kernel')];
  const sites = sitesOf(errno, kernels);
  const json = {
    command: 'why errno',
    exit: EXIT.HELD,
    errno,
    number: ERRNO[errno],
    text: STRERROR[errno],
    sites: sites.map(siteJson),
  };
  return { text: textOf(errno, kernels, sites).join('\n'), json, exit: EXIT.HELD, save: [] };
}

function siteJson(site: LikelySite) {
  return {
    site: siteName(site, site.errno),
    guard: site.id,
    found: FOUND[siteName(site, site.errno)] ?? null,
    place: kernelPlace(site.routine) ?? null,
    kernels: Object.fromEntries(site.in.map(({ kernel, is }) => [kernel, is])),
    never: site.never ?? null,
  };
}

function textOf(errno: Errno, kernels: readonly RecordedVersion[], sites: readonly LikelySite[]): string[] {
  const met = sites.filter(({ never }) => never === undefined);
  const unmet = sites.filter(({ never }) => never !== undefined);
  return [
    ...wrap(`${spelled(errno)} · ${sites.length} of ${counted(RETURN_SITES.length, 'return site')}`, WIDTH),
    ...(met.length === 0 ? [] : ['', `${columns(kernels)}its guard, and the kernel's function`]),
    ...met.flatMap(siteLines),
    ...unmetLines(unmet),
    '',
    ...wrap(LEGEND, WIDTH),
    ...wrap(`why ${errno} FILE finds the one in your own sequence.`, WIDTH),
  ];
}

const LEGEND =
  'common: the random search of a default run reaches it in that kernel; rare: a longer one does; –: none does, or the ' +
  'kernel has no such call. A guard that says that something failed passes on the errno of that failure.';

const COLUMN = 7;

function columns(cells: readonly string[]): string {
  return cells.map((cell) => cell.padEnd(COLUMN)).join('');
}

const WORDS: Readonly<Record<Likelihood, string>> = { common: 'common', rare: 'rare', never: '–' };

function siteLines(site: LikelySite): string[] {
  const likely = columns(site.in.map(({ is }) => WORDS[is]));
  return guardLines(site, WIDTH - likely.length).map(
    (line, i) => `${i === 0 ? likely : ' '.repeat(likely.length)}${line}`,
  );
}

/** Sites that no search reaches, by the reason. */
function unmetLines(sites: readonly LikelySite[]): string[] {
  if (sites.length === 0) return [];
  const reasons = [...new Set(sites.map(({ never }) => never ?? ''))];
  return [
    '',
    'no random search reaches it',
    ...reasons.flatMap((why) => [
      ...wrap(`${why}:`, WIDTH - 2).map((line) => `  ${line}`),
      ...sites.filter(({ never }) => never === why).flatMap(unmetSite),
    ]),
  ];
}

function unmetSite(site: LikelySite): string[] {
  return guardLines(site, WIDTH - 4).map((line) => `    ${line}`);
}

/** A guard, its condition, and its place in the kernel. */
function guardLines(site: LikelySite, width: number): string[] {
  const found = FOUND[siteName(site, site.errno)];
  const placed = [kernelFile(site.routine), kernelFunction(site.routine)].join(' ');
  return [
    ...wrap(found === undefined ? site.id : `${site.id}: ${found}`, width),
    ...wrap(placed, width - 2).map((line) => `  ${line}`),
  ];
}
