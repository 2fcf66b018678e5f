import type { ReturnSite, Sites } from '../../counterexamples/sequences/sites.ts';
import { siteNamed, whyNot } from '../../counterexamples/sequences/sites.ts';
import { count } from '../../counterexamples/text.ts';
import { escaped } from '../page/html.ts';
import type { PageCell, PageRows, PageSection } from '../page/static-page.ts';
import { figure, pageOfSections, table } from '../page/static-page.ts';

/** The search in one kernel, as far as it took return sites. */
interface SitesOfRun {
  readonly profile: string;
  readonly sites: Sites;
}

/** Every return site, and how often each run took it: function by function, with those that none took first. */
export function sitesPage(known: readonly ReturnSite[], runs: readonly SitesOfRun[]): string {
  const missed = known.filter(({ site }) => runs.every(({ sites }) => !sites.has(site)));
  const head = {
    title: 'Return sites of the modelled functions',
    lead: `How often each refused in a search over sequences; ${count(missed.length)} of ${count(known.length)} never did.`,
    code: 'npm run check -- --sites',
  };
  return pageOfSections(head, [
    sitesSection({ id: 'never', title: 'Never taken' }, missed, runs),
    sitesSection({ id: 'all', title: 'All' }, known, runs),
  ]);
}

function sitesSection(
  { id, title }: Pick<PageSection, 'id' | 'title'>,
  listed: readonly ReturnSite[],
  runs: readonly SitesOfRun[],
): PageSection {
  const body = table({
    caption:
      'By function: the errno, how often it was returned in each kernel, the condition, and why it never was',
    head: ['errno', ...runs.map(({ profile }) => figure(profile)), 'condition', 'reason'],
    groups: groupsOf(listed, runs),
    kind: 'sites',
  });
  return { id, title, body: listed.length === 0 ? '<p>none</p>' : body };
}

/** The sites below their functions, in the order in which these appear. */
function groupsOf(listed: readonly ReturnSite[], runs: readonly SitesOfRun[]): PageRows[] {
  const byRoutine = new Map<string, PageCell[][]>();
  for (const site of listed) {
    const { routine } = siteNamed(site.site);
    const rows = byRoutine.get(routine) ?? [];
    byRoutine.set(routine, rows);
    rows.push(siteRow(site, runs));
  }
  return [...byRoutine].map(([title, rows]) => ({ title, rows }));
}

function siteRow(site: ReturnSite, runs: readonly SitesOfRun[]): PageCell[] {
  const { errno, id } = siteNamed(site.site);
  const times = runs.map(({ sites }) => sites.get(site.site) ?? 0);
  const isTaken = times.some((number) => number > 0);
  return [
    errno,
    ...times.map((number): PageCell => {
      const attributes = { class: number > 0 ? 'figure' : 'figure never' };
      return { html: count(number), attributes };
    }),
    id,
    isTaken ? '' : { html: escaped(whyNot(site).join('')), attributes: { class: 'never' } },
  ];
}
