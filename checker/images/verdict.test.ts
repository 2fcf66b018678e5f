import { describe, expect, test } from 'vitest';
import { BOOTS, KERNELS } from '../../model/core/profile.ts';
import { parsePrograms } from '../../model/trampoline/program-text.ts';
import { rendered } from '../../properties/finding/render.ts';
import type { Law } from '../../properties/law/image-law.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { KERNEL } from '../../properties/observed/subject.ts';
import { editBytes } from '../../properties/planted/images/edit.ts';
import { imageReturnsWithoutAFault } from '../../properties/trampoline/image-returns-without-a-fault.ts';
import { benchFor } from './bench.ts';
import type { ImageCase } from './case.ts';
import { runCase } from './case.ts';

const CASE: ImageCase = {
  kernel: '6.1',
  boot: 'default',
  ibt: false,
  args: ['u64', 'u64'],
  ret: 'u64',
  programs: parsePrograms('fentry, fexit'),
  ipmodify: false,
  tailCalls: false,
};

/** `mov $2,%eax`, the argument count: five bytes, the length of a `jmp`. */
const COUNT = 'b802000000';

/**
 * The image with a detour: where the argument count is loaded it jumps after its end, executes `code`, loads the
 * count and jumps back.
 */
function detour(code: string) {
  return editBytes((bytes) => {
    const image = Buffer.from(bytes);
    const index = image.indexOf(Buffer.from(COUNT, 'hex'));
    const behind = Buffer.from(code + COUNT, 'hex');
    const jump = (from: number, to: number) => {
      const field = Buffer.alloc(5, 0xe9);
      field.writeInt32LE(to - from - 5, 1);
      return field;
    };
    jump(index, image.length).copy(image, index);
    return new Uint8Array(Buffer.concat([image, behind, jump(image.length + behind.length, index + 5)]));
  })(KERNEL);
}

function breachWith(code: string, laws: readonly Law[] = IMAGE_LAWS) {
  const { stage } = benchFor(undefined);
  const bench = { stage, tools: detour(code), isChanged: true };
  const { verdict } = runCase(bench, CASE, { laws, known: [] });
  return verdict!.breach && `${verdict!.breach.law.name}: ${rendered(verdict!.breach.finding).observed}`;
}

describe('an image that differs for one single 64-bit value is not certified', () => {
  test('the detour itself breaks nothing', () => {
    expect(breachWith('90')).toBeUndefined();
    // mov %rdi,%r10; mov $…,%r11; sub %r11,%r10: computing with an argument in scratch registers is harmless.
    expect(breachWith(`4989fa 49bb f0debc9a78563412 4d29da`.replaceAll(' ', ''))).toBeUndefined();
  });

  test.each([
    [
      'a branch that clears the argument',
      'mov $…,%r10; cmp %r10,%rdi; jne +2; xor %edi,%edi',
      '49ba f0debc9a78563412 4c39d7 7502 31ff',
      'trampoline/arguments-are-only-copied: this branch depends on argument word 1',
    ],
    [
      'a branch on its lowest byte alone',
      'cmp $0x42,%dil; jne +2; xor %edi,%edi',
      '4080ff42 7502 31ff',
      'trampoline/arguments-are-only-copied: this branch depends on argument word 1',
    ],
    [
      'a branch on a copy on the stack',
      'push %rdi; cmpq $0x7,(%rsp); pop %r10; jne +2; xor %edi,%edi',
      '57 48833c2407 415a 7502 31ff',
      'trampoline/arguments-are-only-copied: this branch depends on argument word 1',
    ],
    [
      'a conditional move',
      'mov $…,%r10; xor %r11d,%r11d; cmp %r10,%rdi; cmove %r11,%rdi',
      '49ba f0debc9a78563412 4531db 4c39d7 490f44fb',
      'trampoline/arguments-reach-programs',
    ],
    [
      'a flag that is added to the argument',
      'mov $…,%r10; xor %r11d,%r11d; cmp %r10,%rsi; sete %r11b; add %r11,%rdi',
      '49ba f0debc9a78563412 4531db 4c39d6 410f94c3 4c01df',
      'trampoline/arguments-reach-programs',
    ],
    [
      'a carry that is added to the argument',
      'mov $-1,%r10; sub %rsi,%r10; cmp $0x1,%r10; adc $0x0,%rdi',
      '49c7c2ffffffff 4929f2 4983fa01 4883d700',
      'trampoline/arguments-reach-programs',
    ],
    [
      'an address that is computed from the argument',
      'mov %rdi,%r10; and $0x8,%r10d; mov (%rsp,%r10,1),%r11',
      '4989fa 4183e208 4e8b1c14',
      'trampoline/arguments-are-only-copied: this address depends on a computed value',
    ],
    [
      'flags that are saved and branched on later',
      'test %rdi,%rsi; pushf; xor %r10d,%r10d; popf; je +2; xor %edi,%edi',
      '4885fe 9c 4531d2 9d 7402 31ff',
      'trampoline/arguments-are-only-copied: this branch depends on',
    ],
  ])('%s: %s', (_, _assembly, code, breach) => {
    expect(breachWith(code.replaceAll(' ', ''))).toContain(breach);
  });
});

