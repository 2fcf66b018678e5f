import type { Action, ActionOf } from '../../model/client/all.ts';
import { globMatches } from '../../model/ftrace/glob.ts';
import type { Wording } from './numbers.ts';
import { NO_PLACE, numberOf, op, placeOf, trampOf } from './numbers.ts';

/** The line of each call of some kinds. */
export type Lines<D extends Action['do']> = {
  readonly [K in D]: (action: ActionOf<K>, wording: Wording) => string;
};

type OfFtrace =
  | 'ftrace_ops'
  | 'ftrace_set_filter_ip'
  | 'ftrace_set_notrace'
  | 'set_ftrace_filter'
  | 'set_ftrace_notrace'
  | 'ftrace_free_filter'
  | 'register_ftrace_function'
  | 'unregister_ftrace_function'
  | 'kernel.ftrace_enabled'
  | 'debug.kprobes-optimization';

export const FTRACE_LINES: Lines<OfFtrace> = {
  ftrace_ops: ({ ops, flags, direct }) => op('FTRACE_OPS', numberOf(ops), flags, direct),
  ftrace_set_filter_ip: ({ ops, ip, remove, reset }, wording) =>
    op('FILTER_IP', numberOf(ops), placeOf(ip, wording), remove, reset),
  ftrace_set_notrace: ({ ops, ip, reset }, wording) =>
    op('NOTRACE', numberOf(ops), placeOf(ip, wording), reset),
  set_ftrace_filter: filterWrite,
  set_ftrace_notrace: filterWrite,
  ftrace_free_filter: ({ ops }) => op('FREE_FILTER', numberOf(ops)),
  register_ftrace_function: ({ ops }) => op('REGISTER', numberOf(ops)),
  unregister_ftrace_function: ({ ops }) => op('UNREGISTER', numberOf(ops)),
  'kernel.ftrace_enabled': ({ value }) => `s 0 ${Number(value)}`,
  'debug.kprobes-optimization': ({ value }) => `s 1 ${Number(value)}`,
};

/** One write for each function that the pattern matches: the recorder has more functions than the history. */
function filterWrite(
  { do: file, glob, remove, truncate = false, ops }: ActionOf<'set_ftrace_filter' | 'set_ftrace_notrace'>,
  { functions, cast }: Wording,
): string {
  const matching = functions.filter(({ name }) => globMatches(glob, name));
  const places = matching.map(({ name }) => cast.get(name) ?? NO_PLACE);
  const named = glob === '' ? [] : places.length > 0 ? places : [NO_PLACE];
  const words = [
    ops === undefined ? NO_PLACE : numberOf(ops),
    file === 'set_ftrace_notrace',
    truncate,
    remove,
  ];
  return ['f', ...words.map(Number), ...named].join(' ');
}

type OfDirect =
  | 'register_ftrace_direct'
  | 'modify_ftrace_direct'
  | 'unregister_ftrace_direct'
  | 'register_ftrace_direct(ip)'
  | 'modify_ftrace_direct(ip)'
  | 'unregister_ftrace_direct(ip)'
  | 'update_ftrace_direct_add'
  | 'update_ftrace_direct_del'
  | 'update_ftrace_direct_mod';

export const DIRECT_LINES: Lines<OfDirect> = {
  register_ftrace_direct: ({ ops, addr }) => op('DIRECT', numberOf(ops), trampOf(addr)),
  modify_ftrace_direct: ({ ops, addr }) => op('DIRECT_MODIFY', numberOf(ops), trampOf(addr)),
  unregister_ftrace_direct: ({ ops, addr, freeFilters }) =>
    op('DIRECT_UNREGISTER', numberOf(ops), trampOf(addr), freeFilters),
  'register_ftrace_direct(ip)': ({ ip, addr }, wording) =>
    op('DIRECT_IP', placeOf(ip, wording), trampOf(addr)),
  'modify_ftrace_direct(ip)': ({ ip, oldAddr, newAddr }, wording) =>
    op('DIRECT_IP_MODIFY', placeOf(ip, wording), trampOf(oldAddr), trampOf(newAddr)),
  'unregister_ftrace_direct(ip)': ({ ip, addr }, wording) =>
    op('DIRECT_IP_UNREGISTER', placeOf(ip, wording), trampOf(addr)),
  update_ftrace_direct_add: ({ ops, hash }, wording) => table('TABLE_ADD', ops, hash, wording),
  update_ftrace_direct_del: ({ ops, hash }, wording) => table('TABLE_DEL', ops, hash, wording),
  update_ftrace_direct_mod: ({ ops, hash }, wording) => table('TABLE_MOD', ops, hash, wording),
};

function table(
  name: 'TABLE_ADD' | 'TABLE_DEL' | 'TABLE_MOD',
  ops: string,
  hash: ActionOf<'update_ftrace_direct_add'>['hash'],
  wording: Wording,
): string {
  const rows = Object.entries(hash).flatMap(([ip, addr]) => [placeOf(ip, wording), trampOf(addr)]);
  return op(name, numberOf(ops), ...rows);
}
