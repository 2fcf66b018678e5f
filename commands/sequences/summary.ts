import type { KnownDivergence } from '../../conformance/known/sequences.ts';
import type { How, SequenceResult } from '../../conformance/sequences/boots.ts';
import { HOWS } from '../../conformance/sequences/boots.ts';
import type { Remark } from '../../counterexamples/run-part.ts';
import { count, counted, WIDTH, wrap } from '../../counterexamples/text.ts';
import { item } from '../../model/core/present.ts';
import { divergenceReport } from './report.ts';

/** A result, and the listed divergence that it shows, if it is one. */
export interface Judged extends SequenceResult {
  readonly known: KnownDivergence | undefined;
}

/** Counts over some sequences. */
export interface SequenceTotals {
  readonly name: string;
  readonly sequences: number;
  readonly agreeing: number;
  /** Compared aspects that agree. */
  readonly steps: number;
  readonly calls: number;
  readonly events: number;
  /** The state that the sequences were replayed in. */
  readonly how: Readonly<Record<How, number>>;
  /** Steps with a WARN: of the kernel, of both, of the model alone. */
  readonly warned: { readonly kernel: number; readonly both: number; readonly model: number };
  /** Records that end with a crash, and those of them in which the model crashes, too. */
  readonly crashes: { readonly kernel: number; readonly both: number };
}

/** The totals of each kernel, in the order in which the kernels first appear. */
export function totalsByKernel(results: readonly Judged[]): SequenceTotals[] {
  const kernels = [...new Set(results.map(({ sequence }) => sequence.kernel))];
  return kernels.map((kernel) =>
    totalsOf(
      kernel,
      results.filter(({ sequence }) => sequence.kernel === kernel),
    ),
  );
}

export function totalsOf(name: string, results: readonly Judged[]): SequenceTotals {
  const steps = results.flatMap(({ sequence, divergence }) => sequence.steps.slice(0, divergence?.step));
  const calls = steps.flatMap(({ obs }) => obs);
  const warned = results.flatMap((result) => result.warned);
  const crashed = results.filter(({ crashes }) => crashes !== undefined);
  return {
    name,
    sequences: results.length,
    agreeing: results.filter(({ divergence }) => divergence === undefined).length,
    steps: steps.length,
    calls: calls.length,
    events: calls.reduce((sum, { call }) => sum + call.ev.length, 0),
    how: Object.fromEntries(
      HOWS.map((how) => [how, results.filter((result) => result.how === how).length]),
    ) as Record<How, number>,
    warned: {
      kernel: warned.filter(({ kernel }) => kernel).length,
      both: warned.filter(({ kernel, model }) => kernel && model).length,
      model: warned.filter(({ kernel, model }) => !kernel && model).length,
    },
    crashes: { kernel: crashed.length, both: crashed.filter(({ crashes }) => crashes).length },
  };
}

/** A table of kernels, and their sum in the last row. */
export function summaryTable(groups: readonly SequenceTotals[], all: SequenceTotals): string[] {
  const head = ['', 'agree', 'steps', 'calls', 'events', ...HOWS.map((how) => HEADS[how])];
  const row = (t: SequenceTotals) => [
    t.name,
    `${t.agreeing}/${t.sequences}`,
    ...[t.steps, t.calls, t.events, ...HOWS.map((how) => t.how[how])].map((value) => count(value)),
  ];
  return [head, ...groups.map(row), row(all)].map((cells) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(item(COLUMNS, i)) : cell.padStart(item(COLUMNS, i))))
      .join(''),
  );
}

