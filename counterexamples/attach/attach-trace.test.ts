import { expect, test } from 'vitest';
import { targetProgram, tracedFunction } from '../../model/trampoline/traced-function.ts';
import { callOf } from '../../properties/attach/draw.ts';
import type { AttachTrace } from './attach-trace.ts';
import { parseAttachTrace, printAttachTrace } from './attach-trace.ts';

const P2 = targetProgram('p2', 2, 'u64, u32 -> u64');

const TRACE: AttachTrace = {
  case: { profile: '6.12', functions: [tracedFunction('f1', 1, 'u64 -> u64'), P2], actions: [callOf(P2, 0)] },
  law: 'ftrace/every-probe-fires-once',
  planted: undefined,
  found: 'by hand',
  answers: [''],
  report: 'no report',
};

test('a trace says which of its functions are BPF programs', () => {
  const text = printAttachTrace(TRACE);
  expect(text).toContain('f1 = function(u64 -> u64)\np2 = program(u64, u32 -> u64)\n');
  expect(parseAttachTrace(text)).toEqual(TRACE);
});

test('a program with a signature that BPF does not have is refused with its line', () => {
  const text = printAttachTrace(TRACE).replace('program(u64, u32 -> u64)', 'program(u64 x6 -> u64)');
  expect(() => parseAttachTrace(text)).toThrow('line 6: a BPF program is not declared as "u64 x6 -> u64"');
});
