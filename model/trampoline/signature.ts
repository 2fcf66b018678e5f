import type { Argument, ArgumentSlot } from '../abi/x86-64.ts';
import { argumentSlots } from '../abi/x86-64.ts';
import { InputError } from '../core/input-error.ts';
import { item } from '../core/present.ts';

/*
 * Signatures of traced functions, as far as passing arguments is concerned: `struct btf_func_model`, and a text
 * form for traces and recordings (`u64 x9, s16b, u32 -> u64`).
 */

/** A type of an argument or of a return value: size, alignment, signedness. */
export interface Type {
  /** `u64`, `s16b`, `u128`, `bool`, `ptr`, `void` … */
  readonly name: string;
  /** Bytes; 0 for void. */
  readonly size: number;
  readonly alignment: number;
  readonly signed: boolean;
  readonly struct: boolean;
}

/** A traced function as a trampoline sees it (`struct btf_func_model`). */
export interface Signature {
  readonly args: readonly Type[];
  readonly ret: Type;
}

/** Sizes and alignments as on x86-64; `ptr` and `bool` are unsigned. */
const SCALARS: Readonly<Record<string, Omit<Type, 'name'>>> = {
  void: { size: 0, alignment: 1, signed: false, struct: false },
  bool: { size: 1, alignment: 1, signed: false, struct: false },
  u8: { size: 1, alignment: 1, signed: false, struct: false },
  s8: { size: 1, alignment: 1, signed: true, struct: false },
  u16: { size: 2, alignment: 2, signed: false, struct: false },
  s16: { size: 2, alignment: 2, signed: true, struct: false },
  u32: { size: 4, alignment: 4, signed: false, struct: false },
  s32: { size: 4, alignment: 4, signed: true, struct: false },
  u64: { size: 8, alignment: 8, signed: false, struct: false },
  s64: { size: 8, alignment: 8, signed: true, struct: false },
  ptr: { size: 8, alignment: 8, signed: false, struct: false },
  u128: { size: 16, alignment: 16, signed: false, struct: false },
  s128: { size: 16, alignment: 16, signed: true, struct: false },
};

/** Scalar types by name, `void` included. */
const SCALAR_NAMES: readonly string[] = Object.keys(SCALARS);

/** Looks a type up by name; `s<N>b` is a struct of N bytes passed by value. Undefined when there is no such type. */
export function typeNamed(name: string): Type | undefined {
  const known = TYPES.get(name);
  if (known !== undefined) return known;
  const struct = /^s([1-9][0-9]{0,2})b$/.exec(name);
  if (struct === null) return undefined;
  const type = { name, size: Number(struct[1]), alignment: 8, signed: false, struct: true };
  TYPES.set(name, type);
  return type;
}

/** Types that have been looked up. */
const TYPES = new Map<string, Type>(Object.entries(SCALARS).map(([name, type]) => [name, { name, ...type }]));

/** Signatures that have been parsed: functions of a kernel share a few. */
const PARSED = new Map<string, Signature>();
/** Signatures to keep at most: texts come from outside as well. */
const PARSED_MOST = 4096;

/**
 * Parses `u64 x9, s16b, u32 -> u64`: types separated by commas, `xN` repeats one, the return type after the
 * arrow (`u64` when there is none). An empty list of arguments is `-> u64` or `void -> u64`.
 */
export function parseSignature(text: string): Signature {
  const known = PARSED.get(text);
  if (known !== undefined) return known;
  const signature = parse(text);
  if (PARSED.size >= PARSED_MOST) PARSED.clear();
  PARSED.set(text, signature);
  return signature;
}

function parse(text: string): Signature {
  const [left = '', right, ...rest] = text.split('->');
  if (rest.length > 0) throw new InputError(`"${text}" has more than one ->`);
  const ret = requireType((right ?? 'u64').trim(), text);
  const list = left.trim();
  if (list === '' || list === 'void') return { args: [], ret };
  return { args: list.split(',').flatMap((item) => parseItem(item.trim(), text)), ret };
}

/** One item of the list: a type, and how often it is repeated. */
function parseItem(item: string, text: string): Type[] {
  const match = /^(\S+)(?:\s*x\s*([0-9]{1,2}))?$/.exec(item);
  if (match === null) throw new InputError(`"${item}" in "${text}" is not a type`, item);
  const [, name = '', times = '1'] = match;
  const type = requireType(name, text);
  if (type.size === 0) throw new InputError(`"${text}" has an argument of type void`);
  return Array.from({ length: Number(times) }, () => type);
}

function requireType(name: string, text: string): Type {
  const type = typeNamed(name);
  if (type === undefined)
    throw new InputError(
      `"${name}" in "${text}" is not a type; there are ${SCALAR_NAMES.join(', ')}, and s<N>b`,
      name,
    );
  return type;
}

/** The canonical text: runs of one type are folded, the return type is always given. */
export function printSignature(signature: Signature): string {
  const parts: string[] = [];
  for (let i = 0; i < signature.args.length; ) {
    const { name } = item(signature.args, i);
    let run = 1;
    while (signature.args[i + run]?.name === name) run++;
    parts.push(run === 1 ? name : `${name} x${run}`);
    i += run;
  }
  return `${parts.join(', ')}${parts.length > 0 ? ' ' : ''}-> ${signature.ret.name}`;
}

/** Machine words that the arguments take, in registers or on the stack. */
export function slotCount(signature: Signature): number {
  return signature.args.reduce((sum, type) => sum + Math.ceil(type.size / 8), 0);
}

/** The words of some arguments, by their positions among all words; a missing argument has none. */
export function wordsOfArguments({ args }: Signature, numbers: readonly number[]): number[] {
  let words = 0;
  const places = args.map(({ size }) => Array.from({ length: Math.ceil(size / 8) }, () => words++));
  return numbers.flatMap((number) => places[number] ?? []);
}

/** A signature of words: n times `u64`, and one is returned. */
export function wordSignature(words: number): Signature {
  const word = requireType('u64', 'u64');
  return { args: Array.from({ length: words }, () => word), ret: word };
}

/** Where a compiler passes the words of the arguments. */
export function abiSlots(signature: Signature): ArgumentSlot[] {
  return argumentSlots(signature.args as readonly Argument[], 'abi');
}

/** Where the kernel's generator expects them: it ignores alignment on the stack. */
export function kernelSlots(signature: Signature): ArgumentSlot[] {
  return argumentSlots(signature.args as readonly Argument[], 'ignored');
}
