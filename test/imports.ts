import { dirname, join } from 'node:path';
import ts from 'typescript';
import { entry } from '../model/core/present.ts';
import { parsed } from './parsed.ts';
import type { Source } from './sources.ts';

/** One import: the importing file, the imported one, and whether only for types. */
export interface Import {
  readonly from: string;
  /** A path from the top of the project, or the name of a package. */
  readonly to: string;
  readonly line: number;
  readonly typeOnly: boolean;
  /** By `import()`: when it is needed. */
  readonly isLate: boolean;
}

/** The rule that every import is held against, as `architecture` has it. */
const RULE =
  'main, and library through api, import commands, that kernels, that conformance, that counterexamples, that checker, that properties, that model; within ' +
  'model, testing imports cost, that what is done with actions (step, api, misuse, promised), those client, that call ' +
  'and contract, those raw-tracepoint and perf-event, those the kernel, that dispatcher and tracepoint, that trampoline, those ftrace, that ' +
  'text, that task, that core; x86 imports nothing of ours. Arrows may skip directories downward and never turn back; a test ' +
  'may import what it needs.';

/**
 * Directories, each with those directly below it; a single file may be one. A file belongs to the longest matching
 * path.
 */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  test: ['main', 'library.ts', 'bench'],
  bench: ['main'],
  main: ['commands'],
  'library.ts': ['api'],
  examples: [],
  api: ['commands'],
  commands: ['kernels'],
  kernels: ['conformance'],
  conformance: ['counterexamples'],
  counterexamples: ['checker'],
  checker: ['properties'],
  properties: ['model/cost'],
  'model/testing': ['model/cost'],
  'model/cost': ['model'],
  model: ['model/client'],
  'model/client': ['model/call', 'model/contract'],
  'model/contract': ['model/call'],
  'model/call': ['model/raw-tracepoint', 'model/perf-event'],
  'model/raw-tracepoint': ['model/kernel.ts'],
  'model/perf-event': ['model/kernel.ts'],
  'model/kernel.ts': ['model/dispatcher', 'model/tracepoint'],
  'model/dispatcher': ['model/trampoline'],
  'model/trampoline': ['model/ftrace', 'model/abi', 'model/x86'],
  'model/tracepoint': ['model/ftrace', 'model/abi', 'model/x86'],
  'model/ftrace': ['model/text', 'model/x86'],
  'model/text': ['model/task', 'model/x86'],
  'model/task': ['model/core'],
  'model/abi': ['model/core'],
  'model/core': [],
  'model/x86': [],
};

/** Packages and modules of the system that only some directories may use; tests may use all. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  'iced-x86': ['model/x86'],
  'fast-check': ['checker', 'api', 'examples'],
  commander: ['main', 'commands', 'conformance', 'bench'],
  zod: ['conformance', 'commands'],
  'node:fs': ['main', 'commands', 'kernels', 'conformance', 'bench', 'examples'],
  'node:child_process': ['commands', 'kernels', 'conformance', 'bench'],
};

/** All imports and re-exports of a file. */
export function importsOf(source: Source): Import[] {
  const { path } = source;
  const file = parsed(source);
  const found: Import[] = [];
  const note = (node: ts.Node, specifier: string, typeOnly: boolean, isLate = false) => {
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    found.push({ from: path, to: targetOf(path, specifier), line, typeOnly, isLate });
  };
  /** A module of the user's is named at run time, and is no file of ours. */
  const noteCall = (node: ts.Node, specifier: ts.Expression | undefined) => {
    if (specifier !== undefined && ts.isStringLiteral(specifier)) note(node, specifier.text, false, true);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
      note(node, node.moduleSpecifier.text, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier))
      note(node, node.moduleSpecifier.text, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      noteCall(node, node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function targetOf(from: string, specifier: string): string {
  return specifier.startsWith('.') ? join(dirname(from), specifier) : specifier;
}

/** The files that start with this one: those that it imports, and they in turn, but for types and what is late. */
export function startsWith(path: string, sources: readonly Source[]): ReadonlySet<string> {
  const ours = new Map(sources.map((source) => [source.path, source]));
  const started = new Set<string>();
  const start = (own: string): void => {
    const source = ours.get(own);
    if (source === undefined || started.has(own)) return;
    started.add(own);
    for (const { to, typeOnly, isLate } of importsOf(source)) if (!typeOnly && !isLate) start(to);
  };
  start(path);
  return started;
}

/** Problems with the imports of these files, one sentence each. */
export function importProblems(sources: readonly Source[]): string[] {
  const imports = sources.flatMap(importsOf);
  const ours = new Set(sources.map(({ path }) => path));
  return [...imports.flatMap((item) => problemOf(item, ours)), ...cycles(imports.filter((i) => !i.typeOnly))];
}

function problemOf(item: Import, ours: ReadonlySet<string>): string[] {
  const place = `${item.from}:${item.line}`;
  const room = roomOf(item.from);
  if (room === undefined)
    return [`${place} is in no known directory; there are ${Object.keys(BELOW).join(', ')}`];
  if (ours.has(item.to)) {
    const target = roomOf(item.to)!;
    return target === room || reaches(room, target) || mayInTests(item)
      ? []
      : [`${place}: ${room} must not import ${item.to}. ${RULE}`];
  }
  if (item.to.startsWith('.') || /\.ts$/.test(item.to)) return [`${place}: ${item.to} does not exist`];
  const rooms = ONLY_IN[item.to];
  return rooms === undefined || rooms.includes(room) || isTest(item.from)
    ? []
    : [`${place}: ${item.to} may be imported only in ${rooms.join(', ')}`];
}

/** A test is next to its subject and may drive it with whatever it needs, except the start of the program. */
function mayInTests({ from, to }: Import): boolean {
  return isTest(from) && to !== 'main.ts' && !to.startsWith('bench/');
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.startsWith('test/');
}

/** The directory of a file; `vitest.config.ts` and the like at the top belong to `test`. */
function roomOf(path: string): string | undefined {
  if (path === 'main.ts') return 'main';
  if (!path.includes('/')) return path in BELOW ? path : 'test';
  const rooms = Object.keys(BELOW).filter((room) => path === room || path.startsWith(`${room}/`));
  const [longest] = rooms.sort((a, b) => b.length - a.length);
  const inUnknownRoom = longest === 'model' && path.split('/').length > 2;
  return inUnknownRoom ? undefined : longest;
}

function reaches(from: string, to: string): boolean {
  return entry(BELOW, from).some((room) => room === to || reaches(room, to));
}

/** Rings of files that import values of each other. */
function cycles(imports: readonly Import[]): string[] {
  const next = new Map<string, Import[]>();
  for (const item of imports) next.set(item.from, [...(next.get(item.from) ?? []), item]);
  const done = new Set<string>();
  const problems: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      problems.push(`files import each other: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const { to } of next.get(path) ?? []) visit(to, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) visit(path, []);
  return problems;
}
