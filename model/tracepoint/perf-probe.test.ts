import { expect, test } from 'vitest';
import { PROFILES } from '../core/profile.ts';
import { disassemble } from '../x86/listing.ts';
import { ZERO } from '../x86/word.ts';
import { assembleStub, executeGrabbing } from './execute-stub.ts';
import { emitGrabbedArguments, TRACE_CALL_BPF } from './perf-probe.ts';

const grabbed = (...sizes: number[]) =>
  assembleStub((a) =>
    emitGrabbedArguments(
      a,
      sizes.map((size) => ({ size, alignment: size })),
      PROFILES['6.12'],
    ),
  );

test('the arguments of xdp_exception become an array, if the event has programs', () => {
  const lines = disassemble(grabbed(8, 8, 4), ZERO, () => TRACE_CALL_BPF);
  expect(lines.map(({ text }) => text.replace(/ +/, ' '))).toEqual([
    'cmpq $0x0,0x68(%rdi)',
    'je trace_call_bpf',
    'push %rdi',
    'push %rsi',
    'push %rdx',
    'push %rcx',
    'sub $0x18,%rsp',
    'mov %rsi,(%rsp)',
    'mov %rdx,0x8(%rsp)',
    'mov %ecx,%eax',
    'mov %rax,0x10(%rsp)',
    'mov %rsp,%rsi',
    'call trace_call_bpf',
    'add $0x18,%rsp',
    'pop %rcx',
    'pop %rdx',
    'pop %rsi',
    'pop %rdi',
  ]);
});

test('instructions are counted to the call', () => {
  expect(executeGrabbing(grabbed(8, 8, 4), 3)).toMatchObject({ instructions: 13 });
});
