import { existsSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '../../model/core/input-error.ts';
import { messageOf } from '../../model/core/message-of.ts';
import { TOP } from './project.ts';

/** Modules of the user's that were loaded, by their absolute paths, in order: workers load the same ones. */
const LOADED: string[] = [];

export function loadedModules(): readonly string[] {
  return LOADED;
}

/**
 * Loads modules of the user's, which register designs, laws and profiles (`--with`). What they import as `attachcheck` is the
 * program that loads them, wherever that is installed: there is one list of designs. Throws an InputError when there is no
 * such file, when it cannot be loaded, and for what it registers and is refused.
 */
export async function loadModules(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const file = resolve(path);
    if (LOADED.includes(file)) continue;
    if (!existsSync(file)) throw new InputError(`--with ${path}: there is no such file`);
    await prepareFor(file, path);
    await load(file, path);
    LOADED.push(file);
  }
}

async function load(file: string, path: string): Promise<void> {
  try {
    await import(/* @vite-ignore */ pathToFileURL(file).href);
  } catch (error) {
    throw new InputError(`--with ${path}: ${messageOf(error)}`);
  }
}

let leadsHere = false;
let readsTypeScript = isFromSources();

async function prepareFor(file: string, path: string): Promise<void> {
  if (/^\.[cm]?ts$/.test(extname(file)) && !readsTypeScript) {
    await readTypeScript(path);
    readsTypeScript = true;
  }
  if (leadsHere) return;
  const library = join(TOP, isFromSources() ? 'library.ts' : 'dist/library.js');
  register(HOOK, { data: pathToFileURL(library).href });
  leadsHere = true;
}

/** Whether it is tsx that runs the program: then it reads the user's modules as well. */
function isFromSources(): boolean {
  return import.meta.filename.endsWith('.ts');
}

/** Node reads TypeScript by itself since 22.18; before that tsx does, where it is installed beside us. */
async function readTypeScript(path: string): Promise<void> {
  if (nodeReadsTypeScript()) return;
  try {
    const tsx = await import('tsx/esm/api');
    tsx.register();
  } catch {
    throw new InputError(`--with ${path}: ${NO_TYPESCRIPT}`);
  }
}

const NO_TYPESCRIPT = `Node ${process.versions.node} reads no TypeScript by itself; npm install tsx, or use Node 22.18 or later`;

function nodeReadsTypeScript(): boolean {
  return 'typescript' in process.features && process.features.typescript !== false;
}

/** Why `--with` takes no TypeScript of a module where the program is installed; undefined: it does. */
export function lacksTypeScript(): string | undefined {
  if (isFromSources() || nodeReadsTypeScript()) return undefined;
  try {
    createRequire(import.meta.url).resolve('tsx/esm/api');
    return undefined;
  } catch {
    return NO_TYPESCRIPT;
  }
}

/**
 * Leads what imports the package to the running program, and takes TypeScript for modules where no package.json says what it
 * is. It stands in a thread of its own, with nothing of ours.
 */
const HOOK = `data:text/javascript,${encodeURIComponent(`
let library;
export function initialize(url) { library = url; }
export async function resolve(specifier, context, next) {
  if (specifier === 'attachcheck') return { url: library, format: 'module', shortCircuit: true };
  const found = await next(specifier, context);
  const isOwn = found.format === 'commonjs' && /\\.ts$/.test(found.url) && !found.url.includes('/node_modules/');
  return isOwn ? { ...found, format: 'module' } : found;
}`)}`;
