import type { ListedFunction } from '../../checker/cost/function-list.ts';
import { InputError } from '../../model/core/input-error.ts';

/** A function as a kernel lists it. */
export interface ListedName {
  readonly name: string;
  /** The module that it is in; empty: it is built in. */
  readonly module: string;
}

/** An address, the kind of a symbol, a name, and a module: all but the name may be missing. */
const LINE = /^(?:[0-9a-f]{8,16}\s+(?:([A-Za-z])\s+)?)?([A-Za-z_.$][\w.$]*)(?:\s+\[([\w-]+)\])?$/;
/** Symbols of kallsyms that are code. */
const CODE = /^[tw]$/i;
/** The name that available_filter_functions prints for a function whose symbol is gone. */
const NAMELESS = /^__ftrace_invalid_address___/;

/** Whether a file is a list of names rather than JSON. */
export function isNameList(text: string): boolean {
  return !/^\s*[[{]/.test(text);
}

/**
 * The functions of a list, one per line: `vfs_read`, `nft_do_chain [nf_tables]`, as
 * available_filter_functions has them; with their addresses; or symbols of kallsyms, of which data symbols
 * are skipped. A duplicate name counts once.
 */
export function parseNames(text: string, file: string): ListedName[] {
  const names = new Map<string, ListedName>();
  text.split('\n').forEach((raw, i) => {
    const line = raw.replace(/#.*/, '').trim();
    if (line === '') return;
    const listed = namedIn(line, `${file}: line ${i + 1}`);
    if (listed !== undefined && !names.has(listed.name)) names.set(listed.name, listed);
  });
  if (names.size === 0) throw new InputError(`${file}: no function in this file`);
  return [...names.values()];
}

function namedIn(line: string, place: string): ListedName | undefined {
  const [, kind = 't', name = '', module = ''] = LINE.exec(line) ?? [];
  if (name === '')
    throw new InputError(
      `${place}: "${shortened(line)}" is not a function (vfs_read, nft_do_chain [nf_tables]), and the file is not JSON`,
    );
  return CODE.test(kind) && !NAMELESS.test(name) ? { name, module } : undefined;
}

const SHOWN = 32;

function shortened(line: string): string {
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN).replace(/ \S*$/, '')} …`;
}

/** Functions take one to four arguments, in turn, as those of `compare` do. */
const ARGUMENT_COUNTS = 4;

/** Functions of which only the name is known. */
export function withoutTypes(names: readonly ListedName[]): ListedFunction[] {
  return names.map(({ name }, i) => ({
    name,
    signature: `u64 x${1 + (i % ARGUMENT_COUNTS)} -> u64`,
    why: undefined,
  }));
}

/** The functions of a list with their types, which are those of the kernel without its modules. */
export function withTypes(names: readonly ListedName[], types: readonly ListedFunction[]): ListedFunction[] {
  const typed = new Map(types.map((listed) => [listed.name, listed]));
  return names.map(({ name, module }) => {
    const why = module === '' ? NO_TYPE : `it is in a module, and the types are those of vmlinux`;
    return (
      (module === '' ? typed.get(name) : undefined) ?? {
        name,
        signature: undefined,
        why: suffixed(name) ?? why,
      }
    );
  });
}

const NO_TYPE = 'it is missing from the types';

/** `foo.isra.0`: the compiler has changed the function, so its type no longer applies. */
function suffixed(name: string): string | undefined {
  return name.includes('.')
    ? 'the compiler has changed it, and it has no type (.isra, .constprop, .part)'
    : undefined;
}
