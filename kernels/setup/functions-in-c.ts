import { item } from '../../model/core/present.ts';
import type { DeclaredTracepoint } from '../../model/tracepoint/boot.ts';
import type { Type } from '../../model/trampoline/signature.ts';
import { parseSignature } from '../../model/trampoline/signature.ts';
import type { Nesting } from '../../model/trampoline/traced-function.ts';
import type { GuestFunction, Home } from '../catalogue.ts';
import { guestTracepoint, tracepointsInC } from './tracepoints-in-c.ts';

/*
 * The recorder's functions as C: a prototype and a body each, and the tables by which the module and its driver number
 * them. Each hands its arguments to recorder_body(), word for word, and returns the hash that is returned.
 */

/** The files that a build adds to those of `kernels/guest/`. */
export function functionsInC(
  catalogue: readonly GuestFunction[],
  tracepoints: readonly DeclaredTracepoint[],
): Readonly<Record<string, string>> {
  const [first, second, hooks] = HOMES.map((home) => catalogue.filter((fn) => fn.home === home)) as [
    GuestFunction[],
    GuestFunction[],
    GuestFunction[],
  ];
  return {
    'functions.h': headerOf(first.length, second.length, hooks.length, tracepoints.length),
    'functions.c': [
      ...OPENING,
      ...definitions(first, 0),
      tableOf('recorder_functions', first),
      ...bodiesOfHooks(hooks, first.length + second.length),
      '',
    ].join('\n'),
    'second.c': [...OPENING, ...HOOKS, ...definitions(second, first.length), ...loading(second), ''].join(
      '\n',
    ),
    'table.h': driverTable(catalogue, tracepoints),
    ...tracepointsInC(tracepoints),
  };
}

const LICENCE = '/* SPDX-License-Identifier: GPL-2.0 */';
const OPENING = [
  LICENCE,
  '#include <linux/module.h>',
  '#include "functions.h"',
  '#define TRACED noinline __attribute__((noclone, used))',
  'static u64 sink;',
];

const HOOKS = [
  'static unsigned long hooks;',
  'module_param(hooks, ulong, 0400);',
  '#define recorder_body(...) ((const struct recorder_hooks *)hooks)->body(__VA_ARGS__)',
];

function headerOf(first: number, second: number, hooks: number, tracepoints: number): string {
  return [
    LICENCE,
    '#ifndef FUNCTIONS_H',
    '#define FUNCTIONS_H',
    '#include <linux/types.h>',
    `#define FUNCTIONS ${first}`,
    `#define SECOND_FUNCTIONS ${second}`,
    `#define HOOKS ${hooks}`,
    '#define ALL_FUNCTIONS (FUNCTIONS + SECOND_FUNCTIONS + HOOKS)',
    `#define TRACEPOINTS ${tracepoints}`,
    'struct module;',
    'struct bytes8 { u64 word[1]; };',
    'struct bytes16 { u64 word[2]; };',
    'struct bytes24 { u64 word[3]; };',
    'extern u64 recorder_body(s32 fn, const u64 *value, int count);',
    'extern void recorder_second(void *const *functions, struct module *module);',
    '/* The same for the second module, by their addresses. */',
    'struct recorder_hooks {',
    '\tu64 (*body)(s32 fn, const u64 *value, int count);',
    '\tvoid (*second)(void *const *functions, struct module *module);',
    '};',
    'extern void *const recorder_functions[];',
    '/* Of each hook of BPF LSM: its name, and the body that it is given. */',
    'struct recorder_hook {',
    '\tconst char *name;',
    '\tvoid *body;',
    '};',
    'extern const struct recorder_hook recorder_lsm[];',
    '#endif',
    '',
  ].join('\n');
}

/** What a type is called in C. */
function cType({ name, size, struct }: Type): string {
  if (struct) return `struct bytes${size}`;
  if (name === 'ptr') return 'void *';
  if (name === 'u128') return 'unsigned __int128';
  return name;
}

function prototype({ symbol, signature, home }: GuestFunction): string {
  const { args, ret } = parseSignature(signature);
  const list = args.map((type, i) => `${cType(type)} a${i + 1}`).join(', ');
  const [kind, name] =
    home === 'kernel' ? ['static notrace noinline', bodyNamed(symbol)] : ['TRACED', symbol];
  return `${kind} ${cType(ret)} ${name}(${list || 'void'})`;
}

function bodyNamed(symbol: string): string {
  return `body_of_${symbol}`;
}

