import { labelled, spread, wrap } from './text.ts';

/** What the reports of all breaches say around their steps. */
export interface Framed {
  /** Steps as they were first drawn; undefined when nothing was shrunk. */
  readonly shrunkFrom: number | undefined;
  readonly planted: string | undefined;
  /** What does not matter (`narrow.ts`, `attach-narrow.ts`); undefined: it was not asked. */
  readonly narrow: string | undefined;
  /** What is known about a smaller breach. */
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

/** The lines below what was expected and observed. */
export function tailLines({ source }: { readonly source: string }, r: Framed): string[] {
  return [
    '',
    ...(r.narrow === undefined ? [] : wrap(r.narrow, 76).map((line) => `  ${line}`)),
    ...labelled('kernel', source),
    ...labelled('minimal', r.minimal),
    `  replay     ${r.replay}`,
    ...(r.search === undefined ? [] : [`  search     ${r.search}`]),
  ];
}
