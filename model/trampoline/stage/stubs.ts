import { ARGUMENT_REGS } from '../../x86/argument-registers.ts';
import { Assembler } from '../../x86/assemble.ts';
import type { Assembled } from '../../x86/assembled.ts';
import type { Reg } from '../../x86/register.ts';
import { CALLER_SAVED, R8, R9, R10, R11, RAX, RCX, RDI, RDX, RSI, RSP } from '../../x86/register.ts';
import type { Word } from '../../x86/word.ts';
import { fromNumber, plus } from '../../x86/word.ts';
import { TRACED } from '../plan/symbols.ts';
import { EVENT, EVENT_WORDS, PROGRAM_ARGUMENTS, SESSION_COOKIE } from './event.ts';
import { CELL, DATA, PROGRAMS_MAX } from './layout.ts';

/** Most argument words, and most words of them on the stack, that a stub is made for. */
export const SLOTS_MAX = 12;
const STACK_WORDS_MAX = 16;

/**
 * The code around an image: what `__bpf_prog_enter()`, a program, the traced function's body … do as far as an image can tell, as real
 * instructions. Each writes what it was given to the log, answers from the cells, and destroys every register that a
 * callee may destroy.
 *
 * Programs exist once for each number of argument words (`prog#3/9`), bodies for each number of stack words.
 */
export function assembleStubs(base: Word, emitters: Emitters): Assembled {
  const a = new Assembler(base, () => undefined);
  emitCaller(a);
  emitTrampHelper(a, '__bpf_tramp_enter', EVENT.TRAMP_ENTER);
  emitTrampHelper(a, '__bpf_tramp_exit', EVENT.TRAMP_EXIT);
  FLAVOURS.forEach((flavour, number) => {
    emitters.enter(a, `__bpf_prog_enter${flavour}`, number);
    emitters.exit(a, `__bpf_prog_exit${flavour}`, number);
  });
  for (let slots = 0; slots <= SLOTS_MAX; slots++) emitPrograms(a, slots);
  for (let words = 0; words <= STACK_WORDS_MAX; words++) emitBody(a, words);
  emitReturnThunks(a);
  return a.finish();
}

/** The helpers whose inner order matters to a law: a planted bug can replace them. */
export interface Emitters {
  readonly enter: (a: Assembler, name: string, flavour: number) => void;
  readonly exit: (a: Assembler, name: string, flavour: number) => void;
}

/** How the names of the enter and exit helpers end: of tracing programs, and of those of BPF LSM. */
const FLAVOURS = ['_recur', '_sleepable_recur', '', '_sleepable'];

export function programStub(id: number, slots: number): string {
  return `prog#${id}/${slots}`;
}

export function bodyStub(stackWords: number): string {
  return `body/${stackWords}`;
}

/**
 * Where a search chooses what enter answers, and what a program returns: before the stub's event, so that
 * the log holds only finished ones.
 */
const ENTER_CHOICE = 'choose start';
export const ENTER_CHOICES: readonly string[] = FLAVOURS.map((_, number) => `${ENTER_CHOICE} ${number}`);
export const RETURN_CHOICE = 'choose return';
/** The return address in the caller. */
export const CALLER_RETURN = 'caller+0x5';

/**
 * The caller of the traced function; a run ends at its int3. Its own frame is empty: `prepare.ts` has laid
 * out the stack arguments at `rsp`.
 */
export function emitCaller(a: Assembler): void {
  a.label('caller');
  a.call(TRACED);
  a.label(CALLER_RETURN);
  a.int3();
}

/**
 * `r11` <- data, `r10` <- where to write; the event's header and the return address are written. All three
 * registers that this uses (rax too) are free at the entry of a C function without variable arguments.
 */
export function openEvent(a: Assembler, header: number | Reg): void {
  a.loadConstant(R11, DATA, false);
  a.load(R10, R11, CELL.LOG_NEXT);
  if (header === R9) a.store(R10, 0, R9);
  else a.storeImmediate(R10, 0, header);
  a.load(RAX, RSP, 0);
  a.store(R10, 8, RAX);
}

/** Advances the log by `words`, destroys the caller-saved registers but `kept`, returns. */
export function closeEvent(a: Assembler, words: number, kept: readonly Reg[]): void {
  a.lea(R10, R10, 8 * words);
  a.store(R11, CELL.LOG_NEXT, R10);
  for (const reg of CALLER_SAVED)
    if (!kept.includes(reg) && reg !== R11) a.load(reg, R11, CELL.CLOBBER + 8 * reg);
  a.load(R11, R11, CELL.CLOBBER + 8 * R11);
  a.ret();
}

/** Writes a register to the event that is open. */
export function note(a: Assembler, word: number, reg: Reg): void {
  a.store(R10, 8 * word, reg);
}

/** Copies a word of memory to the log through `rax`. */
export function noteMemory(a: Assembler, word: number, base: Reg, disp: number): void {
  a.load(RAX, base, disp);
  note(a, word, RAX);
}

/**
 * __bpf_tramp_enter() and __bpf_tramp_exit() of kernel/bpf/trampoline.c: they get the image's struct in
 * `rdi`, count its reference, and answer nothing; `rax` is destroyed as well.
 */
function emitTrampHelper(a: Assembler, name: string, kind: number): void {
  a.label(name);
  openEvent(a, kind);
  note(a, 2, RDI);
  closeEvent(a, EVENT_WORDS.TRAMP, []);
}

