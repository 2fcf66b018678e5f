import type { ImageAspect, ImageResult } from '../../conformance/images/images.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import { count, counted, spread, WIDTH, wrap } from '../../counterexamples/text.ts';
import { item } from '../../model/core/present.ts';

/** Counts over some records. */
export interface ImageTotals {
  readonly name: string;
  /** Attempts whose errno and stage agree, of those that the model decides. */
  readonly agreeing: number;
  readonly decided: number;
  /** Images that are identical, of those that belong to the attached programs. */
  readonly identical: number;
  readonly images: number;
  /** Calls that are reproduced event by event. */
  readonly reproduced: number;
  /** Images on which every law holds, on which known breaches had to be set aside, on which a law is broken. */
  readonly holding: number;
  readonly known: number;
  readonly broken: number;
  readonly paths: bigint;
}

/** The totals of each group of records, in the order in which the groups first appear. */
export function summarise(
  results: readonly ImageResult[],
  groupOf: (result: ImageResult) => string,
): ImageTotals[] {
  const groups = new Map<string, ImageResult[]>();
  for (const result of results) {
    const name = groupOf(result);
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  return [...groups].map(([name, members]) => totalsOf(name, members));
}

export function totalsOf(name: string, results: readonly ImageResult[]): ImageTotals {
  const countOf = (test: (result: ImageResult) => boolean) => results.filter(test).length;
  return {
    name,
    agreeing: countOf(({ attempt }) => attempt.status === 'agrees'),
    decided: countOf(({ attempt }) => attempt.status !== 'not decided'),
    identical: countOf(({ image }) => image.status === 'identical'),
    images: countOf(({ image }) => image.status === 'identical' || image.status === 'different'),
    reproduced: countOf(({ call }) => call.status === 'reproduced'),
    holding: countOf(({ laws }) => laws.status === 'hold'),
    known: countOf(({ laws }) => laws.status === 'known'),
    broken: countOf(({ laws }) => laws.status === 'broken'),
    paths: results.reduce((sum, { paths }) => sum + paths, 0n),
  };
}

/** A table of groups, and their sum in the last row. */
export function summaryTable(groups: readonly ImageTotals[], all: ImageTotals): string[] {
  const head = ['', 'errno', 'image', 'call', 'hold', 'known', 'broken', 'paths'];
  const row = (t: ImageTotals) => [
    t.name,
    `${t.agreeing}/${t.decided}`,
    `${t.identical}/${t.images}`,
    `${t.reproduced}/${t.images}`,
    count(t.holding),
    count(t.known),
    count(t.broken),
    count(t.paths),
  ];
  return table([head, ...groups.map(row), row(all)]);
}

/** Columns, which grow with their figures; the last one takes the rest of a line. */
const COLUMNS = [13, 9, 9, 9, 6, 7, 8, 0];

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = COLUMNS.map((width, i) =>
    Math.max(width, ...rows.map((cells) => item(cells, i).length + 1)),
  );
  const left = WIDTH - widths.slice(0, -1).reduce((sum, width) => sum + width, 0);
  widths.push(Math.max(left, widths.pop() ?? 0));
  return rows.map((cells) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(item(widths, i)) : cell.padStart(item(widths, i))))
      .join(''),
  );
}

/** A comparison of the refusals, which the errno column counts with everything else. */
export function refusalLines(results: readonly ImageResult[]): string[] {
  const refused = results.filter(
    ({ refused, attempt }) => refused !== undefined && attempt.status !== 'not decided',
  );
  const same = refused.filter(({ attempt }) => attempt.status === 'agrees').length;
  if (refused.length === 0) return [];
  return [`  ${count(same)} of ${counted(refused.length, 'refusal')} with the same errno at the same stage`];
}

