import { describe, expect, test } from 'vitest';
import type { ArchName } from '../abi/arch.ts';
import { ARCHES, passing, placeOn } from '../abi/arch.ts';
import { arm64ImageSlots } from '../abi/arm64.ts';
import type { ArgumentSlot } from '../abi/slots.ts';
import { KERNELS, PROFILES } from '../core/profile.ts';
import { parseSignature } from '../trampoline/signature.ts';

/** `x0 x1 · x2`: places of the words, a dot between arguments. */
function drawn(slots: readonly ArgumentSlot[], arch: ArchName): string {
  const last = slots.at(-1)?.argument ?? -1;
  const byArgument = Array.from({ length: last + 1 }, (_, i) =>
    slots.filter(({ argument }) => argument === i),
  );
  return byArgument.map((words) => words.map(({ place }) => placeOn(arch, place)).join(' ')).join(' · ');
}

const passed = (arch: ArchName, signature: string) =>
  drawn(passing(arch, parseSignature(signature)).slots, arch);

describe('arguments', () => {
  test.each<[ArchName, string, string]>([
    ['arm64', 'u64 x8', 'x0 · x1 · x2 · x3 · x4 · x5 · x6 · x7'],
    ['arm64', 'u64 x9, u8', 'x0 · x1 · x2 · x3 · x4 · x5 · x6 · x7 · [sp] · [sp, #8]'],
    ['arm64', 'u8, s16b, u16', 'x0 · x1 x2 · x3'],
    ['arm64', 'u64 x7, s16b, u64', 'x0 · x1 · x2 · x3 · x4 · x5 · x6 · [sp] [sp, #8] · [sp, #16]'],
    ['arm64', 'u64, u128, u64, u128', 'x0 · x2 x3 · x4 · x6 x7'],
    ['arm64', 'u64 x7, u128, u64', 'x0 · x1 · x2 · x3 · x4 · x5 · x6 · [sp] [sp, #8] · [sp, #16]'],
    ['arm64', 'u64 x9, u128', 'x0 · x1 · x2 · x3 · x4 · x5 · x6 · x7 · [sp] · [sp, #16] [sp, #24]'],
    ['arm64', 'u64, s24b, u64', 'x0 · x1 · x2'],
    ['x86-32', 'u32 x4', 'eax · edx · ecx · 4(%esp)'],
    ['x86-32', 'u8, u16, ptr, u8', 'eax · edx · ecx · 4(%esp)'],
    ['x86-32', 'u32, u64', 'eax · edx ecx'],
    ['x86-32', 'u32 x2, u64, u32', 'eax · edx · 4(%esp) 8(%esp) · 12(%esp)'],
    ['x86-32', 'u64 x2, u32', 'eax edx · 4(%esp) 8(%esp) · 12(%esp)'],
    ['x86-32', 's12b, u32', 'eax edx ecx · 4(%esp)'],
    ['x86-32', 's16b, u32', '4(%esp) 8(%esp) 12(%esp) 16(%esp) · 20(%esp)'],
    ['x86-64', 'u64 x5, s16b, ptr', 'rdi · rsi · rdx · rcx · r8 · 8(%rsp) 16(%rsp) · r9'],
  ])('on %s of %s: %s', (arch, signature, places) => {
    expect(passed(arch, signature)).toBe(places);
  });

  test.each<[ArchName, string, string]>([
    ['x86-64', 'u64 -> s24b', 'rsi'],
    ['x86-32', 'u32, u64 -> s16b', 'edx · 4(%esp) 8(%esp)'],
    ['arm64', 'u64 -> s24b', 'x0'],
  ])('on %s of %s, whose caller tells where the value shall go: %s', (arch, signature, places) => {
    expect(passed(arch, signature)).toBe(places);
  });

  test('on arm64 a caller copies what is longer than 16 bytes, and passes the address', () => {
    expect(passing('arm64', parseSignature('u64, s24b, s16b')).copied).toEqual([1]);
    expect(passing('x86-64', parseSignature('u64, s24b, s16b')).copied).toEqual([]);
  });
});

describe('the return value', () => {
  test.each<[string, string, string, string]>([
    ['void', '', '', ''],
    ['u8', 'rax', 'x0', 'eax'],
    ['ptr', 'rax', 'x0', 'eax'],
    ['u64', 'rax', 'x0', 'eax edx'],
    ['s8b', 'rax', 'x0', 'eax edx'],
    ['s3b', 'rax', 'x0', 'at eax'],
    ['s12b', 'rax rdx', 'x0 x1', 'at eax'],
    ['s24b', 'at rdi', 'at x8', 'at eax'],
  ])('%s: %s, %s, %s', (ret, ...places) => {
    const found = ARCHES.map((arch) => {
      const { returns } = passing(arch, parseSignature(`-> ${ret}`));
      return returns.in === 'memory' ? `at ${returns.addressIn}` : returns.registers.join(' ');
    });
    expect(found).toEqual(places);
  });
});

describe('where an image on arm64 looks', () => {
  const found = (signature: string) =>
    KERNELS.map((kernel) => {
      const slots = arm64ImageSlots(parseSignature(signature).args, PROFILES[kernel]);
      return typeof slots === 'string' ? slots : drawn(slots, 'arm64');
    });

  test.each<[string, string, string, string]>([
    ['u64 x2', 'x0 · x1', 'x0 · x1', 'x0 · x1'],
    ['u64, s16b, u64', 'ENOTSUPP', 'x0 · x1 x2 · x3', 'x0 · x1 x2 · x3'],
    ['u64 x9', 'ENOTSUPP', 'ENOTSUPP', 'x0 · x1 · x2 · x3 · x4 · x5 · x6 · x7 · [sp]'],
    ['u64, u128', 'x0 · x1', 'x0 · x1', 'x0 · x1 x2'],
    ['u64 x6, s16b, u64', 'ENOTSUPP', 'ENOTSUPP', 'x0 · x1 · x2 · x3 · x4 · x5 · x6 x7 · [sp]'],
  ])('for %s: %s, %s, %s', (signature, ...places) => {
    expect(found(signature)).toEqual(places);
  });
});
