import { join } from 'node:path';
import ts from 'typescript';
import { configured, programWith } from './compiler.ts';
import { sources, TOP } from './sources.ts';

/** The examples in TypeScript of a document, in order. Throws when there is no such document. */
export function examplesOf(document: string): { text: string; examples: readonly string[] } {
  const found = sources(document)[0];
  if (found === undefined) throw new Error(`there is no ${document}`);
  const examples = [...found.text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!);
  return { text: found.text, examples };
}

/** The code with imports that lead into the project, from wherever it is put; `folder` is where it would stand. */
export function placed(code: string, folder: string): string {
  return code.replace(/from '(\.[^']+)'/g, (_, path: string) => `from '${join(TOP, folder, path)}'`);
}

/**
 * What a diff of a document makes of a text: each `-` line becomes the `+` lines below it. Throws when a line is not there
 * just once.
 */
export function applied(text: string, diff: string): string {
  return diff.split(/^(?=-)/m).reduce((so, hunk) => {
    const [old = '', ...lines] = hunk.trimEnd().split('\n');
    const parts = so.split(`${old.slice(1)}\n`);
    if (parts.length !== 2) throw new Error(`there are ${parts.length - 1} lines ${old.slice(1)}`);
    return parts.join(lines.map((line) => `${line.slice(1)}\n`).join(''));
  }, text);
}

/** The compiler's messages for files added to the project with these texts, by path from its top. */
export function compilerMessages(files: Readonly<Record<string, string>>): string[] {
  return messagesByFile(files).flat();
}

/** The same, of each file. */
export function messagesByFile(files: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  const roots = Object.keys(files).map((path) => join(TOP, path));
  const program = programWith(new Map(Object.entries(files)), roots, configured().options);
  return roots.map((path) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path)!)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  );
}
