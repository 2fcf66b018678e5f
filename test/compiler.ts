import { join } from 'node:path';
import ts from 'typescript';
import { TOP } from './sources.ts';

/** Files of the project and of the language, read once for all programs of a process. */
const READ = new Map<string, ts.SourceFile | undefined>();

/** What the project is compiled with, or built with, and its files. */
export function configured(file = 'tsconfig.json'): {
  readonly options: ts.CompilerOptions;
  readonly fileNames: readonly string[];
} {
  const { config } = ts.readConfigFile(join(TOP, file), ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, TOP);
}

/** The project as the compiler would see it with these files added, by path from its top. */
export function programWith(
  texts: ReadonlyMap<string, string>,
  roots: readonly string[],
  options: ts.CompilerOptions,
): ts.Program {
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  const textOf = (name: string) => texts.get(name.slice(TOP.length + 1));
  const folders = new Set([...texts.keys()].flatMap(foldersOf));
  host.directoryExists = (name) => folders.has(name) || ts.sys.directoryExists(name);
  host.fileExists = (name) => textOf(name) !== undefined || fileExists(name);
  host.readFile = (name) => textOf(name) ?? readFile(name);
  host.getSourceFile = (name, ...how) => {
    const text = textOf(name);
    if (text !== undefined) return ts.createSourceFile(name, text, how[0]);
    if (!READ.has(name)) READ.set(name, getSourceFile(name, ...how));
    return READ.get(name);
  };
  return ts.createProgram([...roots], options, host);
}

/** The directories that contain a file, from the top of the project. */
function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, i) => join(TOP, ...parts.slice(0, i + 1)));
}