describe('all argument values', () => {
  test('one path represents all of them: fentry with enter saying yes or no', () => {
    const bench = benchFor(undefined);
    const item = { ...CASE, programs: parsePrograms('fentry') };
    const { verdict } = runCase(bench, item, { laws: IMAGE_LAWS, known: [] });
    expect(verdict!.paths).toBe(2n);
  });

  test.each([
    // Each program is entered or missed; a modify-return program that ran is asked for zero or not, and the
    // first other answer leads past the later ones and the original.
    ['fentry, fentry', 4n],
    ['fexit, fexit, fexit', 8n],
    ['fmod_ret', 3n],
    ['fentry, fmod_ret, fexit', 12n],
    ['fmod_ret, fmod_ret', 7n],
  ])('%s has %i paths', (programs, paths) => {
    const bench = benchFor(undefined);
    const c = { ...CASE, programs: parsePrograms(programs) };
    const { verdict } = runCase(bench, c, { laws: IMAGE_LAWS.slice(0, -1), known: [] });
    expect(verdict!.breach).toBeUndefined();
    expect(verdict!.paths).toBe(paths);
  });

  test.each(KERNELS.flatMap((kernel) => BOOTS.map((boot) => [kernel, boot] as const)))(
    'three programs of different kinds hold on %s %s',
    (kernel, boot) => {
      const programs = parsePrograms('fentry cookie=0x1, fexit get_func_ip, fexit sleepable');
      const args = kernel === '6.1' ? CASE.args : ['u64', 'u32', 's16b', 'u8', 'u64', 'u64', 'u16', 'u64'];
      const bench = benchFor(undefined);
      const outcome = runCase(
        bench,
        { ...CASE, kernel, boot, args, programs },
        { laws: IMAGE_LAWS, known: [] },
      );
      expect(outcome.attempt.attached).toHaveLength(3);
      expect(outcome.verdict).toMatchObject({ breach: undefined, unfinished: undefined });
      // Eight ways to enter or miss three programs, and those of the image with programs patched out: all fexit
      // programs at once after the original, or each of the three.
      expect(outcome.verdict!.paths).toBe(kernel === '7.2' ? 8n + 3n * 4n : 8n + 2n);
    },
  );
});

describe('an image that does not end is given up within its budget', () => {
  test.each([
    ['a jump to itself', 'ebfe'],
    [
      'a return to itself, which is checked each time: lea -7(%rip),%rax; push %rax; ret',
      '488d05f9ffffff 50 c3',
    ],
  ])('%s', (_, code) => {
    expect(breachWith(code.replaceAll(' ', ''), [imageReturnsWithoutAFault])).toBe(
      'trampoline/image-returns-without-a-fault: it loops forever',
    );
  });
});
