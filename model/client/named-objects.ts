import { InputError } from '../core/input-error.ts';
import { isPattern } from '../ftrace/glob.ts';
import type { Action } from './all.ts';
import type { Spelling } from './spelling.ts';

/*
 * The names of an action have to exist: a function, a tracepoint and a module are declared, and an object is
 * called by its kind and a number.
 */

/**
 * Names that are never declared, for what is refused: of no function, of an address that is no call site, of no
 * tracepoint. A search draws them to reach the EINVAL and ENOENT of address checks.
 */
export const NO_FUNCTION = 'no_such_function';
export const NO_SITE = 'not_a_site';
export const NO_TRACEPOINT = 'no_such_tracepoint';

type KeyOf<A> = A extends unknown ? Exclude<keyof A, 'do'> : never;

/** The names in a field: of something that is declared, or a pattern of it, of objects of these kinds, or no names. */
type Naming = 'function' | 'pattern' | 'tracepoint' | 'module' | readonly string[] | 'nothing';

const CLIENTS_OPS = ['ops', 'direct'];

/**
 * For each field of any action. A field that is missing here does not compile, so a new call cannot forget to
 * say what its fields name. `fn` is checked where a call is parsed, and addresses where they are read
 * (`addressIn()`).
 */
const NAMING: Readonly<Record<KeyOf<Action>, Naming>> = {
  ip: 'function',
  ips: 'function',
  glob: 'pattern',
  fn: 'nothing',
  target: 'function',
  targets: 'function',
  offset: 'nothing',
  hash: 'function',
  tracepoint: 'tracepoint',
  module: 'module',
  btf: 'module',
  ops: CLIENTS_OPS,
  gops: ['gops'],
  kprobe: ['kprobe'],
  kretprobe: ['kretprobe'],
  kp: ['kprobe', 'kretprobe'],
  fprobe: ['fprobe'],
  link: ['link'],
  dev: 'function',
  event: ['perf'],
  on: 'nothing',
  object: [...CLIENTS_OPS, 'gops', 'kprobe', 'kretprobe', 'fprobe'],
  addr: 'nothing',
  oldAddr: 'nothing',
  newAddr: 'nothing',
  freeFilters: 'nothing',
  flags: 'nothing',
  direct: 'nothing',
  remove: 'nothing',
  reset: 'nothing',
  truncate: 'nothing',
  post: 'nothing',
  disabled: 'nothing',
  maxactive: 'nothing',
  entryHandler: 'nothing',
  vetoes: 'nothing',
  entry: 'nothing',
  exit: 'nothing',
  entryDataSize: 'nothing',
  shared: 'nothing',
  cleared: 'nothing',
  func: 'nothing',
  data: 'nothing',
  prio: 'nothing',
  prog: 'nothing',
  symbols: 'nothing',
  program: 'nothing',
  probe: 'nothing',
  returns: 'nothing',
  value: 'nothing',
  fault: 'nothing',
  registers: 'nothing',
  stack: 'nothing',
};

/** Throws an InputError when an action names something that is not declared, or an object by a name that none has. */
export function requireNames(action: Action, spelling: Spelling): void {
  for (const [field, value] of Object.entries(action)) {
    if (field === 'do') continue;
    const naming = NAMING[field as KeyOf<Action>];
    if (naming === 'nothing') continue;
    for (const name of namesIn(value)) if (!mayBeEmpty(field, name)) requireName(name, naming, spelling);
  }
}

function namesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value : Object.keys(value as object);
}

/** Programs of many functions are loaded for none; a file is truncated without a pattern. */
function mayBeEmpty(field: string, name: string): boolean {
  return (field === 'target' || field === 'glob') && name === '';
}

function requireName(name: string, naming: Exclude<Naming, 'nothing'>, spelling: Spelling): void {
  if (typeof naming !== 'string') return requireKind(name, naming);
  if (naming === 'pattern') return isPattern(name) ? undefined : requireName(name, 'function', spelling);
  if (naming === 'function' && [NO_FUNCTION, NO_SITE].includes(name)) return;
  if (naming === 'tracepoint' && name === NO_TRACEPOINT) return;
  const declared = declaredAs(naming, spelling);
  if (declared.includes(name)) return;
  if (name === '') throw new InputError(`a ${naming} is missing`);
  const there = declared.length === 0 ? 'none is' : `there are ${declared.join(', ')}`;
  throw new InputError(`${name} is not declared as a ${naming}; ${there}`, name);
}

function declaredAs(
  what: 'function' | 'tracepoint' | 'module',
  { functions, tracepoints = [] }: Spelling,
): readonly string[] {
  if (what === 'tracepoint') return tracepoints.map(({ name }) => name);
  if (what === 'function') return functions.map(({ name }) => name);
  return [...new Set(functions.map(({ module }) => module).filter((module) => module !== ''))];
}

/** `ops#1`; of a user of function graph the ops that holds its filter is named as well: `gops#1.ops`. */
function requireKind(name: string, kinds: readonly string[]): void {
  const [, kind = '', part] = /^([a-z]+)#[0-9]{1,3}(\.ops)?$/.exec(name) ?? [];
  const isFilter = part !== undefined && kind === 'gops' && kinds.includes('ops');
  if (isFilter || (part === undefined && kinds.includes(kind))) return;
  const names = kinds.map((own) => `${own}#1`).join(', ');
  throw new InputError(name === '' ? `${names} is missing` : `${name} is no name like ${names}`, name);
}
