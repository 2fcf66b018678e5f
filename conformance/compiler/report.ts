import { drawSignatures, everySignature } from '../../checker/arguments/draw.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { count, counted, wrap } from '../../counterexamples/text.ts';
import type { ArchName } from '../../model/abi/arch.ts';
import { passing } from '../../model/abi/arch.ts';
import type { ComparedPlaces } from './compare.ts';
import { compareWithCompiler } from './compare.ts';
import type { Compiler } from './compiler.ts';
import { NoCompiler, openCompiler } from './compiler.ts';

/** The functions to compile: all of up to `integers` integers, plus a number of drawn ones. */
export interface CompilerBound {
  readonly argumentsMost: number;
  readonly drawn: number;
  readonly seed: number;
}

/** The report for one architecture. */
export interface SaidOfCompiler {
  readonly text: string;
  readonly exit: 0 | 1 | 4;
}

/** Differences that are printed. */
const SHOWN = 10;

/**
 * Compares one architecture with its compiler; without a compiler the comparison is reported as skipped, not as
 * passed.
 */
export function compareArch(
  arch: ArchName,
  { argumentsMost, drawn, seed }: CompilerBound,
  open = openCompiler,
): SaidOfCompiler {
  let compiler: Compiler;
  try {
    compiler = open(arch);
  } catch (error) {
    if (!(error instanceof NoCompiler)) throw error;
    const reason = wrap(error.message, 60).map((line) => `    ${line}`);
    return {
      text: [`? ${arch}: not compared, no C compiler`, ...reason].join('\n'),
      exit: EXIT.INCONCLUSIVE,
    };
  }
  const functions = [...everySignature(argumentsMost), ...drawSignatures(arch, seed, drawn)];
  const compared = compareWithCompiler(arch, compiler, functions, passing);
  return {
    text: describe(arch, compiler, compared),
    exit: compared.differences.length > 0 ? EXIT.BROKEN : EXIT.HELD,
  };
}

function describe(
  arch: ArchName,
  { version }: Compiler,
  { functions, words, returns, differences }: ComparedPlaces,
): string {
  const agreed = `${counted(words, 'argument word')} and ${counted(returns, 'return value')} of ${counted(functions, 'function')}`;
  if (differences.length === 0) return [`✓ ${arch}: ${agreed}`, `    as ${version} passes them`].join('\n');
  const rest = differences.length - SHOWN;
  return [
    `✗ ${arch}: ${count(differences.length)} not where ${version} has them`,
    ...differences.slice(0, SHOWN).flatMap((name) => wrap(name, 76).map((line) => `    ${line}`)),
    ...(rest > 0 ? [`    and ${count(rest)} more`] : []),
    `    agreed: ${agreed}`,
  ].join('\n');
}
