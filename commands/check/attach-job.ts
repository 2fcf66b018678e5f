import type { KnownAttachBreach } from '../../checker/sequences/known-breach.ts';
import type { AttachSearched } from '../../checker/sequences/search.ts';
import { searchSequences } from '../../checker/sequences/search.ts';
import type { Answer, Exit, Job } from '../../counterexamples/answer.ts';
import { EXIT, progressOf, worstExit } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/images/describe.ts';
import type { AttachCounterexample } from '../../counterexamples/sequences/attach-describe.ts';
import { describeSequence } from '../../counterexamples/sequences/attach-describe.ts';
import { printAttachTrace } from '../../counterexamples/sequences/attach-trace.ts';
import type { ReturnSite, Sites } from '../../counterexamples/sequences/sites.ts';
import { noteSite, sitesJson, siteTable } from '../../counterexamples/sequences/sites.ts';
import { count, counted, percent, wrap } from '../../counterexamples/text.ts';
import { present } from '../../model/core/present.ts';
import type { AttachLaw } from '../../properties/law/sequence-law.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import type { AttachPlanted } from '../../properties/planted/sequences/planted.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import type { UnaskedLaw } from './pass.ts';
import { behindKnownLines, knownLine, lawLines, unaskedLines } from './pass.ts';

/** A search over sequences in several kernels. */
export interface SequenceSearch {
  readonly profiles: readonly string[];
  readonly laws: readonly AttachLaw[];
  readonly unasked: readonly UnaskedLaw[];
  readonly planted: AttachPlanted | undefined;
  readonly known: readonly KnownAttachBreach[];
  readonly seed: number;
  /** Sequences in each kernel. */
  readonly sequences: number;
  /** The return sites that are known. */
  readonly sites: readonly ReturnSite[];
  /** A search of this bound reaches them: one that it does not reach is an open question. */
  readonly reachesSites: boolean;
  /** They are printed, each with how often it was taken. */
  readonly printsSites: boolean;
}

/** What the search of one kernel came to. */
interface Part {
  readonly profile: string;
  readonly searched: AttachSearched;
  readonly sites: Sites;
}

/** Plays random sequences of client calls, and reports the shrunk breach or what held within the bound. */
export function* sequenceJob(search: SequenceSearch): Job {
  const parts: Part[] = [];
  for (const profile of search.profiles) {
    const part = yield* searchKernel(search, profile);
    parts.push(part);
    if (part.searched.found !== undefined || part.searched.sequences < search.sequences) break;
  }
  return answerOf(search, parts);
}

function* searchKernel(search: SequenceSearch, profile: string): Generator<string, Part, boolean> {
  const { laws, known, planted, seed, sequences } = search;
  const sites: Sites = new Map();
  const steps = searchSequences({
    profile,
    seed,
    sequences,
    laws,
    known: planted === undefined ? known : [],
    program: plantedKernel(planted),
    hits: aboutHits(search),
    asksBehindKnown: true,
    watch: { refused: (instruction, errno) => noteSite(sites, instruction, errno) },
  });
  const searched = yield* progressOf(
    steps,
    (soFar) => `sequences of ${profile} ${count(soFar.sequences)} of ${count(sequences)}`,
  );
  return { profile, searched, sites };
}

/** Laws of tracepoints are asked of kernels that have some. */
function aboutHits({ laws }: SequenceSearch): boolean {
  return laws.length > 0 && laws.every((law) => HIT_LAWS.includes(law));
}

function answerOf(search: SequenceSearch, parts: readonly Part[]): Answer {
  const counterexample = counterexampleOf(search, parts);
  const exit = exitOf(search, parts);
  const text = [
    ...(counterexample === undefined ? heldLines(search, parts) : [counterexample.trace.report]),
    '',
    ...parts.flatMap((part) => boundLines(search, part)),
    `  seed ${search.seed}`,
    ...(search.printsSites ? ['', ...siteTable(search.sites, parts)] : []),
  ].join('\n');
  const save =
    counterexample === undefined
      ? []
      : [{ path: `${CORPUS}/${counterexample.path}`, text: printAttachTrace(counterexample.trace) }];
  return { text, json: { command: 'search', exit, ...jsonOf(search, parts, counterexample) }, exit, save };
}

function counterexampleOf(
  { planted, seed }: SequenceSearch,
  parts: readonly Part[],
): AttachCounterexample | undefined {
  const found = parts.at(-1)?.searched.found;
  if (found === undefined) return undefined;
  const described = describeSequence(found.case, found.breach.law, { planted, seed, drawn: found.drawn });
  if (described === undefined)
    throw new Error(`the shrunk sequence does not break ${found.breach.law.name} again`);
  return described;
}

