import type { KernelObject } from '../core/kernel-object.ts';
import { programNumber } from '../core/object-name.ts';
import { useAfterFree } from '../core/oops.ts';
import { item } from '../core/present.ts';
import type { Word } from '../x86/word.ts';
import { displacement, fromHex, plus } from '../x86/word.ts';
import type { TextView } from './text.ts';

/**
 * The address space. State has names (`f2`, `tramp#1`, `ftrace_caller`); bytes need addresses. A symbol has the
 * same address in every state, except for what is allocated: that is on a page.
 */
const FUNCTIONS = fromHex('0xffffffff81100000');
const ENTRIES = fromHex('0xffffffff81000000');
const STUBS = fromHex('0xffffffff81080000');
const PROGRAMS = fromHex('0xffffffff81040000');
const PAGES = fromHex('0xffffffffc0200000');

/** Address of `dev->xdp_prog` of the first function; those of the others follow it. */
export const XDP_PROGS = fromHex('0xffffffff82c00000');

export const SPACE = { FUNCTIONS, ENTRIES, STUBS, PROGRAMS, PAGES } as const;

/** Bytes of a traced function with its body, of a piece of entry code, of a stub, of a page. */
export const FUNCTION_BYTES = 0x400;
/** The same without the padding before the next function. */
export const FUNCTION_CODE_BYTES = FUNCTION_BYTES - 16;
export const ENTRY_BYTES = 0x200;
export const STUB_BYTES = 0x10;
export const PAGE_BYTES = 0x1000;
/** The size of each image where two share a page. */
export const HALF_BYTES = PAGE_BYTES / 2;

/** The trampolines that clients of direct calls bring. */
export const CLIENT_TRAMPS = ['my_tramp1', 'my_tramp2', 'my_tramp3'] as const;

/** That of the `n`-th client, from 1: they take turns. */
export function clientTramp(n: number): string {
  return item(CLIENT_TRAMPS, (n - 1) % CLIENT_TRAMPS.length);
}

/** Assembly of the kernel and of clients, as machine code of the model. */
export const ENTRY_CODE = [
  'ftrace_caller',
  'ftrace_regs_caller',
  'return_to_handler',
  'arch_rethook_trampoline',
  ...CLIENT_TRAMPS,
  'replacement',
  'caller',
  '__x86_return_thunk',
  'bpf_dispatcher_xdp_call',
  'bpf_dispatcher_nop_func',
  '__x86_indirect_thunk_rdx',
  '__x86_indirect_jump_thunk_rdx',
] as const;

/** Functions in C. They are stubs: the model runs a handler when execution gets there. */
export const C_FUNCTIONS = [
  'ftrace_stub',
  'arch_ftrace_ops_list_func',
  'ftrace_ops_assist_func',
  'call_direct_funcs',
  'ftrace_callback',
  'ftrace_graph_func',
  'kprobe_ftrace_handler',
  'fprobe_handler',
  'fprobe_ftrace_entry',
  'fprobe_kprobe_handler',
  'ftrace_return_to_handler',
  'arch_rethook_trampoline_callback',
  '__bpf_tramp_enter',
  '__bpf_tramp_exit',
  '__bpf_prog_enter_recur',
  '__bpf_prog_exit_recur',
  '__bpf_prog_enter_sleepable_recur',
  '__bpf_prog_exit_sleepable_recur',
  'direct_hook',
  'body_hook',
  'replacement_hook',
  'panic',
  'do_task_dead',
  '__bpf_prog_enter',
  '__bpf_prog_exit',
  '__bpf_prog_enter_sleepable',
  '__bpf_prog_exit_sleepable',
  '__cgroup_bpf_run_lsm_current',
  'optimized_callback',
  '__rcu_read_lock',
  '__rcu_read_unlock',
] as const;

/** Stubs for functions in C that only a design of multi links has (`k.text.stubs`). */
export const SPARE_STUBS = 16;

/** Symbols that have the same address in every kernel. */
const FIXED_AT = new Map<string, Word>([
  ...ENTRY_CODE.map((name, i) => [name, plus(ENTRIES, i * ENTRY_BYTES)] as const),
  ...C_FUNCTIONS.map((name, i) => [name, plus(STUBS, i * STUB_BYTES)] as const),
]);

/** Names of what is allocated on pages: BPF images, code of a design, and ftrace's copies of its entry code. */
const ALLOCATED = /^(tramp|optprobe)#[0-9]+$|\.(trampoline|image)$/;

/** The object that a name like this had on a page, or in half of one; undefined: nothing that is ever freed. */
function whatLay(symbol: string): KernelObject | undefined {
  if (!ALLOCATED.test(symbol)) return undefined;
  return symbol.startsWith('tramp#') ? { is: 'image', name: symbol } : { is: 'code', of: symbol };
}

/** Address of a symbol. A symbol that was freed is a crash; an unknown one is an error of the model. */
export function addressOf(k: TextView, symbol: string): Word {
  const fixed = FIXED_AT.get(symbol);
  if (fixed !== undefined) return fixed;
  const page = k.text.pages[symbol];
  if (page !== undefined) return pageAddress(page.at);
  const half = k.text.halves[symbol];
  if (half !== undefined) return plus(addressOf(k, half.page), half.offset);
  const order = k.text.functions[symbol];
  if (order !== undefined) return functionAddress(order);
  const spare = k.text.stubs.indexOf(symbol);
  if (spare >= 0) return plus(STUBS, (C_FUNCTIONS.length + spare) * STUB_BYTES);
  const program = programNumber(symbol);
  if (program !== undefined) return plus(PROGRAMS, program * STUB_BYTES);
  const lay = whatLay(symbol);
  if (lay !== undefined) throw useAfterFree(lay);
  throw new Error(`nothing is called ${symbol}`);
}

/** The function in C with the stub of a number; undefined when there is none. */
export function cFunctionOfStub({ text }: TextView, stub: number): string | undefined {
  return C_FUNCTIONS[stub] ?? text.stubs[stub - C_FUNCTIONS.length];
}

/** The program whose code starts at an address. */
export function programStartingAt(address: Word): string | undefined {
  const by = displacement(address, PROGRAMS);
  if (by === undefined || by <= 0 || by % STUB_BYTES !== 0 || by >= STUBS.lo - PROGRAMS.lo) return undefined;
  return `prog#${by / STUB_BYTES}`;
}

export function functionAddress(order: number): Word {
  return plus(FUNCTIONS, order * FUNCTION_BYTES);
}

export function pageAddress(offset: number): Word {
  return plus(PAGES, offset * PAGE_BYTES);
}

/** Five bytes as text: a call (`e8`) or a jump (`e9`) from an address to another. */
export function branchBytes(opcode: 'e8' | 'e9', from: Word, to: Word): string {
  const by = displacement(to, plus(from, 5));
  if (by === undefined) throw new Error('a branch does not reach its target');
  return opcode + littleEndian(by);
}

/** The target of a call or a jump at an address. */
export function branchTarget(bytes: string, from: Word): Word {
  return plus(plus(from, 5), fromLittleEndian(bytes.slice(2, 10)));
}

/** Each byte as two digits. */
const HEX: readonly string[] = Array.from({ length: 0x100 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function littleEndian(value: number): string {
  return (
    item(HEX, value & 0xff) +
    item(HEX, (value >>> 8) & 0xff) +
    item(HEX, (value >>> 16) & 0xff) +
    item(HEX, value >>> 24)
  );
}

function fromLittleEndian(text: string): number {
  const [a = '', b = '', c = '', d = ''] = text.match(/../g) ?? [];
  return Number.parseInt(d + c + b + a, 16) | 0;
}
