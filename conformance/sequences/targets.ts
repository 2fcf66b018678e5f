import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';

/** Signatures of the recorder's functions, in the order of their numbers. */
const SIGNATURES: Readonly<Record<string, string>> = {
  f0: 'void -> u64',
  f1: 'u64 -> u64',
  f2: 'u64 x2 -> u64',
  f3: 'u64 x3 -> u64',
  f4: 'u64 x4 -> u64',
  f5: 'u64 x5 -> u64',
  f6: 'u64 x6 -> u64',
  f7: 'u64 x7 -> u64',
  f8: 'u64 x8 -> u64',
  f9: 'u64 x9 -> u64',
  f10: 'u64 x10 -> u64',
  f11: 'u64 x11 -> u64',
  f12: 'u64 x12 -> u64',
  f13: 'u64 x13 -> u64',
  f14: 'u64 x14 -> u64',
  b1: 'u8 -> u64',
  m3: 'u8, u16, u32 -> u64',
  m5: 'u8, s16, s32, s8, u64 -> s32',
  m8: 'u8, u16, u32, u64, u8, u16, u32, u8 -> u64',
  m10: 'u32, u64, s8, s16, s32, u64, s8, s16, s32, u8 -> s64',
  s1: 's16b -> u64',
  s3: 'u64, s16b, u32 -> u64',
  s5: 'u64 x4, s16b -> u64',
  s7: 'u64 x5, s16b, u64 -> u64',
  s8: 'u64 x6, s16b -> u64',
  s8b: 's8b, u64 -> u64',
  s24: 'u64, s24b, u32 -> u64',
  s9: 's16b x3, u64, s16b -> u64',
  s12: 'u64 x4, s16b x3, u64 -> u64',
  v0: 'void -> void',
  v3: 'u64 x3 -> void',
  v8: 'u64 x8 -> void',
  r8: 'u64 x2 -> u8',
  r16: 'u64 x2 -> s16',
  r32: 'u64 x7 -> u32',
  rb: 'u64 -> bool',
  rs16: 'u64 -> s16b',
  i128: 'u64, u128, u64 -> u64',
  ca: 'u64 x3 -> u64',
  cb: 'u64 x2 -> u64',
  rec: 'u64 -> u64',
  h1: 'u64, u32 -> u64',
  h2: 'u64 x6, u32, u8, u64 -> u64',
  h3: 'u32 x9 -> u32',
  h4: 's16b, u64 x5, u16 -> u64',
  h5: 'u64 x11 -> void',
};

/**
 * The functions that the recorder attaches to and calls; in the kernel their names have the prefix `security_lab_`.
 */
export const TARGETS: readonly TracedFunction[] = Object.entries(SIGNATURES).map(([name, signature], id) =>
  tracedFunction(name, id, signature),
);

const BY_NAME = new Map(TARGETS.map((target) => [target.name, target]));

/** The recorder's function with a name; undefined when there is none. */
export function targetNamed(name: string): TracedFunction | undefined {
  return BY_NAME.get(name);
}