/** What differs or is broken, record by record. */
export function differenceLines(results: readonly ImageResult[], most: number): string[] {
  const different = results.filter((result) => differencesOf(result).length > 0);
  const lines = different
    .slice(0, most)
    .flatMap((result) => [
      `✗ ${result.place}`,
      ...wrap(`${result.kernel} ${result.boot} ${result.func} ${result.programs.join(', ')}`, WIDTH - 4).map(
        indent,
      ),
      ...differencesOf(result).flatMap(([what, why]) =>
        wrap(`${what.padEnd(8)}${why}`, WIDTH - 4).map(indent),
      ),
    ]);
  const rest = different.length - most;
  return rest > 0 ? [...lines, `✗ and ${counted(rest, 'more record')}; --json lists them all`] : lines;
}

function indent(line: string): string {
  return `    ${line}`;
}

const BAD = ['differs', 'different', 'broken', 'not modelled'];

/** The problem with a record: the aspect, and a sentence. */
export function differencesOf({ attempt, image, call, laws }: ImageResult): [string, string][] {
  return Object.entries({ errno: attempt, image, call, laws }).flatMap(([what, { status, why }]) =>
    BAD.includes(status) ? [[what, why ?? status] satisfies [string, string]] : [],
  );
}

/** The known breaches that were met, each with its sentence. */
export function knownBreachLines(results: readonly ImageResult[]): string[] {
  return KNOWN.flatMap(({ name, law, sentence }) => {
    const met = results.filter(({ known }) => known.includes(name)).length;
    if (met === 0) return [];
    return [
      spread(`known ${law}`, counted(met, 'image')),
      ...wrap(`${name}: ${sentence}`, WIDTH - 4).map(indent),
    ];
  });
}

/** Their line in the summary: `1 in recorded images (131 times)`. */
export function knownImagesText(results: readonly ImageResult[]): string[] {
  const met = results.flatMap(({ known }) => known);
  return met.length === 0
    ? []
    : [`${count(new Set(met).size)} in recordings (${counted(met.length, 'time')})`];
}

/** The summary's count of undecided records. */
export function undecidedText(results: readonly ImageResult[]): string[] {
  const open = results.filter(
    ({ attempt, image }) => attempt.status === 'not decided' || image.status === 'not the attached one',
  ).length;
  return open === 0 ? [] : [`${count(open)} of ${counted(results.length, 'recording')}`];
}

/** Undecided records, with the reason and the places. */
export function undecidedLines(results: readonly ImageResult[]): string[] {
  const byReason = new Map<string, string[]>();
  const add = (reason: string, place: string) =>
    byReason.set(reason, [...(byReason.get(reason) ?? []), place]);
  for (const { place, attempt, image } of results) {
    if (attempt.status === 'not decided') add(`not decided: ${attempt.why}`, place);
    if (image.status === 'not the attached one') add(`not compared: ${image.why}`, place);
  }
  return [...byReason].flatMap(([reason, places]) => [
    ...wrap(`? ${counted(places.length, 'record')} ${reason}`, WIDTH),
    ...wrap(placeList(places), WIDTH - 4).map(indent),
  ]);
}

/** Places in one file as `file:1, 2, 3`. */
function placeList(places: readonly string[]): string {
  const lines = new Map<string, string[]>();
  for (const place of places) {
    const colon = place.lastIndexOf(':');
    const file = place.slice(0, colon);
    lines.set(file, [...(lines.get(file) ?? []), place.slice(colon + 1)]);
  }
  return [...lines].map(([file, numbers]) => `${file}:${numbers.join(', ')}`).join('; ');
}

/** Totals in `--json`. */
export function totalsJson({ paths, ...counts }: ImageTotals) {
  return { ...counts, paths: paths.toString() };
}

/** One record in `--json`. */
export function resultJson({ attempt, image, call, laws, paths, refused, ...rest }: ImageResult) {
  const aspect = ({ status, why }: ImageAspect<string>) => ({ status, why: why ?? null });
  return {
    ...rest,
    refused: refused ?? null,
    attempt: aspect(attempt),
    image: aspect(image),
    call: aspect(call),
    laws: aspect(laws),
    paths: paths.toString(),
  };
}