/** A table of operations: how often the compared part of the sequences does each, and how often it was refused. */
export function operationTable(results: readonly Judged[]): string[] {
  const counts = new Map<string, { steps: number; refused: number }>();
  for (const { sequence, divergence } of results)
    sequence.steps.slice(0, divergence?.step).forEach(({ errno }, i) => {
      const [name = ''] = item(sequence.ops, i).text.split(' ');
      const counted = counts.get(name) ?? { steps: 0, refused: 0 };
      counts.set(name, { steps: counted.steps + 1, refused: counted.refused + (errno === 0 ? 0 : 1) });
    });
  const row = (name: string, steps: string, refused: string) =>
    `  ${name.padEnd(OPERATION)}${steps.padStart(COUNT)}${refused.padStart(COUNT)}`;
  return [
    row('operation', 'steps', 'refused'),
    ...[...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { steps, refused }]) => row(name, count(steps), count(refused))),
  ];
}

const OPERATION = 12;
const COUNT = 10;

const HEADS: Readonly<Record<How, string>> = {
  first: 'first',
  carried: 'carried',
  reboot: 'reboot',
  'earlier use': 'earlier',
  'order as set': 'as set',
};

/** Columns of 80 characters in all. */
const COLUMNS = [4, 10, 8, 8, 9, 7, 9, 8, 9, 8];

/** Counts that do not decide: a WARN_ONCE appears once in a boot, and a crash ends a recording. */
export function remarkLines({ warned, crashes }: SequenceTotals): string[] {
  const lines: string[] = [];
  if (warned.kernel + warned.model > 0)
    lines.push(
      `${count(warned.both)} of ${counted(warned.kernel, 'step')} with a WARN of the kernel have one of the model`,
    );
  if (warned.model > 0)
    lines.push(`${counted(warned.model, 'step')} with a WARN of the model alone; WARN_ONCE is once a boot`);
  if (crashes.kernel > 0)
    lines.push(`${count(crashes.both)} of ${counted(crashes.kernel, 'crash')} are crashes of the model`);
  return lines.map((line) => `  ${line}`);
}

/** What differs, sequence by sequence. */
export function divergenceLines(results: readonly Judged[], most: number): string[] {
  const different = results.filter(isNew);
  const lines = different.slice(0, most).flatMap((result) => ['', ...divergenceReport(result)]);
  const rest = different.length - most;
  return rest > 0 ? [...lines, '', `✗ and ${counted(rest, 'more sequence')}; --json lists them all`] : lines;
}

export function isNew({ divergence, known }: Judged): boolean {
  return divergence !== undefined && known === undefined;
}

/** The listed divergences that were met, each with its sentence, and those that no longer occur. */
export function knownLines(results: readonly Judged[], stale: readonly KnownDivergence[]): string[] {
  const met = new Set(results.flatMap(({ known }) => known ?? []));
  return [
    ...[...met].flatMap(({ name, kernels, sentence }) => [
      `known ${name}`,
      ...wrap(`${kernels.join(' and ')}: ${sentence}`, WIDTH - 4).map((line) => `    ${line}`),
    ]),
    ...stale.map(({ name }) => `✗ ${name} is listed as known, and the model agrees there`),
  ];
}

/** What a summary says of the listed divergences that were met. */
export function knownSequencesText(results: readonly Judged[]): string[] {
  const met = results.flatMap(({ known }) => known?.name ?? []);
  return met.length === 0
    ? []
    : [`${count(new Set(met).size)} in recorded sequences (${counted(met.length, 'time')})`];
}

/** A line of a summary for each listed divergence that is no longer there. */
export function staleRemarks({ stale }: { readonly stale: readonly KnownDivergence[] }): Remark[] {
  return stale.map(({ name }) => ({
    mark: '✗',
    name: 'not diverging',
    text: `${name} is listed, and the model agrees there`,
  }));
}

/** One sequence that differs, in `--json`. */
export function divergenceJson({ sequence, divergence, how, known }: Judged): object[] {
  if (divergence === undefined) return [];
  const { step, aspect, fn, kernel, model, events } = divergence;
  const { place, release, set, seq, ops } = sequence;
  return [
    {
      place,
      release,
      set,
      seq,
      how,
      step,
      op: ops[step]?.text ?? null,
      aspect,
      fn: fn ?? null,
      kernel,
      model,
      events: events ?? null,
      known: known?.name ?? null,
    },
  ];
}
