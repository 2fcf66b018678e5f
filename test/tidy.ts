import ts from 'typescript';
import { item, last } from '../model/core/present.ts';
import { parsed } from './parsed.ts';
import type { Source } from './sources.ts';

/** The longest file and the longest function, in lines; a longer one says "on purpose" in the comment above. */
const FILE_LINES = 250;
const FUNCTION_LINES = 40;

/** A file or function that is longer than it should be says why in its first comment, with these words. */
const EXCUSE = /\bon purpose\b/;

/** File names that say nothing. */
const EMPTY_NAMES = ['index', 'utils', 'types', 'helpers', 'common', 'misc'];

interface Ban {
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly instead: string;
  /** Which files it holds for; all if there is none. */
  readonly where?: (path: string) => boolean;
}

const PURE = (path: string) => /^(model|properties|counterexamples)\//.test(path) && !isTest(path);

const BANS: readonly Ban[] = [
  { pattern: /\bTODO\b|\bFIXME\b|\bXXX\b/, instead: 'an omission goes into the list of docs/scope.md' },
  {
    pattern: /@(param|returns?|author|since|version)\b/,
    instead: 'a sentence that says what the name does not',
  },
  {
    pattern: /\b(verified|verifies|proven correct)\b/i,
    instead: 'say "held for", with its bound',
  },
  { pattern: /\b\w+\.[chS]:\d+/, instead: 'cite file and function, a line number is wrong tomorrow' },
  { pattern: /(?<![\w.])\/(work|tmp|home|root)\//, instead: 'a path from the top of the project' },
  { pattern: /\/\/ ?[-=*#]{4,}|\/\*[-=*#]{5,}/, instead: 'a banner is a file of its own' },
  { pattern: /\bMath\.random\b/, instead: 'draw from the seeded generator', where: PURE },
  {
    pattern: /\bDate\b\.|new Date\b|\bperformance\.now\b/,
    instead: 'a bound is a count, never a time',
    where: PURE,
  },
  { pattern: /\bprocess\.(env|argv|stdout|stderr)\b/, instead: 'the command line passes it in', where: PURE },
  {
    pattern: /\)\.otherwise\(|^\s*\.otherwise\(/,
    instead: 'a case for every member, and exhaustive()',
  },
  { pattern: /@ts-(ignore|expect-error|nocheck)/, instead: 'a type that holds' },
  {
    pattern: /\b(it|test)(\.each\([^)]*\))?\(\s*['"`]should\b/,
    instead: 'title the test by the fact',
    where: isTest,
  },
  { pattern: /\b(it|test|describe)\.(only|skip|todo)\(/, instead: 'a test that runs', where: isTest },
];

function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

/** Problems of one file, one sentence for each, with its place. */
export function tidyProblems(source: Source): string[] {
  return [...bans(source), ...(source.path.endsWith('.ts') ? shapeProblems(source) : [])];
}

function bans({ path, text }: Source): string[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      BANS.filter(({ pattern, where }) => (where?.(path) ?? true) && pattern.test(line)).map(
        ({ pattern, instead }) => `${path}:${i + 1}: not "${pattern.exec(line)![0]}"; ${instead}`,
      ),
    );
}

function shapeProblems(source: Source): string[] {
  const { path, text } = source;
  const file = parsed(source);
  const lines = text.split('\n').length - 1;
  const problems: string[] = [];
  const name = item(last(path.split('/')).split('.'), 0);
  if (EMPTY_NAMES.includes(name)) problems.push(`${path}: "${name}" says nothing; name the file's one idea`);
  if (lines > FILE_LINES && !EXCUSE.test(firstComment(text)))
    problems.push(
      `${path}: ${lines} lines, more than ${FILE_LINES}; cut it, or say why it is long on purpose`,
    );
  for (const { name: fn, line, length, comment } of functionsOf(file))
    if (length > FUNCTION_LINES && !EXCUSE.test(comment))
      problems.push(
        `${path}:${line}: ${fn} has ${length} lines, more than ${FUNCTION_LINES}; cut it, or say why on purpose`,
      );
  return problems;
}

function firstComment(text: string): string {
  return /\/\*[\s\S]*?\*\//.exec(text)?.[0] ?? '';
}

export interface FunctionShape {
  readonly name: string;
  readonly line: number;
  /** Lines, from its first to its closing brace. */
  readonly length: number;
  readonly comment: string;
}

/** All functions and methods; a callback of a test's `describe` is a table of contents, not a function. */
export function functionsOf(file: ts.SourceFile): FunctionShape[] {
  const found: FunctionShape[] = [];
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (isFunction(node) && !isTestCallback(node)) {
      const line = lineOf(node.getStart(file));
      const comment = file.text.slice(node.getFullStart(), node.getStart(file));
      const name = node.name?.getText(file) ?? 'a function';
      found.push({ name, line, length: lineOf(node.end) - line + 1, comment });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration & { body: ts.Node } {
  return (
    (ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isConstructorDeclaration(node) ||
      ts.isArrowFunction(node) ||
      ts.isFunctionExpression(node)) &&
    node.body !== undefined
  );
}

function isTestCallback(node: ts.Node): boolean {
  const call = node.parent;
  return (
    call !== undefined && ts.isCallExpression(call) && /^(describe|suite)\b/.test(call.expression.getText())
  );
}
