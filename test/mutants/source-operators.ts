import ts from 'typescript';
import { parsed } from '../parsed.ts';
import type { Source } from '../sources.ts';
import { isLeftAlone } from './left-alone.ts';

/*
 * Faults in the TypeScript of a file: each replaces one expression. Types, imports and names are left
 * alone, and so is a comparison's own negation, which another operator makes, and what is no behaviour (left-alone.ts).
 */

export type SourceOperator = 'condition' | 'comparison' | 'logic' | 'constant' | 'arithmetic';

/** An expression, and what takes its place. */
export interface SourceMutation {
  readonly operator: SourceOperator;
  /** The function or constant that it is in. */
  readonly within: string;
  /** The expression, in one line. */
  readonly from: string;
  /** The place in the text. */
  readonly start: number;
  readonly end: number;
  /** What takes its place. */
  readonly to: string;
}

/** Every mutation of a file, in its order. */
export function sourceMutations(source: Source): SourceMutation[] {
  const file = parsed(source);
  const found: SourceMutation[] = [];
  const visit = (node: ts.Node, within: string): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    const name = nameOf(node, file) ?? within;
    if (isLeftAlone(node, name)) return;
    for (const [operator, to] of replacements(node, file))
      found.push({
        operator,
        within: name,
        from: inOneLine(node.getText(file)),
        start: node.getStart(file),
        end: node.end,
        to,
      });
    ts.forEachChild(node, (child) => visit(child, name));
  };
  ts.forEachChild(file, (child) => visit(child, ''));
  return found;
}

function nameOf(node: ts.Node, file: ts.SourceFile): string | undefined {
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isGetAccessorDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    (ts.isVariableDeclaration(node) && ts.isVariableStatement(node.parent.parent));
  return isNamed ? node.name?.getText(file) : undefined;
}

function inOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}

type Replacement = readonly [SourceOperator, string];

/** What may take the place of an expression. */
function replacements(node: ts.Node, file: ts.SourceFile): Replacement[] {
  if (ts.isBinaryExpression(node)) return binary(node, file);
  if (isCondition(node)) return [['condition', `!(${node.getText(file)})`]];
  if (!isValue(node)) return [];
  const text = node.getText(file);
  if (ts.isNumericLiteral(node)) return [['constant', String(Number(text.replaceAll('_', '')) + 1)]];
  if (ts.isBigIntLiteral(node)) return [['constant', `(${text} + 1n)`]];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [['constant', 'false']];
  return node.kind === ts.SyntaxKind.FalseKeyword ? [['constant', 'true']] : [];
}

/** The name of a property is none. */
function isValue(node: ts.Node): boolean {
  const { parent } = node;
  const isKey = (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) && parent.name === node;
  return !isKey && !ts.isLiteralTypeNode(parent) && !ts.isEnumMember(parent);
}

/** Where a value decides, and is no comparison: those have operators of their own. */
function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  const decides =
    (ts.isIfStatement(parent) && parent.expression === node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node) ||
    (ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.ExclamationToken);
  return decides && !ts.isParenthesizedExpression(node) && !ts.isPrefixUnaryExpression(node);
}

function binary(node: ts.BinaryExpression, file: ts.SourceFile): Replacement[] {
  const other = OTHER[ts.tokenToString(node.operatorToken.kind) ?? ''];
  if (other === undefined) return [];
  const [kind, operator] = other;
  if (kind === 'arithmetic' && isText(node)) return [];
  return [[kind, `(${node.left.getText(file)}) ${operator} (${node.right.getText(file)})`]];
}

/** A sum of texts is none. */
function isText(node: ts.BinaryExpression): boolean {
  return [node.left, node.right].some(
    (side) =>
      ts.isStringLiteralLike(side) ||
      ts.isTemplateExpression(side) ||
      (ts.isBinaryExpression(side) && isText(side)),
  );
}

const OTHER: Readonly<Record<string, Replacement>> = {
  '<': ['comparison', '<='],
  '<=': ['comparison', '<'],
  '>': ['comparison', '>='],
  '>=': ['comparison', '>'],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '%': ['arithmetic', '*'],
  '&': ['arithmetic', '|'],
  '|': ['arithmetic', '&'],
  '^': ['arithmetic', '|'],
  '<<': ['arithmetic', '>>'],
  '>>': ['arithmetic', '<<'],
  '>>>': ['arithmetic', '<<'],
  '+=': ['arithmetic', '-='],
  '-=': ['arithmetic', '+='],
};
