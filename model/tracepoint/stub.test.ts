import { expect, test } from 'vitest';
import { disassemble, hexBytes } from '../x86/listing.ts';
import { ZERO } from '../x86/word.ts';
import { assembleStub, executeStub } from './execute-stub.ts';
import { failureText } from './failure-words.ts';
import { emitStub, planStub } from './stub.ts';

const sized = (...sizes: number[]) => sizes.map((size) => ({ size, alignment: size }));

function stubOf(...sizes: number[]): Uint8Array {
  return assembleStub((a) => emitStub(a, planStub(sized(...sizes)), false));
}

function listing(...sizes: number[]): string[] {
  return disassemble(stubOf(...sizes), ZERO, () => 'bpf_trace_run').map(({ text }) =>
    text.replace(/ +/, ' '),
  );
}

test('xdp_exception(ptr, ptr, u32) is a move and a jump', () => {
  expect(listing(8, 8, 4)).toEqual(['mov %ecx,%ecx', 'jmp bpf_trace_run']);
  expect(hexBytes(stubOf(8, 8, 4)).slice(0, 5)).toBe('89 c9');
});

test('words of eight bytes need nothing but the jump', () => {
  expect(listing(8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8)).toEqual(['jmp bpf_trace_run']);
});

test('narrow arguments on the stack are written back in their places', () => {
  expect(listing(8, 1, 2, 8, 8, 1, 2)).toEqual([
    'movzwl 0x10(%rsp),%eax',
    'movzwl %cx,%ecx',
    'movzbl %dl,%edx',
    'mov %rax,0x10(%rsp)',
    'movzbl 0x8(%rsp),%eax',
    'mov %rax,0x8(%rsp)',
    'jmp bpf_trace_run',
  ]);
});

test('an argument of three bytes, and a thirteenth argument, cannot be passed', () => {
  expect(() => planStub(sized(8, 3))).toThrow('argument 2 has 3 bytes');
  expect(() => planStub(sized(...Array.from({ length: 13 }, () => 8)))).toThrow('13 arguments');
});

test('instructions of the stub are counted, its jump included', () => {
  expect(executeStub(stubOf(8, 8, 4), 3)).toMatchObject({ instructions: 2 });
});

test('code that goes astray is reported by its place', () => {
  const stub = assembleStub((a) => a.ret());
  const run = executeStub(stub, 1);
  expect('is' in run && failureText(run)).toMatch(/^fetch of 1 byte at .*unmapped/);
});
