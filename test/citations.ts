import { basename } from 'node:path';
import ts from 'typescript';
import { parsed } from './parsed.ts';
import type { Source } from './sources.ts';

/** A number that refers to a text elsewhere: `I-12`, `S6`, `F8`, `correction 9`, `defect 2`. */
const CITATION = /\b(?:I-\d+b?|[SCDFT]\d{1,2}|(?:correction|defect) \d+)\b/g;

/** What a file has to hold that is worth being parsed. */
const MAY_NAME = new RegExp(`${CITATION.source}|\\.md\\b`);

/** Directories in whose comments `C1` and the like are bytes, registers or places, and no citations. */
const BYTES = /^(model|checker)\/x86\/|^conformance\/hardware\//;

/** Comments and quoted text of a file, each with its line. */
function prose(source: Source): { line: number; text: string }[] {
  const { text } = source;
  const file = parsed(source);
  const found: { line: number; text: string }[] = [];
  const note = (position: number, end: number) =>
    found.push({
      line: file.getLineAndCharacterOfPosition(position).line + 1,
      text: text.slice(position, end),
    });
  const seen = new Set<number>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
      if (!seen.has(pos)) {
        seen.add(pos);
        note(pos, end);
      }
    if (ts.isStringLiteralLike(node)) note(node.getStart(file), node.end);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The numbers that documents explain: what stands first in a row of a table, or is a heading. */
export function explained(documents: readonly Source[]): ReadonlySet<string> {
  const all = documents.flatMap(({ text }) => [
    ...text.matchAll(/^(?:\| |## )((?:I-\d+b?|[SCDFT]\d{1,2}|(?:correction|defect) \d+))(?: \||$)/gm),
  ]);
  return new Set(all.map(([, number]) => number!));
}

/** Citations of a file that nothing explains, and documents that it names and that are not there. */
export function citationProblems(
  source: Source,
  numbers: ReadonlySet<string>,
  documents: readonly string[],
): string[] {
  const names = new Set(documents.map((path) => basename(path)));
  if (!MAY_NAME.test(source.text)) return [];
  return prose(source).flatMap(({ line, text }) => {
    const place = `${source.path}:${line}`;
    const cited = BYTES.test(source.path) ? [] : [...text.matchAll(CITATION)].map(([number]) => number);
    const named = [...text.matchAll(/[\w./-]+\.md\b/g)].map(([name]) => name);
    return [
      ...cited
        .filter((number) => !numbers.has(number))
        .map((number) => `${place}: nothing explains ${number}; docs/invariants.md has the numbers`),
      ...named
        .filter((name) => !names.has(basename(name)))
        .map((name) => `${place}: ${name} is not in the repository`),
    ];
  });
}
