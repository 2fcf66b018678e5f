import { describe, expect, test } from 'vitest';
import type { GuestFunction } from '../catalogue.ts';
import { CATALOGUE, GUEST_TRACEPOINTS } from '../catalogue.ts';
import { functionsInC } from './functions-in-c.ts';

const FILES = functionsInC(CATALOGUE, GUEST_TRACEPOINTS);

const guest = (symbol: string, signature: string, more: Partial<GuestFunction> = {}): GuestFunction => ({
  symbol,
  name: symbol,
  signature,
  listing: 'traced',
  nesting: 'none',
  home: 'recorder',
  ...more,
});

describe('the functions in C', () => {
  test('each hands its arguments over word by word, and returns the hash', () => {
    const { 'functions.c': text } = functionsInC([guest('f', 's8, ptr, u128, s16b -> s32')], []);
    expect(text).toContain(
      [
        'TRACED s32 f(s8 a1, void * a2, unsigned __int128 a3, struct bytes16 a4)',
        '{',
        '\tu64 value[] = { (u64)(s64)a1, (u64)a2, (u64)a3, (u64)(a3 >> 64), a4.word[0], a4.word[1] };',
        '\tu64 hash = recorder_body(0, value, 6);',
        '\tasm volatile("" ::: "memory");',
        '\treturn (s32)hash;',
        '}',
      ].join('\n'),
    );
  });

  test('those that call others call the recorder’s', () => {
    expect(FILES['functions.c']).toContain('hash += security_ac_f1(a1 + a2);');
    expect(FILES['functions.c']).toContain('hash += security_ac_rec(a1 - 1);');
  });

  test('the numbers of the second module follow those of the first', () => {
    const first = CATALOGUE.filter(({ home }) => home === 'recorder').length;
    expect(FILES['functions.h']).toContain(`#define FUNCTIONS ${first}\n`);
    expect(FILES['second.c']).toContain(`recorder_body(${first}, value`);
  });

  test('a hook of BPF LSM has a body that ftrace does not see, numbered last', () => {
    const number = CATALOGUE.findIndex(({ symbol }) => symbol === 'bpf_lsm_settime');
    expect(FILES['functions.c']).toContain(
      'static notrace noinline s32 body_of_bpf_lsm_settime(void * a1, void * a2)\n{\n' +
        `\tu64 value[] = { (u64)a1, (u64)a2 };\n\tu64 hash = recorder_body(${number}, value, 2);`,
    );
    expect(FILES['functions.c']).toContain('\t{ "bpf_lsm_settime", (void *)body_of_bpf_lsm_settime },');
  });

  test('every function has its symbol for itself, and its row for the driver', () => {
    expect(new Set(CATALOGUE.map(({ symbol }) => symbol)).size).toBe(CATALOGUE.length);
    expect(FILES['table.h']?.match(/^\t\{ "/gm)).toHaveLength(CATALOGUE.length);
    expect(FILES['table.h']).toContain('\t{ "ac_kfunc_f2", 2, 8, 1, 0 },');
    expect(FILES['table.h']).toContain('\t{ "security_ac_second_v3", 3, 0, 2, 1 },');
    expect(FILES['table.h']).toContain('\t{ "bpf_lsm_settime", 2, 4, 0, 2 },');
  });
});
