import { expect, test } from 'vitest';
import {
  moduleFunction,
  noreturnFunction,
  targetProgram,
  tracedFunction,
} from '../../model/trampoline/traced-function.ts';
import { callOf } from '../../properties/observed/sample-call.ts';
import type { AttachTrace } from './attach-trace.ts';
import { parseAttachTrace, parseSequence, printAttachTrace } from './attach-trace.ts';

const F1 = tracedFunction('f1', 1, 'u64 -> u64');
const P2 = targetProgram('p2', 2, 'u64, u32 -> u64');

const TRACE: AttachTrace = {
  case: { profile: '6.12', functions: [F1, P2], actions: [callOf(P2, 0)] },
  law: 'ftrace/probes-fire-exactly-once',
  planted: undefined,
  known: undefined,
  found: 'by hand',
  answers: [''],
  report: '  replay     it',
};

test('a trace says which of its functions are BPF programs', () => {
  const text = printAttachTrace(TRACE);
  expect(text).toContain('f1 = function(u64 -> u64)\np2 = program(u64, u32 -> u64)\n');
  expect(parseAttachTrace(text)).toEqual(TRACE);
});

test('a trace says which of its functions are in a module, and names it as kallsyms does', () => {
  const f3 = moduleFunction('f3', 2, 'u64 -> u64', 'm1');
  const actions = [
    { do: 'delete_module', module: 'm1' },
    { do: 'init_module', module: 'm1' },
  ] as const;
  const trace = { ...TRACE, case: { ...TRACE.case, functions: [F1, f3], actions }, answers: ['0', '0'] };
  const text = printAttachTrace(trace);
  expect(text).toMatch(/\nf3 \[m1\] = function\(u64 -> u64\)\ndelete_module\(m1\) +=/);
  expect(parseAttachTrace(text)).toEqual(trace);
  expect(() =>
    parseAttachTrace(text.replace('= function(u64 -> u64)\nd', '= program(u64 -> u64)\nd')),
  ).toThrow('line 6: f3 is a BPF program, and not in m1');
});

test('a trace says which of its functions do not return', () => {
  const f3 = noreturnFunction(moduleFunction('f3', 2, 'u64 -> void', 'm1'));
  const trace = { ...TRACE, case: { ...TRACE.case, functions: [F1, f3], actions: [callOf(F1, 0)] } };
  const text = printAttachTrace(trace);
  expect(text).toContain('\nf3 [m1] = function(u64 -> void) noreturn\n');
  expect(parseAttachTrace(text)).toEqual(trace);
  expect(() => parseAttachTrace(text.replace('f3 [m1] = function', 'f3 = program'))).toThrow('line 6: ');
});

test('a program with a signature that BPF does not have is refused with its line', () => {
  const text = printAttachTrace(TRACE).replace('program(u64, u32 -> u64)', 'program(u64 x6 -> u64)');
  expect(() => parseAttachTrace(text)).toThrow('line 6: a BPF program is not declared as "u64 x6 -> u64"');
});

test('a name that every object of JavaScript has is refused with its place', () => {
  for (const name of ['__proto__', 'toString', 'constructor'])
    expect(() => parseAttachTrace(printAttachTrace(TRACE).replaceAll('f1', name))).toThrow(
      new RegExp(`^line \\d+, column \\d+: ${name} is a reserved name`),
    );
});

test('a program has ten thousand calls at most, and four thousand functions', () => {
  const functions = (count: number) =>
    Array.from({ length: count }, (_, i) => `f${i + 1} = function(u64 -> u64)\n`).join('');
  const calls = (count: number) => 'sysctl kernel.ftrace_enabled=0\n'.repeat(count);
  const read = (program: string) => parseSequence(`kernel   6.12\n\n${program}`);
  expect(read(functions(4000) + calls(10_000)).case.actions).toHaveLength(10_000);
  expect(() => read(functions(1) + calls(10_001))).toThrow(
    'line 10004, column 1: there are more than 10000 calls',
  );
  expect(() => read(functions(4001))).toThrow('line 4003, column 1: more than 4000 functions are declared');
});