/** Hooks are functions of the kernel, which have bodies of their own: these are jumped to from there. */
function bodiesOfHooks(hooks: readonly GuestFunction[], from: number): string[] {
  return [
    ...definitions(hooks, from),
    'const struct recorder_hook recorder_lsm[] = {',
    ...hooks.map(({ symbol }) => `\t{ "${symbol}", (void *)${bodyNamed(symbol)} },`),
    '};',
  ];
}

function definitions(functions: readonly GuestFunction[], from: number): string[] {
  const symbols = new Map(functions.filter(isPlain).map(({ name, symbol }) => [name, symbol]));
  return [
    ...functions.map((fn) => `${prototype(fn)};`),
    ...functions.map((fn, i) => `${prototype(fn)}\n{\n${bodyOf(fn, from + i, symbols)}\n}`),
  ];
}

function isPlain({ listing }: GuestFunction): boolean {
  return listing === 'traced';
}

function bodyOf(
  { signature, nesting }: GuestFunction,
  number: number,
  symbols: ReadonlyMap<string, string>,
): string {
  const { args, ret } = parseSignature(signature);
  const words = args.flatMap((type, i) => wordsOf(type, `a${i + 1}`));
  const called = (name: string, list: string) => `${symbols.get(name) ?? name}(${list})`;
  const calls: Readonly<Partial<Record<Nesting, string>>> = {
    ca: `\thash ^= ${called('cb', 'a1, a2')} ^ ${called('f2', 'a3, hash')};\n`,
    cb: `\thash += ${called('f1', 'a1 + a2')};\n`,
    rec: `\tif (a1 && a1 < 8)\n\t\thash += ${called('rec', 'a1 - 1')};\n`,
  };
  return (
    `\tu64 value[] = { ${words.join(', ') || '0'} };\n` +
    `\tu64 hash = recorder_body(${number}, value, ${words.length});\n` +
    `${calls[nesting] ?? ''}\tasm volatile("" ::: "memory");\n\t${returned(ret)}`
  );
}

/** An argument as words of eight bytes, extended as its type says. */
function wordsOf(type: Type, name: string): string[] {
  const words = Math.ceil(type.size / 8);
  if (type.struct) return Array.from({ length: words }, (_, i) => `${name}.word[${i}]`);
  if (words === 2) return [`(u64)${name}`, `(u64)(${name} >> 64)`];
  return [type.signed ? `(u64)(s64)${name}` : `(u64)${name}`];
}

function returned(type: Type): string {
  if (type.size === 0) return 'sink = hash;';
  if (type.name === 'bool') return 'return hash & 1;';
  if (type.name === 'ptr') return 'return (void *)hash;';
  if (type.size === 16 && !type.struct) return 'return ((unsigned __int128)~hash << 64) | hash;';
  return `return (${cType(type)})hash;`;
}

function tableOf(name: string, functions: readonly GuestFunction[]): string {
  return `void *const ${name}[] = {\n${functions.map(({ symbol }) => `\t(void *)${symbol},`).join('\n')}\n};`;
}

/** The second module says where it is; it stays the same until it is loaded again. */
function loading(functions: readonly GuestFunction[]): string[] {
  return [
    `static ${tableOf('functions', functions)}`,
    'static int __init second_init(void)',
    '{',
    '\tif (!hooks)',
    '\t\treturn -EINVAL;',
    '\t((const struct recorder_hooks *)hooks)->second(functions, THIS_MODULE);',
    '\treturn 0;',
    '}',
    'static void __exit second_exit(void) { }',
    'module_init(second_init);',
    'module_exit(second_exit);',
    'MODULE_LICENSE("GPL");',
    'MODULE_DESCRIPTION("Functions of a module that can be unloaded");',
  ];
}

/** The texts that have functions, as the driver numbers them. */
const HOMES: readonly Home[] = ['recorder', 'second module', 'kernel'];

/** For the driver: symbol, argument words, bytes of the return value, whether a set of fmod_ret has it, and its home. */
function driverTable(
  catalogue: readonly GuestFunction[],
  tracepoints: readonly DeclaredTracepoint[],
): string {
  const rows = catalogue.map((fn) => {
    const { args, ret } = parseSignature(fn.signature);
    const words = args.reduce((sum, { size }) => sum + Math.ceil(size / 8), 0);
    const list = { traced: 2, kfunc: 1 }[fn.listing as string] ?? 0;
    return `\t{ "${fn.symbol}", ${words}, ${ret.size}, ${list}, ${HOMES.indexOf(fn.home)} },`;
  });
  item(rows, 0);
  return [
    LICENCE,
    'static const struct function functions[] = {',
    ...rows,
    '};',
    'static const char *const tracepoints[] = {',
    ...tracepoints.map((tracepoint) => `\t"${guestTracepoint(tracepoint)}",`),
    '};',
    '',
  ].join('\n');
}
