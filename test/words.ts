import ts from 'typescript';
import { parsed } from './parsed.ts';
import type { Source } from './sources.ts';

/** Names that once named a hundred types: a local has one that says what it is. */
const SAY_NOTHING: ReadonlySet<string> = new Set(['at', 'one']);

/** Names of exported types that are declared more than once, with their files. */
export function ambiguousTypes(files: readonly Source[]): string[] {
  const places = new Map<string, string[]>();
  for (const source of files)
    for (const name of exportedTypes(parsed(source)))
      places.set(name, [...(places.get(name) ?? []), source.path]);
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name} is declared in ${paths.join(', ')}`);
}

/** Locals whose name says nothing, with their places. */
export function namelessLocals(source: Source): string[] {
  const { path } = source;
  const file = parsed(source);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isLocal(node) && ts.isIdentifier(node.name) && SAY_NOTHING.has(node.name.text)) {
      const line = file.getLineAndCharacterOfPosition(node.name.getStart(file)).line + 1;
      found.push(`${path}:${line}: "${node.name.text}" says nothing; name what it is`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function exportedTypes(file: ts.SourceFile): string[] {
  return file.statements.flatMap((node) =>
    (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)) &&
    node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) &&
    node.name !== undefined
      ? [node.name.text]
      : [],
  );
}

function isLocal(
  node: ts.Node,
): node is ts.ParameterDeclaration | ts.VariableDeclaration | ts.BindingElement {
  return ts.isParameter(node) || ts.isVariableDeclaration(node) || ts.isBindingElement(node);
}
