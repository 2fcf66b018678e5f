import { searchSequences } from '../../checker/sequences/search.ts';
import type { Answer, Exit, WholeJob } from '../../counterexamples/answer.ts';
import { EXIT, progressOf, worstExit } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/images/describe.ts';
import type { AttachCounterexample } from '../../counterexamples/sequences/attach-describe.ts';
import { describeSequence } from '../../counterexamples/sequences/attach-describe.ts';
import { printAttachTrace } from '../../counterexamples/sequences/attach-trace.ts';
import type { Sites } from '../../counterexamples/sequences/sites.ts';
import { noteSite, sitesJson, siteTable } from '../../counterexamples/sequences/sites.ts';
import { count, counted, percent, wrap } from '../../counterexamples/text.ts';
import { present } from '../../model/core/present.ts';
import { plantedKernel } from '../../properties/planted/kernel.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import type { SearchedKernel, SequenceSearch } from './attach-search.ts';
import {
  isKnown,
  isOnlyBehindKnown,
  isVacuous,
  leftSequences,
  unreached,
  verdictOfSearch,
  witnessed,
} from './attach-search.ts';
import { behindKnownLines, knownLine, lawLines, soFarLines, unaskedLines } from './pass.ts';

/** Plays random sequences of client calls, and reports the shrunk breach or what held within the bound. */
export function* sequenceJob(search: SequenceSearch): WholeJob {
  const parts: SearchedKernel[] = [];
  for (const profile of search.profiles) {
    const part = yield* searchKernel(search, profile);
    parts.push(part);
    if (part.searched.found !== undefined || part.searched.sequences < search.sequences) break;
  }
  return answerOf(search, parts);
}

function* searchKernel(search: SequenceSearch, profile: string): Generator<string, SearchedKernel, boolean> {
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

function answerOf(search: SequenceSearch, parts: readonly SearchedKernel[]): Answer {
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
  const verdict = verdictOfSearch(search, parts);
  const json = { command: 'search', exit, ...jsonOf(search, parts, counterexample) };
  return { text, json, exit, save, verdict };
}

function counterexampleOf(
  { planted, seed }: SequenceSearch,
  parts: readonly SearchedKernel[],
): AttachCounterexample | undefined {
  const found = parts.at(-1)?.searched.found;
  if (found === undefined) return undefined;
  const described = describeSequence(found.case, found.breach.law, { planted, seed, drawn: found.drawn });
  if (described === undefined)
    throw new Error(`the shrunk sequence does not break ${found.breach.law.name} again`);
  return described;
}

/** A law that was never put to the test, or a return site that was not reached, leaves the question open. */
function exitOf(search: SequenceSearch, parts: readonly SearchedKernel[]): Exit {
  if (parts.some(({ searched }) => searched.found !== undefined)) return EXIT.BROKEN;
  const vacuous = search.laws.some((law) => isVacuous(search, parts, law));
  const stopped = leftSequences(search, parts).length > 0;
  const open = search.planted !== undefined || vacuous || stopped || unreached(search, parts).length > 0;
  return worstExit(open ? [EXIT.INCONCLUSIVE] : []);
}

function heldLines(search: SequenceSearch, parts: readonly SearchedKernel[]): string[] {
  const total = parts.reduce((sum, { searched }) => sum + searched.sequences, 0);
  const left = leftSequences(search, parts);
  if (left.length > 0)
    return [
      ...soFarLines(
        search.laws.map((law) => witnessed(parts, law)),
        'sequence',
      ),
      ...left.map((text) => `? ${text}`),
      ...knownLines(search, parts),
    ];
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

function knownLines({ known }: SequenceSearch, parts: readonly SearchedKernel[]): string[] {
  return known.flatMap(({ name, law }) => {
    const met = parts.filter(({ searched }) => searched.known.has(name));
    if (met.length === 0) return [];
    const times = met.reduce((sum, { searched }) => sum + present(searched.known.get(name), name), 0);
    const kernels = met.map(({ profile }) => profile);
    return knownLine(law, name, counted(times, 'sequence'), kernels);
  });
}

function boundLines(search: SequenceSearch, { profile, searched, sites }: SearchedKernel): string[] {
  const { sequences, actions, died } = searched;
  const end = died > 0 ? `; in ${counted(died, 'sequence')} the kernel crashed or hung` : '';
  const text =
    `${profile}: ${counted(sequences, 'sequence')} drawn, ${counted(actions, 'action')}, up to 40 each on ` +
    `${aboutHits(search) ? '1 or 2 tracepoints' : '1 to 3 functions'}; ${counted(sites.size, 'return site')} refused${end}`;
  return wrap(text, 76).map((line) => `  ${line}`);
}

function jsonOf(
  search: SequenceSearch,
  parts: readonly SearchedKernel[],
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
