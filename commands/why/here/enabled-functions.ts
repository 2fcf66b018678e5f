import { InputError, locatedIn } from '../../../model/core/input-error.ts';

/*
 * The lines of tracefs' enabled_functions, as t_show(), kernel/trace/ftrace.c, prints them:
 *
 * ```text
 *   vfs_read (2) R I D   M ->arch_ftrace_ops_list_func+0x0/0x1d0     ops, flags, the function that an ops list is called by
 *   vfs_read (1) R   tramp: 0xffffffffc0230000 (klp_ftrace_handler+0x0/0x100) ->…      the handler of the only ops
 *           direct-->bpf_trampoline_6442502210+0x0/0xa4                          a line that begins with a tab continues
 * ```
 */

/** One function that ftrace has enabled. */
export interface EnabledFunction {
  readonly name: string;
  /** The module that it is in; empty: the kernel itself. */
  readonly module: string;
  /** Ops that trace it. */
  readonly ops: number;
  /** Of R(EGS), I(PMODIFY), D(IRECT), O (call ops) and M(ODIFIED), those that are set. */
  readonly flags: string;
  /** Handlers of ops that have a trampoline of their own, by symbol. Of several ops on one function there are none. */
  readonly handlers: readonly string[];
  /** The trampoline of its direct call: `bpf_trampoline_6442502210`, `my_tramp [my_module]`; undefined: none. */
  readonly direct: string | undefined;
  /** It is entered by a jump (`direct(jmp)-->`, 7.0 and later). */
  readonly isJump: boolean;
  /** Its whole line, in one. */
  readonly line: string;
}

const LINE = /^(\S+)(?: \[([^\]]+)\])? \((\d+)\)((?: [A-Z]| {2})*) *(.*)$/;
/** An address whose symbol is another function's: a weak one that was left out. It has no ops. */
const INVALID = /^__ftrace_invalid_address___\d+(?: \[[^\]]+\])?$/;
const HANDLER = /tramp: \S+ \(([^)+]+)[^)]*\)/g;
const DIRECT = /direct(\(jmp\))?-->([^\s+]+)\S*( \[[^\]]+\])?/;

/** Reads the file; an InputError names the line that is none of its. */
export function readEnabledFunctions(text: string): readonly EnabledFunction[] {
  return entriesOf(text).flatMap(({ line, number }) =>
    INVALID.test(line) ? [] : [locatedIn(line, number, () => readEntry(line))],
  );
}

/** Lines with those that continue them, and the number of the first. */
function entriesOf(text: string): readonly { readonly line: string; readonly number: number }[] {
  const entries: { line: string; number: number }[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    const latest = entries.at(-1);
    if (line.startsWith('\t') && latest !== undefined) latest.line += ` ${line.trim()}`;
    else if (line !== '') entries.push({ line, number: i + 1 });
  }
  return entries.map((read) => ({ ...read, line: read.line.replaceAll('\t', ' ') }));
}

function readEntry(line: string): EnabledFunction {
  const [, name, module = '', ops, flags = '', rest = ''] = LINE.exec(line) ?? [];
  if (name === undefined || ops === undefined)
    throw new InputError(`"${line}" is no line of enabled_functions`, line);
  const [, jump, trampoline, of = ''] = DIRECT.exec(rest) ?? [];
  return {
    name,
    module,
    ops: Number(ops),
    flags: flags.replaceAll(' ', ''),
    handlers: [...rest.matchAll(HANDLER)].map(([, symbol = '']) => symbol),
    direct: trampoline === undefined ? undefined : trampoline + of,
    isJump: jump !== undefined,
    line: line.replaceAll(/ +/g, ' '),
  };
}
