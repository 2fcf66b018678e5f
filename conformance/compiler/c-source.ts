import type { ArchName } from '../../model/abi/arch.ts';
import { wordBytes } from '../../model/abi/arch.ts';
import { item } from '../../model/core/present.ts';
import type { Signature, Type } from '../../model/trampoline/signature.ts';

/** A C function that shows one thing: the first byte of one word of an argument, or the return value. */
export interface Probe {
  /** Its name in C. */
  readonly name: string;
  readonly signature: Signature;
  /** Undefined: it shows how the value is returned. */
  readonly shows: { readonly argument: number; readonly word: number } | undefined;
}

/** The probes of a function: one for each word of each argument, one for the return value. */
export function probesOf(arch: ArchName, signature: Signature, number: number): Probe[] {
  const words = signature.args.flatMap((type, argument) =>
    Array.from({ length: Math.ceil(sizeOn(arch, type) / wordBytes(arch)) }, (_, word) => ({
      argument,
      word,
    })),
  );
  return [
    ...words.map((shows) => ({
      name: `f${number}_${shows.argument}_${shows.word}`,
      signature,
      shows,
    })),
    ...(signature.ret.size === 0 ? [] : [{ name: `f${number}_returns`, signature, shows: undefined }]),
  ];
}

/** The global variable that a probe stores a word to, or returns a value from. */
export const SINK = 'sink';
export const RESULT = 'result';

/**
 * A source file with one C function per probe. A function that shows a word stores it and never returns, so that it
 * contains nothing but the store:
 *
 * ```c
 * u64 f7_1_0(u32 a0, u64 a1) { sink8 = a1; for (;;); }
 * u64 f7_returns(u32 a0, u64 a1) { return result_u64; }
 * ```
 */
export function sourceOf(arch: ArchName, probes: readonly Probe[]): string {
  const names = new Map<string, Type>();
  for (const { signature } of probes)
    for (const type of [...signature.args, signature.ret]) names.set(type.name, type);
  const types = [...names.values()].filter(({ size }) => size > 0);
  return [
    `typedef unsigned char u8; typedef unsigned short u16; typedef unsigned u32; typedef unsigned long long u64;`,
    `typedef signed char s8; typedef short s16; typedef int s32; typedef long long s64; typedef _Bool bool;`,
    ...(wordBytes(arch) === 8 ? [`typedef unsigned __int128 u128; typedef __int128 s128;`] : []),
    `extern volatile u8 ${SINK}1; extern volatile u16 ${SINK}2; extern volatile u32 ${SINK}4; extern volatile u64 ${SINK}8;`,
    ...types.filter(({ struct }) => struct).map((type) => structOf(arch, type)),
    ...types.map((type) => `extern ${typeName(type)} ${RESULT}_${type.name};`),
    ...probes.map((probe) => functionOf(arch, probe)),
    '',
  ].join('\n');
}

/** Bytes of a type; a pointer has the size of a register. */
export function sizeOn(arch: ArchName, { name, size }: Type): number {
  return name === 'ptr' ? wordBytes(arch) : size;
}

/** A struct with word-sized elements if its size is a multiple of a word: each word starts with an element. */
function structOf(arch: ArchName, { name, size }: Type): string {
  const bytes = elementBytes(arch, size);
  return `struct ${name} { u${8 * bytes} w[${size / bytes}]; };`;
}

function elementBytes(arch: ArchName, size: number): number {
  return [wordBytes(arch), 4, 1].find((bytes) => size % bytes === 0)!;
}

function typeName({ name, struct }: Type): string {
  if (struct) return `struct ${name}`;
  return name === 'ptr' ? 'void *' : name;
}

function functionOf(arch: ArchName, { name, signature, shows }: Probe): string {
  const { args, ret } = signature;
  const parameters = args.map((type, i) => `${typeName(type)} a${i}`).join(', ') || 'void';
  const body =
    shows === undefined
      ? `return ${RESULT}_${ret.name};`
      : `${storeOf(arch, item(args, shows.argument), shows.argument, shows.word)} for (;;);`;
  return `${typeName(ret)} ${name}(${parameters}) { ${body} }`;
}

function storeOf(arch: ArchName, type: Type, argument: number, word: number): string {
  const bytes = wordBytes(arch);
  const size = sizeOn(arch, type);
  if (type.struct) {
    const element = elementBytes(arch, size);
    return `${SINK}${element} = a${argument}.w[${(word * bytes) / element}];`;
  }
  if (type.name === 'ptr') return `${SINK}${bytes} = (unsigned long)a${argument};`;
  if (size <= bytes) return `${SINK}${size} = a${argument};`;
  return `${SINK}${bytes} = (u${8 * bytes})(a${argument} >> ${8 * bytes * word});`;
}
