import { join } from 'node:path';
import ts from 'typescript';
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

/** Files of the project and of the language, read once for all programs. */
const PARSED = new Map<string, ts.SourceFile | undefined>();

/** What the compiler says of files that stood in the project with these texts, by path from its top. */
export function compilerMessages(files: Readonly<Record<string, string>>): string[] {
  const { config } = ts.readConfigFile(join(TOP, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, TOP);
  const texts = new Map(Object.entries(files).map(([path, text]) => [join(TOP, path), text]));
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  host.getSourceFile = (name, ...how) => {
    const text = texts.get(name);
    if (text !== undefined) return ts.createSourceFile(name, text, how[0]);
    if (!PARSED.has(name)) PARSED.set(name, getSourceFile(name, ...how));
    return PARSED.get(name);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  const messages = [...texts.keys()].flatMap((path) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(path)!),
  );
  return messages.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
