import ts from 'typescript';
import type { Source } from './sources.ts';

/** Names that stood for a hundred types: a local has one that says what it is. */
const SAY_NOTHING: ReadonlySet<string> = new Set(['at', 'one']);

/** Names of exported types that are declared more than once, with their files. */
export function ambiguousTypes(files: readonly Source[]): string[] {
  const places = new Map<string, string[]>();
  for (const { path, text } of files)
    for (const name of exportedTypes(parsed(path, text)))
      places.set(name, [...(places.get(name) ?? []), path]);
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name} is declared in ${paths.join(', ')}`);
}

/** Locals whose name says nothing, with their places. */
export function namelessLocals({ path, text }: Source): string[] {
  const file = parsed(path, text);
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

function parsed(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
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