/** A law that was never put to the test, or a return site that was not reached, leaves the question open. */
function exitOf(search: SequenceSearch, parts: readonly Part[]): Exit {
  if (parts.some(({ searched }) => searched.found !== undefined)) return EXIT.BROKEN;
  const vacuous = search.laws.some((law) => isVacuous(search, parts, law));
  const stopped =
    parts.length < search.profiles.length ||
    parts.some(({ searched }) => searched.sequences < search.sequences);
  const open = search.planted !== undefined || vacuous || stopped || unreached(search, parts).length > 0;
  return worstExit(open ? [EXIT.INCONCLUSIVE] : []);
}

function witnessed(parts: readonly Part[], { name }: AttachLaw): number {
  return parts.reduce((sum, { searched }) => sum + (searched.witnesses.get(name) ?? 0), 0);
}

/** Nothing put the law to the test. Where a kernel breaks it, or another, in a way that is known, something did. */
function isVacuous(search: SequenceSearch, parts: readonly Part[], law: AttachLaw): boolean {
  return witnessed(parts, law) === 0 && !isKnown(search, parts, law) && !isOnlyBehindKnown(parts, law);
}

/** A kernel breaks the law in a way that is listed. */
function isKnown({ known }: SequenceSearch, parts: readonly Part[], law: AttachLaw): boolean {
  return known.some(
    ({ name, law: broken }) => broken === law.name && parts.some(({ searched }) => searched.known.has(name)),
  );
}

/** It was put to the test, and only where another law is broken in a way that is listed. */
function isOnlyBehindKnown(parts: readonly Part[], law: AttachLaw): boolean {
  return witnessed(parts, law) === 0 && parts.some(({ searched }) => searched.behindKnown.has(law.name));
}

/** Return sites that should have been reached, each with its kernel. */
function unreached({ sites: known, reachesSites }: SequenceSearch, parts: readonly Part[]): string[] {
  if (!reachesSites) return [];
  return parts.flatMap(({ profile, sites }) =>
    known
      .filter(({ site, reached }) => (reached as readonly string[]).includes(profile) && !sites.has(site))
      .map(({ site }) => `${profile}: ${site}`),
  );
}

function heldLines(search: SequenceSearch, parts: readonly Part[]): string[] {
  const total = parts.reduce((sum, { searched }) => sum + searched.sequences, 0);
  const laws = search.laws.flatMap((law) => {
    const met = witnessed(parts, law);
    if (met === 0 && isKnown(search, parts, law)) return [];
    if (isOnlyBehindKnown(parts, law)) return behindKnownLines(law);
    return lawLines(law, met, 'sequence', percent(met, total));
  });
  const missing = unreached(search, parts);
  return [
    ...laws,
    ...search.unasked.flatMap(unaskedLines),
    ...knownLines(search, parts),
    ...(search.planted === undefined ? [] : [`? the planted bug ${search.planted.name} was not found`]),
    ...missing.map((site) => `? return site not reached: ${site}`),
  ];
}

function knownLines({ known }: SequenceSearch, parts: readonly Part[]): string[] {
  return known.flatMap(({ name, law }) => {
    const met = parts.filter(({ searched }) => searched.known.has(name));
    if (met.length === 0) return [];
    const times = met.reduce((sum, { searched }) => sum + present(searched.known.get(name), name), 0);
    const kernels = met.map(({ profile }) => profile);
    return knownLine(law, name, counted(times, 'sequence'), kernels);
  });
}

function boundLines(search: SequenceSearch, { profile, searched, sites }: Part): string[] {
  const { sequences, actions, died } = searched;
  const end = died > 0 ? `; in ${counted(died, 'sequence')} the kernel crashed or hung` : '';
  const text =
    `${profile}: ${counted(sequences, 'sequence')} drawn, ${counted(actions, 'action')}, up to 40 each on ` +
    `${aboutHits(search) ? '1 or 2 tracepoints' : '1 to 3 functions'}; ${counted(sites.size, 'return site')} refused${end}`;
  return wrap(text, 76).map((line) => `  ${line}`);
}

function jsonOf(
  search: SequenceSearch,
  parts: readonly Part[],
  counterexample: AttachCounterexample | undefined,
) {
  const { seed, planted, laws, unasked } = search;
  return {
    seed,
    planted: planted?.name ?? null,
    kernels: parts.map(({ profile, searched, sites }) => ({
      kernel: profile,
      sequences: searched.sequences,
      actions: searched.actions,
      died: searched.died,
      known: Object.fromEntries(searched.known),
      sites: sitesJson(sites),
    })),
    laws: laws.map((law) => ({
      name: law.name,
      sentence: law.sentence,
      sequences: witnessed(parts, law),
      behindKnown: isOnlyBehindKnown(parts, law),
    })),
    unasked,
    counterexample:
      counterexample === undefined
        ? null
        : {
            law: counterexample.trace.law,
            path: `${CORPUS}/${counterexample.path}`,
            report: counterexample.trace.report,
          },
  };
}
