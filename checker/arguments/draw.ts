import fc from 'fast-check';
import type { ArchName } from '../../model/abi/arch.ts';
import { wordBytes } from '../../model/abi/arch.ts';
import { present } from '../../model/core/present.ts';
import type { Signature, Type } from '../../model/trampoline/signature.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';

const named = (list: string): Type[] => list.split(' ').map((name) => present(typeNamed(name), name));

/** Types of arguments: integers of each length, structs of which some end within a word, and one that is too long. */
const ARGUMENTS = named('u64 u64 u64 u64 u32 u8 s16 ptr bool s32 s64 u128 s8b s16b s3b s12b s9b s24b');
const RETURNS = named('u64 u64 u64 u64 void u32 u32 u8 ptr u128 s4b s8b s12b s16b s24b');

/** Arguments of a function, at most. */
const ARGUMENTS_MOST = 12;

/** A function whose types an architecture has; u64 and few arguments first. */
export function signatureOn(arch: ArchName): fc.Arbitrary<Signature> {
  const has = existsOn(arch);
  const argument = fc.constantFrom(...ARGUMENTS.filter(has));
  return fc.record({
    args: fc.array(argument, { maxLength: ARGUMENTS_MOST, size: 'max' }),
    ret: fc.constantFrom(...RETURNS.filter(has)),
  });
}

/** Whether an architecture has a type: integers of 128 bits are for machines of 64. */
export function existsOn(arch: ArchName): (type: Type) => boolean {
  return ({ struct, size }) => struct || size <= 2 * wordBytes(arch);
}

/**
 * Functions most of which are like the first: one argument less, or one of the last with another type of equal width.
 */
export function relatedSignatures(arch: ArchName, most: number): fc.Arbitrary<Signature[]> {
  const change = fc.record({
    own: signatureOn(arch),
    kind: fc.constantFrom<Change['kind']>('another', 'shorter', 'other type'),
    fromEnd: fc.nat(2),
    to: fc.constantFrom(...ARGUMENTS.filter(existsOn(arch))),
  });
  return fc
    .tuple(signatureOn(arch), fc.array(change, { maxLength: most - 1 }))
    .map(([first, changes]) => [first, ...changes.map((item) => changed(first, item))]);
}

interface Change {
  readonly own: Signature;
  readonly kind: 'another' | 'shorter' | 'other type';
  /** The argument that gets another type: 0 is the last. */
  readonly fromEnd: number;
  readonly to: Type;
}

function changed({ args }: Signature, { own, kind, fromEnd, to }: Change): Signature {
  if (kind === 'another') return own;
  if (kind === 'shorter') return { args: args.slice(0, -1), ret: own.ret };
  const index = args.length - 1 - fromEnd;
  const words = ({ size }: Type) => Math.ceil(size / 8);
  return {
    args: args.map((type, i) => (i === index && words(type) === words(to) ? to : type)),
    ret: own.ret,
  };
}

/** This many functions; the same for the same seed. */
export function drawSignatures(arch: ArchName, seed: number, functions: number): Signature[] {
  return fc.sample(signatureOn(arch), { seed, numRuns: functions });
}

/** Every function of up to this many integers of 32 or 64 bits. */
export function everySignature(argumentsMost: number): Signature[] {
  const [u32, u64] = named('u32 u64') as [Type, Type];
  let longest: Type[][] = [[]];
  const all = [...longest];
  for (let length = 1; length <= argumentsMost; length++) {
    longest = longest.flatMap((list) => [
      [...list, u32],
      [...list, u64],
    ]);
    all.push(...longest);
  }
  return all.map((args) => ({ args, ret: u64 }));
}
