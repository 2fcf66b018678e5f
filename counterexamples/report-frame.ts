import type { BreachCause } from '../properties/finding/why.ts';
import { whyText } from '../properties/finding/why-words.ts';
import { commandLines, labelled, spread, wrap } from './text.ts';

/** The parts of the reports of all breaches around their steps. */
export interface Framed {
  /** Steps as they were first drawn; undefined when nothing was shrunk. */
  readonly shrunkFrom: number | undefined;
  readonly planted: string | undefined;
  /**
   * The dimensions that the breach does not depend on (`narrow.ts`, `attach-narrow.ts`); undefined: they were not
   * tried.
   */
  readonly narrow: string | undefined;
  /** The knowledge of smaller breaches. */
  readonly minimal: string;
  /** Commands that can be pasted. */
  readonly replay: string;
  readonly search: string | undefined;
}

/** The lines above the steps: the law, and where it was broken. */
export function headLines(
  law: { readonly name: string; readonly sentence: string },
  where: string,
): string[] {
  return [
    spread(`✗ ${law.name}`, 'always'),
    ...wrap(law.sentence, 76).map((line) => `  ${line}`),
    '',
    ...wrap(where, 76).map((line) => `  ${line}`),
    '',
  ];
}

/** One paragraph below that: why this kernel breaks the law and another does not. */
export function whyLines(why: BreachCause | undefined): string[] {
  return why === undefined ? [] : ['', ...labelled('why', whyText(why))];
}

/** The lines below expected and observed. */
export function tailLines({ source }: { readonly source: string }, r: Framed): string[] {
  return [
    '',
    ...(r.narrow === undefined ? [] : wrap(r.narrow, 76).map((line) => `  ${line}`)),
    ...labelled('kernel', source),
    ...labelled('minimal', r.minimal),
    ...commandLines('  replay     ', r.replay),
    ...(r.search === undefined ? [] : commandLines('  search     ', r.search)),
  ];
}
