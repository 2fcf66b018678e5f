import { describe, expect, test } from 'vitest';
import { functionList } from './function-file.ts';

function parse(text: string, path: string, globs: string | undefined, names?: string) {
  const list = names === undefined ? undefined : { path: 'names', text: names };
  return functionList({ path, text }, list, globs).functions;
}

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
    expect(parse(JSON.stringify(BTF), 'a.json', undefined)).toEqual([
      { name: 'vfs_read', signature: 'ptr, u64, s16b, bool -> s32', why: undefined },
      { name: '_printk', signature: undefined, why: 'it takes variable arguments' },
      { name: 'vfs_union', signature: undefined, why: 'it takes a union' },
      { name: 'schedule', signature: ' -> void', why: undefined },
    ]);
  });

  test('names choose some', () => {
    const chosen = parse(JSON.stringify(BTF), 'a.json', 'vfs_r*, sched?le');
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
  expect(parse(JSON.stringify(list), 'a.json', undefined)).toEqual([
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
  [{ functions: [] }, 'a.json: no function in this file'],
  [{}, 'a.json: field functions is missing'],
])('%j is refused with the place', (value, sentence) => {
  expect(() => parse(JSON.stringify(value), 'a.json', undefined)).toThrow(sentence);
});

test('what is no JSON, and names that fit nothing', () => {
  expect(() => parse('{', 'a.json', undefined)).toThrow('a.json: not JSON');
  expect(() => parse('[]', 'a.json', undefined)).toThrow('a.json: neither an object with ');
  expect(() => parse(JSON.stringify({ functions: [good] }), 'a.json', 'tcp_*')).toThrow(
    'a.json: --functions tcp_* matches no function',
  );
  expect(() => parse(JSON.stringify(BTF), 'a.json', 'vfs_*, shedule')).toThrow(
    'a.json: --functions shedule matches no function; did you mean schedule?',
  );
});

describe('a list of names', () => {
  const NAMES = [
    '# of my kernel',
    'vfs_read',
    'schedule',
    'nft_do_chain [nf_tables]',
    'vfs_read',
    '__ftrace_invalid_address___64',
    'ffffffff81000000 T _printk',
    'ffffffff81000010 d jiffies',
    'ffffffffc0000000 t nft_lookup\t[nf_tables]',
    'ffffffff81000020 vfs_write',
    'tcp_ack.isra.0',
    '',
  ].join('\n');

  test('is used as it is, without types', () => {
    const functions = parse(NAMES, 'names', undefined);
    expect(functions.map(({ name }) => name)).toEqual([
      'vfs_read',
      'schedule',
      'nft_do_chain',
      '_printk',
      'nft_lookup',
      'vfs_write',
      'tcp_ack.isra.0',
    ]);
    expect(functions.every(({ why }) => why === undefined)).toBe(true);
    expect(functionList({ path: 'names', text: NAMES }, undefined, undefined).isTyped).toBe(false);
    expect(parse(NAMES, 'names', 'vfs_*')).toHaveLength(2);
  });

  test('chooses from a kernel, whose types it has', () => {
    const why = Object.fromEntries(
      parse(JSON.stringify(BTF), 'a.json', undefined, NAMES).map(({ name, signature, why }) => [
        name,
        signature ?? why,
      ]),
    );
    expect(why).toEqual({
      vfs_read: 'ptr, u64, s16b, bool -> s32',
      schedule: ' -> void',
      nft_do_chain: 'it is in a module, and the types are those of vmlinux',
      _printk: 'it takes variable arguments',
      nft_lookup: 'it is in a module, and the types are those of vmlinux',
      vfs_write: 'it is missing from the types',
      'tcp_ack.isra.0': 'the compiler has changed it, and it has no type (.isra, .constprop, .part)',
    });
  });

  test.each([
    [
      'vfs_read\nvfs read\n',
      'names: line 2: "vfs read" is not a function (vfs_read, nft_do_chain [nf_tables])',
    ],
    ['# nothing\n', 'names: no function in this file'],
  ])('%j is refused', (text, sentence) => {
    expect(() => parse(text, 'names', undefined)).toThrow(sentence);
  });

  test('needs types where they are asked for', () => {
    expect(() => parse(NAMES, 'names', undefined, NAMES)).toThrow(
      'names: it has no types, which --names names needs',
    );
  });
});
