import { expect, test } from 'vitest';
import { accessesOf } from './accesses.ts';
import { decode } from './decode/decode.ts';
import { FIELD, FIELDS } from './instruction.ts';

test.each([
  ['48 8b 45 f8', 'mov rax, [rbp-8]', 1, 0],
  ['48 89 45 f8', 'mov [rbp-8], rax', 0, 1],
  ['48 89 c3', 'mov rbx, rax', 0, 0],
  ['48 8d 45 f8', 'lea rax, [rbp-8]', 0, 0],
  ['48 01 45 f8', 'add [rbp-8], rax', 1, 1],
  ['48 03 45 f8', 'add rax, [rbp-8]', 1, 0],
  ['48 39 45 f8', 'cmp [rbp-8], rax', 1, 0],
  ['48 83 45 f8 01', 'add qword [rbp-8], 1', 1, 1],
  ['48 ff 45 f8', 'inc qword [rbp-8]', 1, 1],
  ['48 0f b6 45 f8', 'movzx rax, byte [rbp-8]', 1, 0],
  ['53', 'push rbx', 0, 1],
  ['ff 75 f8', 'push qword [rbp-8]', 1, 1],
  ['5b', 'pop rbx', 1, 0],
  ['c9', 'leave', 1, 0],
  ['c3', 'ret', 1, 0],
  ['e8 00 00 00 00', 'call rel32', 0, 1],
  ['ff 55 f8', 'call [rbp-8]', 1, 1],
  ['ff 65 f8', 'jmp [rbp-8]', 1, 0],
  ['e9 00 00 00 00', 'jmp rel32', 0, 0],
  ['74 00', 'je', 0, 0],
  ['9c', 'pushfq', 0, 1],
  ['9d', 'popfq', 1, 0],
  ['0f 1f 44 00 00', 'nop dword [rax+rax]', 0, 0],
])('%s  %s reads %i, writes %i', (hex, _, reads, writes) => {
  const row = new Int32Array(FIELDS);
  const bytes = Uint8Array.from(hex.split(' '), (byte) => Number.parseInt(byte, 16));
  expect(decode(bytes, 0, row, 0, 0, 0x1000)).toBe(bytes.length);
  expect(accessesOf(row[FIELD.FAMILY]!, row[FIELD.FORM]!, row[FIELD.SUB]!)).toEqual({ reads, writes });
});
