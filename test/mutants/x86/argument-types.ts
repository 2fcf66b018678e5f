import { typeNamed } from '../../../model/trampoline/signature.ts';

const SCALARS = 'void bool u8 s8 u16 s16 u32 s32 u64 s64 ptr u128 s128'.split(' ');

/** Types of arguments are as C and the System V ABI have them: a name says how long and how. */
export function typeDifference(): string | undefined {
  const structs = Array.from({ length: 64 }, (_, i) => `s${i + 1}b`);
  return [...SCALARS, ...structs].find((name) => !isRight(name)) ?? unknown();
}

function isRight(name: string): boolean {
  const type = typeNamed(name);
  const struct = name.endsWith('b') && /\d/.test(name);
  const bytes = struct ? Number.parseInt(name.slice(1), 10) : bytesOf(name);
  const alignment = struct ? 8 : Math.max(1, bytes);
  return (
    type?.size === bytes &&
    type.alignment === alignment &&
    type.signed === (!struct && name.startsWith('s')) &&
    type.struct === struct
  );
}

function bytesOf(name: string): number {
  const [bits] = /\d+$/.exec(name) ?? [];
  if (bits !== undefined) return Number(bits) / 8;
  return { void: 0, bool: 1, ptr: 8 }[name] ?? Number.NaN;
}

function unknown(): string | undefined {
  return ['s0b', 'u24', 's1000b', 'int', ''].find((name) => typeNamed(name) !== undefined);
}
