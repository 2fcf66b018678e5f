import ts from 'typescript';
import { parsed } from './parsed.ts';
import type { Source } from './sources.ts';

/** Text that a person reads, and where it begins in its file. */
export interface Prose {
  readonly text: string;
  readonly start: number;
}

/** Names of laws, planted bugs and known breaches: `task/no-deadlock`. */
const NAMES = /\b[a-z]+\/[a-z0-9]+(?:-[a-z0-9]+)+\b|\b[a-z0-9]+(?:-[a-z0-9]+){2,}\b/g;

/** Code of a document, in a line or in a block of TypeScript, and keys of JSON; other blocks show output. */
const CODE = /^```ts\n[\s\S]*?^```$|`[^`\n]*`|"\w+"(?=:)/gm;

/** The prose of a file, without names: of code its comments and texts, of any other file all except code in a line. */
export function proseOf(source: Source): Prose[] {
  return spansOf(source).map(({ text, start }) => ({ text: text.replace(NAMES, blanked), start }));
}

function spansOf(source: Source): Prose[] {
  if (!source.path.endsWith('.ts')) return [{ text: source.text.replace(CODE, blanked), start: 0 }];
  const { texts, others } = literals(parsed(source));
  const code = without(source.text, [...texts, ...others]);
  const comments = [...code.matchAll(/\/\*[\s\S]*?\*\/|(?:\/\/.*\n\s*)*\/\/.*/g)];
  return [
    ...texts.map(({ start, end }) => ({ text: source.text.slice(start, end), start })),
    ...comments.map((found) => ({ text: found[0].replace(/\n\s*(\*|\/\/)/g, blanked), start: found.index })),
  ];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Places of texts in code, and of what looks like a comment or a text and is none. */
function literals(file: ts.SourceFile): {
  readonly texts: readonly Span[];
  readonly others: readonly Span[];
} {
  const texts: Span[] = [];
  const others: Span[] = [];
  const visit = (node: ts.Node): void => {
    const span = { start: node.getStart(file), end: node.end };
    if (ts.isRegularExpressionLiteral(node)) others.push(span);
    else if (ts.isStringLiteral(node)) (isName(node) ? others : texts).push(span);
    else if (isTemplatePart(node)) texts.push(span);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { texts, others };
}

/** A module, a property or a type, which a string names. */
function isName({ parent }: ts.StringLiteral): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    ts.isElementAccessExpression(parent)
  );
}

function isTemplatePart(node: ts.Node): boolean {
  return (
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)
  );
}

/** The same code with blanks where those spans are. */
function without(code: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    pieces.push(code.slice(done, start), blanked(code.slice(start, end)));
    done = end;
  }
  return pieces.join('') + code.slice(done);
}

function blanked(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
