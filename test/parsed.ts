import ts from 'typescript';
import type { Source } from './sources.ts';

const PARSED = new Map<string, { readonly text: string; readonly file: ts.SourceFile }>();

/** The syntax tree of a file, read once for all tests of a process. */
export function parsed({ path, text }: Source): ts.SourceFile {
  const known = PARSED.get(path);
  if (known?.text === text) return known.file;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  PARSED.set(path, { text, file });
  return file;
}
