import { RAX, RBX, RDI, RDX, RSI } from '../../x86/register.ts';
import type { Word } from '../../x86/word.ts';
import { fromNumber, ZERO } from '../../x86/word.ts';
import { returnPlace } from '../frame.ts';
import { constant, move, plain, withBytes, withMemory, withReg, withSymbol } from '../item.ts';
import type { BpfProgram } from '../program.ts';
import { enterHelper, exitHelper, programCode, programInsns, programStruct } from '../program.ts';
import type { Planner } from './planner.ts';
import { call, storeConstant, storeReturn } from './planner.ts';
import { DO_FEXIT } from './symbols.ts';

/** Bit of `ctx[−1]` that tells a session's exit half from its entry half (BPF_TRAMP_IS_RETURN_SHIFT). */
const IS_RETURN_HI = 0x80000000 | 0;

/** Position of the session-cookie index in `ctx[−1]` (BPF_TRAMP_COOKIE_INDEX_SHIFT). */
const COOKIE_INDEX_SHIFT = 8;

function hasSession(p: Planner): boolean {
  return p.lists.fentry.some(({ kind }) => kind === 'fsession');
}

/**
 * The fentry programs and the entry halves of sessions. Sessions find their cookies and the return value zeroed, since
 * no program has stored anything there yet.
 */
export function entryPrograms(p: Planner): void {
  const { flags, frame, lists } = p;
  if (hasSession(p)) {
    for (let i = 0; i < frame.sessionCookies; i++)
      storeConstant(p, 'clear session', i, frame.sessionCookiesAt + 8 * i, ZERO);
    storeConstant(p, 'clear session', 0, returnPlace(frame), ZERO);
  }
  runPrograms(p, lists.fentry, fromNumber(frame.slots), flags.RET_FENTRY_RET);
}

/**
 * invoke_bpf(). A session that keeps a cookie learns its place through `ctx[−1]`:
 *
 * ```text
 *   bit 63       this is the exit half              BPF_TRAMP_IS_RETURN_SHIFT
 *   bits 8–15    words from ctx down to the cookie  BPF_TRAMP_COOKIE_INDEX_SHIFT
 *   bits 0–7     number of argument words
 * ```
 */
function runPrograms(p: Planner, programs: readonly BpfProgram[], meta: Word, savesReturn = false): void {
  let cookieIndex = (p.frame.argsAt - p.frame.sessionCookiesAt) / 8;
  for (const program of programs) {
    if (program.sessionCookie) {
      const value = { hi: meta.hi, lo: meta.lo | (cookieIndex-- << COOKIE_INDEX_SHIFT) };
      storeConstant(p, 'store session state', program.id, p.frame.metaAt, value);
    }
    runProgram(p, program, savesReturn);
  }
}

/** Labels by their place in the plan, kept like the symbols of programs. */
const AFTER: string[] = [];

function labelAfter(place: number): string {
  return (AFTER[place] ??= `after ${place}`);
}

/**
 * invoke_bpf_prog(): enter, the program unless enter said no, exit in any case.
 *
 * ```text
 *   nopl 0(%rax,%rax)                generation C: becomes a jump to the end when this program is detached
 *   mov $cookie,%rdi;  mov %rdi,runCtxAt(%rbp)
 *   mov $prog,%rdi;    lea runCtxAt(%rbp),%rsi;  call __bpf_prog_enter*
 *   mov %rax,%rbx                    the start time; zero: missed, or recursion
 *   test %rax,%rax;    je after
 *   lea argsAt(%rbp),%rdi;           call prog          ctx; a shim also: mov $prog->insnsi,%rsi
 *   mov %rax,returnAt(%rbp)          fmod_ret, RET_FENTRY_RET
 * after:
 *   mov $prog,%rdi;    mov %rbx,%rsi;  lea runCtxAt(%rbp),%rdx;  call __bpf_prog_exit*
 * ```
 */
function runProgram(p: Planner, program: BpfProgram, savesReturn: boolean): void {
  const { frame, items } = p;
  const { id } = program;
  const after = labelAfter(items.length);
  if (p.request.profile.imageLifecycle === 'C') items.push(plain('skip nop', id, 'nop5'));
  items.push(constant('store cookie', id, RDI, program.cookie));
  items.push(withMemory('store cookie', id, 'store', RDI, frame.runCtxAt));
  items.push(withSymbol('enter program', id, 'address', programStruct(program), RDI));
  items.push(withMemory('enter program', id, 'lea', RSI, frame.runCtxAt));
  call(p, 'enter program', id, enterHelper(program));
  items.push(move('keep start', id, RBX, RAX));
  items.push(withReg('skip program', id, 'test', RAX));
  items.push(withSymbol('skip program', id, 'ifZero', after));
  items.push(withMemory('run program', id, 'lea', RDI, frame.argsAt));
  if (program.shim === true) items.push(withSymbol('run program', id, 'address', programInsns(program), RSI));
  call(p, 'run program', id, programCode(program));
  if (savesReturn) storeReturn(p, 'store program return', id);
  items.push(withSymbol('skip program', id, 'label', after));
  items.push(withSymbol('exit program', id, 'address', programStruct(program), RDI));
  items.push(move('exit program', id, RSI, RBX));
  items.push(withMemory('exit program', id, 'lea', RDX, frame.runCtxAt));
  call(p, 'exit program', id, exitHelper(program));
}

/**
 * invoke_bpf_mod_ret(): the return value starts as zero, and the first program that stores another value ends the
 * entry part; the original is then not called, and the exit part sees the program's value.
 */
export function modifyReturnPrograms(p: Planner): void {
  const { frame, lists, items } = p;
  if (lists.fmodRet.length === 0) return;
  items.push(constant('clear return', 0, RAX, ZERO));
  storeReturn(p, 'clear return', 0);
  for (const program of lists.fmodRet) {
    runProgram(p, program, true);
    items.push(withBytes('stop at modified return', program.id, 'compareZero', returnPlace(frame)));
    items.push(withSymbol('stop at modified return', program.id, 'ifNonzero', DO_FEXIT));
  }
}

/**
 * The fexit programs and the exit halves of sessions. A modified return arrives here from each fmod_ret program; the
 * label is aligned to 16 bytes with the nops that the profile knows.
 */
export function exitPrograms(p: Planner): void {
  const { frame, lists, items } = p;
  if (lists.fmodRet.length > 0) {
    items.push(withBytes('begin exit part', 0, 'align', 16));
    items.push(withSymbol('begin exit part', 0, 'label', DO_FEXIT));
  }
  const meta = { hi: IS_RETURN_HI, lo: frame.slots };
  if (hasSession(p)) storeConstant(p, 'store session state', 0, frame.metaAt, meta);
  runPrograms(p, lists.fexit, meta);
}
