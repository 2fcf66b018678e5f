import { byMechanism, recordedKernelsOf } from '../../conformance/known/attach.ts';
import { KNOWN_ATTACH } from '../../conformance/known/attach-all.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import { ownInterleavings } from '../../conformance/known/task-kernels.ts';
import { knownTaskPath } from '../../counterexamples/corpus-folder.ts';
import { releaseOf } from '../../kernels/releases.ts';
import { notShown, shownOn } from '../../kernels/shown.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { RECORDED_KERNELS } from '../../model/core/profile.ts';
import { TRIED_BUNDLES } from './tried-bundles.ts';

/*
 * docs/findings.md: every listed breach of a real kernel, one row for a mechanism. Those that several laws see are one:
 * their names end in `-seen-by-` and the law.
 */

interface Finding {
  readonly name: string;
  readonly sentence: string;
  readonly laws: readonly string[];
  readonly kernels: readonly RecordedVersion[];
  readonly trace: string;
  readonly names: readonly string[];
}

/** The page, but for what is above its tables. */
export function findingsPage(): string {
  const tables = [
    ...section('Calls', merged(inCalls())),
    ...section('Interleavings', merged(inInterleavings())),
    ...notShownLines(),
    ...section('Images', merged(inImages())),
  ];
  return `${[HEAD, ...tables].join('\n').trimEnd()}\n`;
}

function inCalls(): Finding[] {
  return KNOWN_ATTACH.filter(({ multiLinks }) => multiLinks === undefined).map((entry) => ({
    ...entry,
    kernels: recordedKernelsOf([entry]),
    laws: [entry.law],
    trace: `known/${entry.name}.trace`,
    names: [entry.name],
  }));
}

function inInterleavings(): Finding[] {
  return ownInterleavings().map(({ entry, kernels }) => {
    const { name, law } = entry;
    const trace = knownTaskPath(name, kernels[0] ?? '');
    return { ...entry, laws: [law.name], kernels, trace, names: [name] };
  });
}

function inImages(): Finding[] {
  return KNOWN.map((entry) => ({
    ...entry,
    kernels: recordedKernelsOf([entry]),
    laws: [entry.law],
    trace: '',
    names: [entry.name],
  }));
}

/** Findings with one mechanism together, in the order of their first. */
function merged(all: readonly Finding[]): Finding[] {
  return [...byMechanism(all)].map(([name, own]) => ({
    ...own[0],
    name,
    laws: [...new Set(own.flatMap(({ laws }) => laws))],
    kernels: RECORDED_KERNELS.filter((kernel) => own.some(({ kernels }) => kernels.includes(kernel))),
    names: own.flatMap(({ names }) => names),
  }));
}

function section(title: string, findings: readonly Finding[]): string[] {
  return [
    `## ${title}`,
    '',
    `| finding | what happens | laws | ${RECORDED_KERNELS.join(' | ')} | bundle |`,
    `|---|---|---|${'---|'.repeat(RECORDED_KERNELS.length)}---|`,
    ...findings.map(rowOf),
    '',
  ];
}

/** Why an interleaving was not shown on a running kernel. */
function notShownLines(): string[] {
  return [
    'Interleavings that no running kernel has shown, and why:',
    '',
    ...notShown().map(({ name, why }) => `- ${name}: ${why}`),
    '',
  ];
}

function rowOf({ name, sentence, laws, kernels, trace, names }: Finding): string {
  const link = trace === '' ? name : `[${name}](../counterexamples/corpus/${trace})`;
  const short = laws.map((law) => law.slice(law.indexOf('/') + 1)).join(', ');
  const cells = RECORDED_KERNELS.map((kernel) =>
    kernels.includes(kernel) ? confirmation(kernel, names) : '–',
  );
  const bundle = TRIED_BUNDLES.filter(({ shown }) => names.some((own) => shown.includes(own)))
    .map(({ kernel }) => kernel)
    .join(' ');
  return `| ${[link, sentence.replaceAll('|', '\\|'), short, ...cells, bundle].join(' | ')} |`;
}

/** How a kernel was seen to have it. */
function confirmation(kernel: RecordedVersion, names: readonly string[]): string {
  const seen = names.map((name) => shownOn(kernel, name));
  if (seen.includes('shown')) return '● run';
  return seen.includes('runs on') ? '◐ runs on' : '○';
}

const RELEASES = RECORDED_KERNELS.map((kernel) => `${kernel} is ${releaseOf(kernel).release}`).join(', ');

const HEAD = `# Findings

Every breach of a law that real kernels are listed to have, one row for a mechanism, with the trace that shows it. ${RELEASES}.

- ● run: the kernel was run, and answered every call of the example as the model does, up to the breach
  ([\`kernel --known\`](commands/kernel.md)); of an interleaving, its tasks were stopped where the schedule says, and it crashed,
  warned, or delivered the same events ([\`kernel --schedule\`](commands/kernel.md)).
- ◐ runs on: the model crashes there, since memory was freed, and the kernel reads it as it was left.
- ○: from a recording or from the source, as the entry in [\`conformance/known/\`](../conformance/known) says; the example was not
  run, since the recorder cannot make one of its calls, or the kernel not set up.
- –: that kernel does not have it. A defect with – in the last kernel alone was mended in between.
- bundle: [\`attachcheck bundle\`](commands/bundle.md) writes it as a kernel module; it was built for these kernels, loaded, and
  failed there.

None was sent to a mailing list by this project, and which of them a changelog lists was not looked up.
`;
