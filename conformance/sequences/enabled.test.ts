import { describe, expect, test } from 'vitest';
import { modelLine, recordedLine } from './enabled.ts';
import { isSamePlace, recordedEntry } from './entry.ts';
import { dreg, freg } from './ftrace-ops.ts';
import { Lab } from './lab.ts';
import { attach } from './programs.ts';

describe('a line of enabled_functions', () => {
  test.each([
    ['[lab] (1) tramp: 0xffffffffc0209000 (fcb+0x0/0x120 [lab]) ->fcb+0x0/0x120 [lab]', '1 ops, tramp'],
    ['[lab] (2) R ->arch_ftrace_ops_list_func+0x0/0x1d0', '2 ops, R'],
    ['[lab] (3) R I M ->arch_ftrace_ops_list_func+0x0/0x1d0', '3 ops, R I'],
    [
      '[lab] (1) R D tramp: ftrace_regs_caller+0x0/0x58 (call_direct_funcs+0x0/0x20) direct-->lab_tramp_b+0x0/0x40 [lab]',
      '1 ops, R D, tramp, direct trampoline b',
    ],
    [
      '[lab] (2) R D ->arch_ftrace_ops_list_func+0x0/0x1d0 direct(jmp)-->bpf_trampoline_6442+0x0/0xdc',
      '2 ops, R D, direct jmp a BPF trampoline',
    ],
    [
      '[lab] (1) tramp: 0xffffffffc0209000 (ftrace_graph_func+0x0/0x10) ->ftrace_graph_func+0x0/0x10 subops: {ent:gent+0x0/0x90 [lab] ret:gret+0x0/0x70 [lab]}',
      '1 ops, tramp',
    ],
    [undefined, 'not listed'],
  ])('%j', (line, text) => {
    expect(recordedLine(line)).toBe(text);
  });

  test('the model has the same words for its records', () => {
    const lab = new Lab('7.2');
    expect(modelLine(lab, 'f2')).toBe('not listed');
    expect(dreg(lab, 'f2', 0, 1).errno).toBe(0);
    expect(modelLine(lab, 'f2')).toBe('1 ops, R D, tramp, direct trampoline b');
    expect(freg(lab, 'f2', 1).errno).toBe(0);
    expect(modelLine(lab, 'f2')).toBe('2 ops, R D, direct trampoline b');
    expect(attach(lab, ['f6'], 0, { kind: 'fexit', flags: '' }).errno).toBe(0);
    expect(modelLine(lab, 'f6')).toBe('1 ops, R D, tramp, direct jmp a BPF trampoline');
  });
});

describe('an entry', () => {
  test.each([
    ['nop', 'nop'],
    ['ftrace_regs_caller+0x0/0x58', 'call ftrace_regs_caller'],
    ['ftrace_regs_caller+0x4/0x58', 'call ftrace_regs_caller+0x4'],
    ['lab_tramp_c+0x0/0x40 [lab]', 'call trampoline c'],
    ['bpf_trampoline_10737519080+0x0/0x1000', 'call a BPF trampoline'],
    ['0xffffffffc0215000', 'call an ops trampoline'],
    ['bpf_trampoline_10737531092+0x140/0x140', 'call a page without a name'],
  ])('%s is "%s"', (symbol, text) => {
    expect(recordedEntry(symbol, false)).toBe(text);
  });

  test('a page without a name is any trampoline, and nothing else', () => {
    const nameless = recordedEntry('bpf_trampoline_6442+0x140/0x140', true);
    expect(isSamePlace(nameless, 'jmp a BPF trampoline')).toBe(true);
    expect(isSamePlace(nameless, 'jmp an ops trampoline')).toBe(true);
    expect(isSamePlace(nameless, 'call a BPF trampoline')).toBe(false);
    expect(isSamePlace(nameless, 'jmp trampoline a')).toBe(false);
  });
});
