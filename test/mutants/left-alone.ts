import ts from 'typescript';
import { importsOf } from '../imports.ts';
import type { Source } from '../sources.ts';
import { sources } from '../sources.ts';

/*
 * Code in which a fault is none of a kernel's behaviour: what is printed, what counts costs, and what refuses a case
 * that is not modelled. No mutant is drawn there.
 */

/** Files that only spell, or only count what an attach costs, and which they are. */
const FILES: Readonly<Record<string, 'print' | 'costs'>> = {
  'model/x86/listing.ts': 'print',
  'model/x86/fault-words.ts': 'print',
  'model/x86/unsupported.ts': 'print',
  'model/x86/accesses.ts': 'costs',
  'model/trampoline/listing.ts': 'print',
  'model/trampoline/program-text.ts': 'print',
  'model/trampoline/designs/count.ts': 'costs',
  'model/trampoline/designs/counted-steps.ts': 'costs',
  'model/trampoline/designs/global/inlined.ts': 'costs',
  'model/text/branch.ts': 'print',
  'model/tracepoint/failure-words.ts': 'print',
};

/** Functions and tables elsewhere whose names say that they only spell, or read what is spelled. */
const SPELLS =
  /^(print|describe|spell|parse)[A-Z]|^(bitOf|registerName|nameAt|programStartingAt|placeOf|placedFault|groupName|tagName|LEGACY|HIGH_BYTES)$/;

/** The files that the program consists of, tests and their rigs apart. */
export function isMutated({ path }: Source): boolean {
  return FILES[path] === undefined && partsOfProgram().has(path);
}

let parts: ReadonlySet<string> | undefined;

/** What the command line imports, now or when it is needed. */
function partsOfProgram(): ReadonlySet<string> {
  if (parts !== undefined) return parts;
  const all = new Map(sources('.ts').map((source) => [source.path, source]));
  const found = new Set(['main.ts']);
  for (const path of found) {
    const source = all.get(path);
    if (source === undefined) continue;
    for (const { to, typeOnly } of importsOf(source)) if (!typeOnly) found.add(to);
  }
  parts = found;
  return parts;
}

/** Whether an expression, and what is in it, is left alone. */
export function isLeftAlone(node: ts.Node, within: string): boolean {
  return SPELLS.test(within) || ts.isThrowStatement(node) || decidesToThrow(node) || isItemIndex(node);
}

/**
 * The index of an item of an image, after its role: `plain('open frame', 0, 'open')`. It names the item in reports and in
 * planted bugs; of a nop alone it says more, the program that is skipped.
 */
function isItemIndex(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isNumericLiteral(node) || parent === undefined || !ts.isCallExpression(parent)) return false;
  const role = parent.arguments[parent.arguments.indexOf(node) - 1];
  const isOfPlan = PLANS.test(node.getSourceFile().fileName);
  return isOfPlan && role !== undefined && ts.isStringLiteral(role) && !role.text.endsWith(' nop');
}

/** Files that list the items of an image. */
const PLANS = /^model\/trampoline\/plan\//;

/** The condition of an `if` that does nothing but throw: the case is not modelled, or cannot be. */
function decidesToThrow(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined || !ts.isIfStatement(parent) || parent.expression !== node) return false;
  const { thenStatement, elseStatement } = parent;
  return elseStatement === undefined && onlyThrows(thenStatement);
}

function onlyThrows(node: ts.Statement): boolean {
  if (ts.isThrowStatement(node)) return true;
  return ts.isBlock(node) && node.statements.length === 1 && ts.isThrowStatement(node.statements[0] ?? node);
}
