import type { Answer, Exit, RunVerdict } from './answer.ts';
import { EXIT } from './answer.ts';
import type { CheckSuite, RunCheck } from './run-check.ts';
import { WIDTH, wrap } from './text.ts';

/** How a line of a summary begins: held, broken, open, different without a breach; a blank: nothing is judged. */
export type Mark = '✓' | '✗' | '?' | '≠' | ' ';

/** One part of a run: `✓ images           8,000 drawn, 7,612 images, 25 laws`, and what belongs to it. */
export interface RunPart {
  readonly mark: Mark;
  readonly name: string;
  readonly counts: string;
  /** At the right edge. */
  readonly kernels?: readonly string[];
  /** Reports of failures, which come first. */
  readonly reports?: readonly string[];
  /** Failures and open questions, each on a line of its own below. */
  readonly remarks?: readonly Remark[];
  /** Tables that were asked for. */
  readonly tables?: readonly string[];
  /** Laws, listed breaches and bounds, for `--verbose`. */
  readonly details?: readonly string[];
  /** Listed breaches that were met: `31 in sequences (402 times)`. */
  readonly known?: readonly string[];
  /** Parts without a verdict that leave nothing open: `2 of 84 return sites`. */
  readonly uncovered?: readonly string[];
  /** What its bound is worth: `28 of the 31 historical bugs`. */
  readonly worth?: readonly string[];
  /** When its kernels were run themselves: `6.12.117, 2026-11-27: 300 histories agree`. */
  readonly compared?: readonly string[];
}

/** A line of a summary: `? vacuous          trampoline/extensions-are-alone`. */
export interface Remark {
  readonly mark: Mark;
  readonly name: string;
  readonly text: string;
}

const NAME = 17;

/** The lines of a remark: what does not fit continues below its own start. */
export function remarkLines({ mark, name, text }: Remark): string[] {
  const head = `${mark} ${name.padEnd(NAME - 1)} `;
  return wrap(text, WIDTH - head.length).map((line, i) => (i === 0 ? head : ' '.repeat(head.length)) + line);
}

/** The mark of a part that ends with an exit code. */
export function markOf(exit: Exit): Mark {
  if (exit === EXIT.HELD) return '✓';
  return exit === EXIT.INCONCLUSIVE ? '?' : '✗';
}

/** The lines of a part in the summary. */
function summaryLines({ mark, name, counts, kernels = [], remarks = [], tables = [] }: RunPart): string[] {
  return [
    ...withKernels(remarkLines({ mark, name, text: counts }), kernels.join(' ')),
    ...remarks.flatMap(remarkLines),
    ...tables,
  ];
}

function withKernels(lines: readonly string[], kernels: string): string[] {
  if (kernels === '') return [...lines];
  const above = lines.slice(0, -1);
  const line = lines.at(-1) ?? '';
  const room = WIDTH - line.length - kernels.length;
  return room > 1 ? [...above, line + ' '.repeat(room) + kernels] : [...lines, kernels.padStart(WIDTH)];
}

/** The lines of a part as soon as it is over. */
export function partText(part: RunPart): Pick<Answer, 'text' | 'verbose' | 'goesOn'> {
  const { reports = [], details = [] } = part;
  const above = reports.length === 0 ? [] : [...reports, ''];
  const summary = summaryLines(part);
  return {
    text: [...above, ...summary].join('\n'),
    verbose: [...above, ...summary, ...details].join('\n'),
    ...(above.length === 0 ? { goesOn: true } : {}),
  };
}

/** The lines of several parts together, at their end: the known breaches, the parts left out, what the bound is worth, and the real kernels. */
export function closingLines(parts: readonly Partial<RunPart>[]): string[] {
  const line = (name: string, texts: readonly string[]) =>
    texts.length === 0 ? [] : remarkLines({ mark: ' ', name, text: texts.join(', ') });
  return [
    ...line(
      'known',
      parts.flatMap(({ known = [] }) => known),
    ),
    ...line(
      'not covered',
      parts.flatMap(({ uncovered = [] }) => uncovered),
    ),
    ...line(
      'would find',
      parts.flatMap(({ worth = [] }) => worth),
    ),
    ...parts
      .flatMap(({ compared = [] }) => compared)
      .flatMap((text, i) => line(i === 0 ? 'compared' : '', [text])),
  ];
}

/** A part that is all of a run. */
export function partAnswer(
  part: RunPart,
  rest: Pick<Answer, 'json' | 'exit' | 'save'> & Required<Pick<Answer, 'verdict'>>,
  checks?: readonly RunCheck[],
): Answer {
  const { text, verbose = text } = partText(part);
  const closing = closingLines([part]);
  const closed = (above: string) => [above, ...closing].join('\n');
  const answer = { ...rest, part, text: closed(text), verbose: closed(verbose) };
  return checks === undefined ? answer : { ...answer, suites: [suiteOf(part, checks, rest.verdict)] };
}

/** Checks, with what they were done with. */
export function suiteOf(
  { name, counts, kernels = [] }: Pick<RunPart, 'name' | 'counts' | 'kernels'>,
  checks: readonly RunCheck[],
  { seed, planted }: Partial<Pick<RunVerdict, 'seed' | 'planted'>> = {},
): CheckSuite {
  const facts = {
    ...(seed === undefined ? {} : { seed: String(seed) }),
    ...(planted === undefined ? {} : { planted }),
    ...(kernels.length === 0 ? {} : { kernels: kernels.join(', ') }),
    bound: counts,
  };
  return { name, facts, checks };
}
