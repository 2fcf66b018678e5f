import { existsSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '../../model/core/input-error.ts';
import { messageOf } from '../../model/core/message-of.ts';
import { TOP } from './project.ts';

/** The user's modules that were loaded, by their absolute paths, in order: workers load the same ones. */
const LOADED: string[] = [];

export function loadedModules(): readonly string[] {
  return LOADED;
}

/**
 * Loads the user's modules, which register designs, laws and profiles (`--with`). Their import of `attachcheck`
 * resolves to the running program, wherever it is installed: there is one list of designs. Throws an InputError for a
 * missing file, a module that fails to load, and a registration that is refused.
 */
export async function loadModules(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const file = resolve(path);
    if (LOADED.includes(file)) continue;
    if (!existsSync(file)) throw new InputError(`--with ${path}: no such file`);
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

/** Whether tsx runs the program: then it reads the user's modules as well. */
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

const NO_TYPESCRIPT = `Node ${process.versions.node} does not run TypeScript; npm install tsx, or use Node 22.18 or later`;

function nodeReadsTypeScript(): boolean {
  return 'typescript' in process.features && process.features.typescript !== false;
}

/** Why `--with` does not load TypeScript where the program is installed; undefined: it does. */
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
 * Resolves imports of the package to the running program, and treats TypeScript as modules where no package.json says
 * otherwise. It runs in its own thread, with no code of ours.
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
