import type { ArchName, passing as Passing } from '../../model/abi/arch.ts';
import { placeOn, wordBytes } from '../../model/abi/arch.ts';
import type { Signature } from '../../model/trampoline/signature.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import { ARM64_DIALECT } from './arm64.ts';
import type { Probe } from './c-source.ts';
import { probesOf, RESULT, SINK, sourceOf } from './c-source.ts';
import type { Compiler } from './compiler.ts';
import type { Dialect, MovedFrom, Moves } from './moves.ts';
import { followFunctions } from './moves.ts';
import { x86Dialect } from './x86.ts';

const DIALECTS: Readonly<Record<ArchName, Dialect>> = {
  'x86-64': x86Dialect(64),
  arm64: ARM64_DIALECT,
  'x86-32': x86Dialect(32),
};

/** The result of a comparison with a compiler. */
export interface ComparedPlaces {
  readonly functions: number;
  /** Words of arguments, and return values, whose locations agree with the compiler's. */
  readonly words: number;
  readonly returns: number;
  /** One sentence for each that differs. */
  readonly differences: readonly string[];
}

/** Compiles a function for each word of each argument, and compares its location with `passing`. */
export function compareWithCompiler(
  arch: ArchName,
  compiler: Compiler,
  functions: readonly Signature[],
  passing: typeof Passing,
): ComparedPlaces {
  const probes = functions.flatMap((signature, i) => probesOf(arch, signature, i));
  const compiled = followFunctions(compiler.compile(sourceOf(arch, probes)), DIALECTS[arch]);
  let words = 0;
  let returns = 0;
  const differences: string[] = [];
  for (const probe of probes) {
    const moves = compiled.get(probe.name);
    if (moves === undefined) throw new Error(`${probe.name} is not in the compiler's output`);
    const difference = differenceOf(arch, probe, moves, passing);
    if (difference !== undefined) differences.push(difference);
    else if (probe.shows === undefined) returns++;
    else words++;
  }
  return { functions: functions.length, words, returns, differences };
}

function differenceOf(
  arch: ArchName,
  { shows, signature }: Probe,
  moves: Moves,
  passing: typeof Passing,
): string | undefined {
  const passed = passing(arch, signature);
  const [what, expected, found] =
    shows === undefined
      ? ['the value that it returns', ...returned(arch, moves, passed, signature)]
      : [
          `word ${shows.word + 1} of argument ${shows.argument + 1}`,
          originOf(arch, passed, shows),
          sunk(moves),
        ];
  if (expected === found) return undefined;
  return `${arch}: ${printSignature(signature)}: ${what} lies in ${expected}, the compiler has it in ${found}`;
}

/** The expected location of a word; of an argument that the caller copies, relative to the address that it passes. */
function originOf(
  arch: ArchName,
  { slots, copied }: ReturnType<typeof Passing>,
  { argument, word }: NonNullable<Probe['shows']>,
): MovedFrom {
  const isCopied = copied.includes(argument);
  const slot = slots.find((slot) => slot.argument === argument && slot.word === (isCopied ? 0 : word));
  if (slot === undefined) return 'nowhere';
  const place = placeOn(arch, slot.place);
  if (!isCopied) return place;
  return `${word === 0 ? '' : word * wordBytes(arch)}(${place})`;
}

/** What the function stored to a sink: the first byte of a word. */
function sunk({ stored }: Moves): MovedFrom {
  for (const [site, value] of stored) if (site.startsWith(SINK) && !site.includes('+')) return value;
  return 'nothing';
}

/** The locations of a return value, expected and found: `rax rdx`, or `memory at x8`. */
function returned(
  arch: ArchName,
  moves: Moves,
  { returns }: ReturnType<typeof Passing>,
  { ret }: Signature,
): [MovedFrom, MovedFrom] {
  const result = `${RESULT}_${ret.name}`;
  if (returns.in === 'memory') {
    const site = [...moves.stored].find(([, value]) => value === result)?.[0];
    return [
      `memory at ${returns.addressIn}`,
      site === undefined ? 'no memory' : `memory at ${/\((\w+)\)/.exec(site)?.[1]}`,
    ];
  }
  const found = returns.registers.filter(
    (register, i) => moves.register(register) === (i === 0 ? result : `${result}+${wordBytes(arch) * i}`),
  );
  return [returns.registers.join(' '), found.join(' ') || 'none of them'];
}
