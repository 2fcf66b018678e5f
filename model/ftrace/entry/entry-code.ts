import { present } from '../../core/present.ts';
import { unreachable } from '../../core/unreachable.ts';
import { C_FUNCTIONS, ENTRY_BYTES, ENTRY_CODE, SPACE, STUB_BYTES } from '../../text/space.ts';
import { Assembler } from '../../x86/assemble.ts';
import type { Assembled } from '../../x86/assembled.ts';
import { RDX } from '../../x86/register.ts';
import type { Word } from '../../x86/word.ts';
import { plus } from '../../x86/word.ts';
import { emitCaller, emitRegsCaller, INNER_CALL } from './caller.ts';
import { CALL_RETURNS, emitCallSite, emitDirectTrampoline, emitReplacement } from './clients.ts';
import { emitFullReturnToHandler, emitRethookTrampoline, emitReturnToHandler } from './return-hooks.ts';

/*
 * Assembly of the kernel and of clients at fixed addresses, assembled once for each form. Only the inner call of
 * ftrace_caller and ftrace_regs_caller changes later; its bytes are part of the state, as those of the call sites
 * are.
 */

/** A piece of assembly at its fixed address. */
export type EntryName = (typeof ENTRY_CODE)[number];

/** Differences between kernels. */
export interface EntryForm {
  /** Code that is called through a pointer starts with `endbr64`. */
  readonly ibt: boolean;
  /** ftrace_regs_caller can jump to a direct trampoline. */
  readonly jmp: boolean;
  /** return_to_handler saves all registers. */
  readonly fullReturn: boolean;
}

/** A piece of entry code. Its inner call, if it has one, is a hole that is filled from the state. */
export function entryCode(name: EntryName, form: EntryForm): Uint8Array {
  return assemble(name, form).bytes;
}

/** Offset of ftrace's inner call from the start of ftrace_caller or ftrace_regs_caller. */
export function innerCallOffset(name: 'ftrace_caller' | 'ftrace_regs_caller'): number {
  return INNER_OFFSETS[name];
}

/** Start address of each piece of entry code. */
export function entryAddress(name: EntryName): Word {
  return plus(SPACE.ENTRIES, ENTRY_CODE.indexOf(name) * ENTRY_BYTES);
}

/** Address of a symbol that is the same in every state; undefined for others. */
export function fixedAddress(symbol: string): Word | undefined {
  const entry = ENTRY_CODE.indexOf(symbol as EntryName);
  if (entry >= 0) return plus(SPACE.ENTRIES, entry * ENTRY_BYTES);
  const stub = C_FUNCTIONS.indexOf(symbol as (typeof C_FUNCTIONS)[number]);
  return stub < 0 ? undefined : plus(SPACE.STUBS, stub * STUB_BYTES);
}

/** ENTRY_BYTES bounds each piece: the next one starts at a fixed distance. */
function assemble(name: EntryName, form: EntryForm): Assembled {
  const a = new Assembler(entryAddress(name), fixedAddress);
  emit(a, name, form);
  const assembled = a.finish();
  if (assembled.bytes.length > ENTRY_BYTES) throw new Error(`${name} is too long for its place`);
  return assembled;
}

function emit(a: Assembler, name: EntryName, { ibt, jmp, fullReturn }: EntryForm): void {
  switch (name) {
    case 'ftrace_caller':
      return emitCaller(a, noOps);
    case 'ftrace_regs_caller':
      return emitRegsCaller(a, jmp ? 'called or jumped to' : 'called', noOps);
    case 'return_to_handler':
      return fullReturn ? emitFullReturnToHandler(a) : emitReturnToHandler(a);
    case 'arch_rethook_trampoline':
      return emitRethookTrampoline(a);
    case 'my_tramp1':
      return emitDirectTrampoline(a, 1, ibt);
    case 'my_tramp2':
      return emitDirectTrampoline(a, 2, ibt);
    case 'my_tramp3':
      return emitDirectTrampoline(a, 3, ibt);
    case 'replacement':
      return emitReplacement(a);
    case 'caller':
      return emitCallSite(a);
    case '__x86_return_thunk':
      a.ret();
      return a.int3();
    case 'bpf_dispatcher_xdp_call':
      return a.jump('bpf_dispatcher_nop_func');
    case 'bpf_dispatcher_nop_func':
      return a.jump('__x86_indirect_thunk_rdx');
    case '__x86_indirect_thunk_rdx':
    case '__x86_indirect_jump_thunk_rdx':
      // Safe against speculation or not, it is the same jump: what a mitigation does no register shows.
      return a.bytes(JMP_RDX);
    default:
      return unreachable(name);
  }
}

/** The kernel loads `function_trace_op` here. Which ops that is, the model's C function reads from the state. */
function noOps(a: Assembler): void {
  a.zero(RDX);
}

/** `jmp *%rdx`, and the int3 after it. */
const JMP_RDX = [0xff, 0xe2, 0xcc];

/** The form does not move the inner call: it comes before everything that differs. */
const PLAIN: EntryForm = { ibt: false, jmp: false, fullReturn: false };

const INNER_OFFSETS = {
  ftrace_caller: offsetOf(INNER_CALL, 'ftrace_caller'),
  ftrace_regs_caller: offsetOf(INNER_CALL, 'ftrace_regs_caller'),
};

function offsetOf(label: string, name: EntryName): number {
  return present(assemble(name, PLAIN).labels.get(label), label);
}

/** The end of a run: the instruction after the caller's call. */
export const RUN_ENDS = plus(entryAddress('caller'), offsetOf(CALL_RETURNS, 'caller'));