/**
 * __bpf_prog_enter_recur(prog, run_ctx): keeps the outer run context in `run_ctx->saved_run_ctx` (offset 8,
 * after the cookie's word), installs the new one as `current->bpf_ctx`, and answers from the program's
 * structure: 0 for "missed", else a start time.
 */
function emitEnter(a: Assembler, name: string, flavour: number): void {
  a.label(name);
  a.label(`${ENTER_CHOICE} ${flavour}`);
  openEvent(a, EVENT.ENTER | (flavour << 8));
  note(a, 2, RDI);
  note(a, 3, RSI);
  noteMemory(a, 4, RSI, 0);
  a.load(RAX, R11, CELL.TASK_CONTEXT);
  a.store(RSI, 8, RAX);
  a.store(R11, CELL.TASK_CONTEXT, RSI);
  a.load(RAX, RDI, 0);
  note(a, 5, RAX);
  closeEvent(a, EVENT_WORDS.ENTER, [RAX]);
}

/**
 * __bpf_prog_exit_recur(prog, start, run_ctx): puts the outer run context back. It runs after a missed
 * program too.
 */
function emitExit(a: Assembler, name: string, flavour: number): void {
  a.label(name);
  openEvent(a, EVENT.EXIT | (flavour << 8));
  note(a, 2, RDI);
  note(a, 3, RSI);
  note(a, 4, RDX);
  a.load(RAX, RDX, 8);
  a.store(R11, CELL.TASK_CONTEXT, RAX);
  closeEvent(a, EVENT_WORDS.EXIT, []);
}

export const EMITTERS: Emitters = { enter: emitEnter, exit: emitExit };

/**
 * The programs for functions of `slots` argument words: an entry for each number and the code that they
 * share. They get `ctx` in `rdi`:
 *
 * ```text
 *  rdi - 16   address of the traced function for bpf_get_func_ip(), if a program needs it
 *  rdi - 8    number of argument words (bpf_get_func_arg_cnt()); sessions use the other bytes
 *  rdi + 0    argument words, then the return value
 * ```
 */
function emitPrograms(a: Assembler, slots: number): void {
  for (let id = 0; id <= PROGRAMS_MAX; id++) {
    a.label(programStub(id, slots));
    a.loadConstant(R9, fromNumber(EVENT.PROGRAM | (id << 8)), false);
    a.loadConstant(R8, plus(DATA, CELL.PROGRAM_RETURN + 8 * id), false);
    a.jump(`program/${slots}`);
  }
  a.label(`program/${slots}`);
  a.label(`${RETURN_CHOICE} ${slots}`);
  openEvent(a, R9);
  note(a, 2, RDI);
  noteMemory(a, 3, RDI, -8);
  noteMemory(a, 4, RDI, -16);
  a.load(RAX, R11, CELL.TASK_CONTEXT);
  noteMemory(a, 5, RAX, 0);
  for (let word = 0; word <= slots; word++) noteMemory(a, PROGRAM_ARGUMENTS + word, RDI, 8 * word);
  emitSession(a, slots);
  a.load(RAX, R8, 0);
  note(a, 6, RAX);
  closeEvent(a, EVENT_WORDS.PROGRAM + slots, [RAX]);
}

/**
 * bpf_session_cookie(): the second byte of `ctx[−1]` says how many words below ctx the cookie stands. A session that
 * uses it notes its content and stores its own value there.
 */
function emitSession(a: Assembler, slots: number): void {
  const without = `no session/${slots}`;
  a.load(RCX, R8, CELL.SESSION - CELL.PROGRAM_RETURN);
  a.test(RCX);
  a.jumpIfZeroShort(without);
  a.load(R9, RDI, -8);
  a.rotateLeft(R9, 56);
  a.and(R9, 0x7f);
  a.rotateLeft(R9, 3);
  a.not(R9);
  a.add(R9, 1);
  a.addRegister(R9, RDI);
  noteMemory(a, SESSION_COOKIE, R9, 0);
  a.store(R9, 0, RCX);
  a.label(without);
}

/**
 * The traced function's body: records where it was called and with what, and returns rax and rdx. `rax` at
 * the entry is the tail-call counter of a BPF program as target.
 */
function emitBody(a: Assembler, stackWords: number): void {
  a.label(bodyStub(stackWords));
  a.loadConstant(R11, DATA, false);
  a.load(R10, R11, CELL.LOG_NEXT);
  a.storeImmediate(R10, 0, EVENT.ORIGINAL);
  note(a, 3, RAX);
  note(a, 2, RSP);
  ARGUMENT_REGS.forEach((reg, i) => {
    note(a, 4 + i, reg);
  });
  noteMemory(a, 1, RSP, 0);
  for (let word = 0; word < stackWords; word++) noteMemory(a, 10 + word, RSP, 8 + 8 * word);
  a.load(RAX, R11, CELL.RETURN);
  a.load(RDX, R11, CELL.RETURN_HIGH);
  closeEvent(a, EVENT_WORDS.ORIGINAL + stackWords, [RAX, RDX]);
}

/**
 * `x86_return_thunk` of arch/x86/kernel/cpu/bugs.c is one of these by the mitigation; to an image each is a
 * `ret`.
 */
function emitReturnThunks(a: Assembler): void {
  for (const name of [
    'its_return_thunk',
    'srso_return_thunk',
    'retbleed_return_thunk',
    'call_depth_return_thunk',
    '__x86_return_thunk',
  ]) {
    a.label(name);
    a.ret();
    a.int3();
  }
}
