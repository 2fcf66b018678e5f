import { describe, expect, test } from 'vitest';
import { parseFunctions } from './function-file.ts';

const BTF = {
  types: [
    { id: 1, kind: 'INT', name: 'int', size: 4, encoding: 'SIGNED' },
    { id: 2, kind: 'PTR', name: '(anon)', type_id: 1 },
    { id: 3, kind: 'TYPEDEF', name: 'size_t', type_id: 4 },
    { id: 4, kind: 'CONST', name: '(anon)', type_id: 5 },
    { id: 5, kind: 'INT', name: 'long unsigned int', size: 8, encoding: '(none)' },
    { id: 6, kind: 'STRUCT', name: 'pair', size: 16 },
    { id: 7, kind: 'UNION', name: 'either', size: 8 },
    { id: 8, kind: 'INT', name: '_Bool', size: 1, encoding: 'BOOL' },
    {
      id: 9,
      kind: 'FUNC_PROTO',
      name: '(anon)',
      ret_type_id: 1,
      params: [2, 3, 6, 8].map((type_id) => ({ type_id })),
    },
    { id: 10, kind: 'FUNC', name: 'vfs_read', type_id: 9 },
    { id: 11, kind: 'FUNC_PROTO', name: '(anon)', ret_type_id: 0, params: [{ type_id: 2 }, { type_id: 0 }] },
    { id: 12, kind: 'FUNC', name: '_printk', type_id: 11 },
    { id: 13, kind: 'FUNC_PROTO', name: '(anon)', ret_type_id: 0, params: [{ type_id: 7 }] },
    { id: 14, kind: 'FUNC', name: 'vfs_union', type_id: 13 },
    { id: 15, kind: 'FUNC_PROTO', name: '(anon)', ret_type_id: 0, params: [] },
    { id: 16, kind: 'FUNC', name: 'schedule', type_id: 15 },
  ],
};

describe('what bpftool prints', () => {
  test('types are resolved through typedefs and qualifiers', () => {
    expect(parseFunctions(JSON.stringify(BTF), 'a.json', undefined)).toEqual([
      { name: 'vfs_read', signature: 'ptr, u64, s16b, bool -> s32', why: undefined },
      { name: '_printk', signature: undefined, why: 'it takes variable arguments' },
      { name: 'vfs_union', signature: undefined, why: 'it takes a union' },
      { name: 'schedule', signature: ' -> void', why: undefined },
    ]);
  });

  test('names choose some', () => {
    const chosen = parseFunctions(JSON.stringify(BTF), 'a.json', 'vfs_r*, sched?le');
    expect(chosen.map(({ name }) => name)).toEqual(['vfs_read', 'schedule']);
  });
});

test('a list of ours', () => {
  const list = {
    functions: [
      { name: 'f', args: ['u64', 's16b'] },
      { name: 'g', args: [], ret: 'void', varargs: true },
    ],
  };
  expect(parseFunctions(JSON.stringify(list), 'a.json', undefined)).toEqual([
    { name: 'f', signature: 'u64, s16b -> u64', why: undefined },
    { name: 'g', signature: undefined, why: 'it takes variable arguments' },
  ]);
});

const good = { name: 'f', args: ['u64'] };

test.each<[unknown, string]>([
  [
    { functions: [good, good, good, { name: 'f', args: ['u64', 'u63'] }] },
    'a.json: functions[3].args[1]: "u63" is not a type',
  ],
  [{ functions: [{ name: 'f', args: ['u64', 5] }] }, 'a.json: field functions[0].args[1]: '],
  [{ functions: [{ name: 'f' }] }, 'a.json: field functions[0].args is missing'],
  [{ functions: [{ name: 'f', args: ['void'] }] }, 'a.json: functions[0].args[0] is void'],
  [{ functions: [{ ...good, ret: 'u7' }] }, 'a.json: functions[0].ret: "u7" is not a type'],
  [{ types: [{ id: 1, kind: 'INT' }] }, 'a.json: field types[0].name is missing'],
  [{ functions: [] }, 'a.json: it names no function'],
  [{}, 'a.json: field functions is missing'],
])('%j is refused with the place', (value, sentence) => {
  expect(() => parseFunctions(JSON.stringify(value), 'a.json', undefined)).toThrow(sentence);
});

test('what is no JSON, and names that fit nothing', () => {
  expect(() => parseFunctions('{', 'a.json', undefined)).toThrow('a.json: this is not JSON');
  expect(() => parseFunctions('[]', 'a.json', undefined)).toThrow('a.json: it is neither an object with ');
  expect(() => parseFunctions(JSON.stringify({ functions: [good] }), 'a.json', 'tcp_*')).toThrow(
    'a.json: --functions tcp_* fits none of them',
  );
  expect(() => parseFunctions(JSON.stringify(BTF), 'a.json', 'vfs_*, shedule')).toThrow(
    'a.json: --functions shedule fits none of them; did you mean schedule?',
  );
});
