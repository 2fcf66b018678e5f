import { ARGUMENT_REGISTERS } from '../abi/x86-64.ts';
import type { Mitigations, Profile } from '../core/profile.ts';
import type { Word } from '../x86/word.ts';
import { fromNumber, ZERO } from '../x86/word.ts';
import type { Flags, StickyFlags } from './flags.ts';
import { chooseFlags } from './flags.ts';
import type { Frame } from './frame.ts';
import { layOutFrame } from './frame.ts';
import type { Program, ProgramLists } from './program.ts';
import { enterHelper, exitHelper, programCode, programLists, programStruct } from './program.ts';
import type { Signature } from './signature.ts';
import { kernelSlots } from './signature.ts';

/** What an image is built for. Plain data; `mitigations` and `ibt` are those of the running kernel. */
export interface Request {
  readonly profile: Profile;
  readonly mitigations: Mitigations;
  /** The traced function starts with `endbr64`. */
  readonly ibt: boolean;
  readonly signature: Signature;
  /** In order of attachment. */
  readonly programs: readonly Program[];
  readonly sticky: StickyFlags;
}

/** A register of an image, by name. */
export type RegName = (typeof ARGUMENT_REGISTERS)[number] | 'rax' | 'rbx' | 'rbp' | 'rsp';

/**
 * One symbolic instruction of an image. `role` says what it is for; `index` which argument word or program it
 * serves (0 when that has no meaning). A planted bug drops, moves or edits items.
 */
export type Item = { readonly role: Role; readonly index: number } & Action;

type Action =
  | { readonly op: 'endbr' | 'account' | 'leave' | 'ret' | 'nop5' | 'open' }
  | { readonly op: 'push' | 'pop' | 'callRegister' | 'test'; readonly reg: RegName }
  | { readonly op: 'move'; readonly reg: RegName; readonly from: RegName }
  | { readonly op: 'raise' | 'lower'; readonly bytes: number }
  | { readonly op: 'load' | 'store' | 'lea'; readonly reg: RegName; readonly at: number }
  | { readonly op: 'clear32' | 'compareZero'; readonly at: number }
  | { readonly op: 'constant'; readonly reg: RegName; readonly value: Word }
  | { readonly op: 'address'; readonly reg: RegName; readonly symbol: string }
  | { readonly op: 'call' | 'jump'; readonly symbol: string }
  | { readonly op: 'jumpIfZero' | 'jumpIfNonzero' | 'label'; readonly label: string }
  | { readonly op: 'align'; readonly bytes: number };

export type Role =
  | 'endbr'
  | 'account for call'
  | 'open frame'
  | 'save tail-call counter'
  | 'save rbx'
  | 'store argument count'
  | 'store function ip'
  | 'save argument'
  | 'clear garbage'
  | 'enter image'
  | 'clear session'
  | 'skip nop'
  | 'store cookie'
  | 'enter program'
  | 'keep start'
  | 'skip program'
  | 'run program'
  | 'store program return'
  | 'exit program'
  | 'clear return'
  | 'stop at modified return'
  | 'restore argument'
  | 'copy stack argument'
  | 'load tail-call counter'
  | 'call original'
  | 'store original return'
  | 'after-call nop'
  | 'begin exit part'
  | 'store session state'
  | 'leave image'
  | 'load return'
  | 'restore rbx'
  | 'close frame'
  | 'skip frame'
  | 'return';

/** A plan: the frame and the symbolic instructions, before addresses are known. */
export interface Plan {
  readonly request: Request;
  readonly flags: Flags;
  readonly frame: Frame;
  readonly lists: ProgramLists;
  readonly items: readonly Item[];
}

/** Symbols that every plan speaks of. */
export const TRACED = 'traced';
export const ORIGINAL = 'traced:body';
export const IMAGE = 'tramp#1';
export const IMAGE_STRUCT = '&tramp#1';
export const TRAMP_ENTER = '__bpf_tramp_enter';
export const TRAMP_EXIT = '__bpf_tramp_exit';

/** Label of the exit part and of the epilogue. */
export const DO_FEXIT = 'do_fexit';
export const EPILOGUE = 'epilogue';

/** Bit of `ctx[−1]` that tells a session's exit half from its entry half (BPF_TRAMP_IS_RETURN_SHIFT). */
const IS_RETURN: Word = { hi: 0x80000000 | 0, lo: 0 };
/** Position of the session-cookie index in `ctx[−1]` (BPF_TRAMP_COOKIE_INDEX_SHIFT). */
const COOKIE_INDEX_SHIFT = 8;

/** The items of an image in the order of arch_prepare_bpf_trampoline(), arch/x86/net/bpf_jit_comp.c. */
export function planImage(request: Request): Plan {
  const lists = programLists(request.programs);
  const flags = chooseFlags(request.profile, request.programs, request.sticky);
  const frame = layOutFrame(request.profile, request.signature, flags, lists);
  const p: Planner = { request, flags, frame, lists, items: [] };
  openFrame(p);
  storeMeta(p);
  saveArguments(p);
  enterImage(p);
  entryPrograms(p);
  modifyReturnPrograms(p);
  callOriginal(p);
  exitPrograms(p);
  if (flags.RESTORE_REGS) restoreArguments(p);
  leaveImage(p);
  closeFrame(p);
  return p;
}

interface Planner extends Plan {
  readonly items: Item[];
}

function add(p: Planner, role: Role, index: number, action: Action): void {
  p.items.push({ role, index, ...action });
}

/** A call, with the accounting that call-depth tracking asks for before it (emit_rsb_call()). */
function call(p: Planner, role: Role, index: number, symbol: string): void {
  if (p.request.mitigations.callDepth) add(p, 'account for call', index, { op: 'account' });
  add(p, role, index, { op: 'call', symbol });
}

function openFrame(p: Planner): void {
  const { request, flags, frame } = p;
  if (request.profile.endbrInImage && request.ibt) add(p, 'endbr', 0, { op: 'endbr' });
  if (request.mitigations.callDepth) add(p, 'account for call', 0, { op: 'account' });
  add(p, 'open frame', 0, { op: 'open' });
  add(p, 'open frame', 0, { op: 'lower', bytes: frame.bytes });
  if (flags.TAIL_CALL_CTX) add(p, 'save tail-call counter', 0, { op: 'push', reg: 'rax' });
  if (frame.rbxAt === undefined) add(p, 'save rbx', 0, { op: 'push', reg: 'rbx' });
  else add(p, 'save rbx', 0, { op: 'store', reg: 'rbx', at: frame.rbxAt });
}

function storeConstant(p: Planner, role: Role, index: number, at: number, value: Word): void {
  add(p, role, index, { op: 'constant', reg: 'rax', value });
  add(p, role, index, { op: 'store', reg: 'rax', at });
}

function storeMeta(p: Planner): void {
  const { frame } = p;
  storeConstant(p, 'store argument count', 0, frame.metaAt, fromNumber(frame.slots));
  if (frame.ipAt === undefined) return;
  add(p, 'store function ip', 0, { op: 'address', reg: 'rax', symbol: TRACED });
  add(p, 'store function ip', 0, { op: 'store', reg: 'rax', at: frame.ipAt });
}

/** save_args(): words in registers directly, words on the stack through rax. */
function saveArguments(p: Planner): void {
  const { frame } = p;
  kernelSlots(p.request.signature).forEach(({ place }, index) => {
    const at = frame.argsAt + 8 * index;
    const reg = place.in === 'register' ? ARGUMENT_REGISTERS[place.index]! : 'rax';
    if (place.in === 'stack') add(p, 'save argument', index, { op: 'load', reg, at: frame.callerStackAt + 8 * place.index });
    add(p, 'save argument', index, { op: 'store', reg, at });
  });
  clearGarbage(p, frame.argsAt + 8 * (frame.slots - 1));
}

/**
 * clean_stack_garbage(): a compiler may store only four bytes of a single narrow stack argument, so the upper
 * half of its copy (the last word, at `at`) is cleared.
 */
function clearGarbage(p: Planner, at: number): void {
  const { signature, profile } = p.request;
  const onStack = kernelSlots(signature).filter(({ place }) => place.in === 'stack');
  if (profile.trampolineSlotsMax <= ARGUMENT_REGISTERS.length || onStack.length !== 1) return;
  if (signature.args.at(-1)!.size <= 4) add(p, 'clear garbage', 0, { op: 'clear32', at: at + 4 });
}

function enterImage(p: Planner): void {
  if (!p.flags.CALL_ORIG) return;
  add(p, 'enter image', 0, { op: 'address', reg: 'rdi', symbol: IMAGE_STRUCT });
  call(p, 'enter image', 0, TRAMP_ENTER);
}

function isSession({ kind }: Program): boolean {
  return kind === 'fsession';
}

function entryPrograms(p: Planner): void {
  const { frame, lists } = p;
  if (lists.fentry.some(isSession)) {
    for (let i = 0; i < frame.sessionCookies; i++)
      storeConstant(p, 'clear session', i, frame.sessionCookiesAt + 8 * i, ZERO);
    storeConstant(p, 'clear session', 0, frame.returnAt!, ZERO);
  }
  runPrograms(p, lists.fentry, fromNumber(frame.slots), false);
}

/** invoke_bpf(): sessions that keep a cookie learn its place through `ctx[−1]`. */
function runPrograms(p: Planner, programs: readonly Program[], meta: Word, savesReturn: boolean): void {
  let cookieIndex = (p.frame.argsAt - p.frame.sessionCookiesAt) / 8;
  for (const program of programs) {
    if (program.sessionCookie) {
      const value = { hi: meta.hi, lo: meta.lo | (cookieIndex-- << COOKIE_INDEX_SHIFT) };
      storeConstant(p, 'store session state', program.id, p.frame.metaAt, value);
    }
    runProgram(p, program, savesReturn);
  }
}

/** invoke_bpf_prog(): enter, the program unless enter said no, exit in any case. */
function runProgram(p: Planner, program: Program, savesReturn: boolean): void {
  const { frame } = p;
  const { id } = program;
  const after = `after prog#${id} ${p.items.length}`;
  if (p.request.profile.imageLifecycle === 'C') add(p, 'skip nop', id, { op: 'nop5' });
  add(p, 'store cookie', id, { op: 'constant', reg: 'rdi', value: program.cookie });
  add(p, 'store cookie', id, { op: 'store', reg: 'rdi', at: frame.runCtxAt });
  add(p, 'enter program', id, { op: 'address', reg: 'rdi', symbol: programStruct(program) });
  add(p, 'enter program', id, { op: 'lea', reg: 'rsi', at: frame.runCtxAt });
  call(p, 'enter program', id, enterHelper(program));
  add(p, 'keep start', id, { op: 'move', reg: 'rbx', from: 'rax' });
  add(p, 'skip program', id, { op: 'test', reg: 'rax' });
  add(p, 'skip program', id, { op: 'jumpIfZero', label: after });
  add(p, 'run program', id, { op: 'lea', reg: 'rdi', at: frame.argsAt });
  call(p, 'run program', id, programCode(program));
  if (savesReturn) add(p, 'store program return', id, { op: 'store', reg: 'rax', at: frame.returnAt! });
  add(p, 'skip program', id, { op: 'label', label: after });
  add(p, 'exit program', id, { op: 'address', reg: 'rdi', symbol: programStruct(program) });
  add(p, 'exit program', id, { op: 'move', reg: 'rsi', from: 'rbx' });
  add(p, 'exit program', id, { op: 'lea', reg: 'rdx', at: frame.runCtxAt });
  call(p, 'exit program', id, exitHelper(program));
}

/** invoke_bpf_mod_ret(): the first program that stores a value other than zero ends the entry part. */
function modifyReturnPrograms(p: Planner): void {
  const { frame, lists } = p;
  if (lists.fmodRet.length === 0) return;
  storeConstant(p, 'clear return', 0, frame.returnAt!, ZERO);
  for (const program of lists.fmodRet) {
    runProgram(p, program, true);
    add(p, 'stop at modified return', program.id, { op: 'compareZero', at: frame.returnAt! });
    add(p, 'stop at modified return', program.id, { op: 'jumpIfNonzero', label: DO_FEXIT });
  }
}

function callOriginal(p: Planner): void {
  const { flags, frame, request } = p;
  if (!flags.CALL_ORIG) return;
  restoreArguments(p);
  copyStackArguments(p);
  if (frame.tailCallAt !== undefined) add(p, 'load tail-call counter', 0, { op: 'load', reg: 'rax', at: frame.tailCallAt });
  if (flags.ORIG_STACK) {
    add(p, 'call original', 0, { op: 'load', reg: 'rbx', at: 8 });
    add(p, 'call original', 0, { op: 'callRegister', reg: 'rbx' });
  } else call(p, 'call original', 0, ORIGINAL);
  add(p, 'store original return', 0, { op: 'store', reg: 'rax', at: frame.returnAt! });
  if (request.profile.imageLifecycle === 'B') add(p, 'after-call nop', 0, { op: 'nop5' });
}

/** restore_regs(): the register arguments from ctx. */
function restoreArguments(p: Planner): void {
  kernelSlots(p.request.signature).forEach(({ place }, index) => {
    if (place.in !== 'register') return;
    add(p, 'restore argument', index, {
      op: 'load',
      reg: ARGUMENT_REGISTERS[place.index]!,
      at: p.frame.argsAt + 8 * index,
    });
  });
}

/** save_args(for_call_origin): the stack arguments from the caller's frame to where the original expects them. */
function copyStackArguments(p: Planner): void {
  const { frame } = p;
  if (frame.stackArgsAt === undefined) return;
  kernelSlots(p.request.signature).forEach(({ place }, index) => {
    if (place.in !== 'stack') return;
    add(p, 'copy stack argument', index, { op: 'load', reg: 'rax', at: frame.callerStackAt + 8 * place.index });
    add(p, 'copy stack argument', index, { op: 'store', reg: 'rax', at: frame.stackArgsAt! + 8 * place.index });
  });
  clearGarbage(p, frame.stackArgsAt);
}

function exitPrograms(p: Planner): void {
  const { frame, lists } = p;
  if (lists.fmodRet.length > 0) {
    add(p, 'begin exit part', 0, { op: 'align', bytes: 16 });
    add(p, 'begin exit part', 0, { op: 'label', label: DO_FEXIT });
  }
  const meta = { hi: IS_RETURN.hi, lo: frame.slots };
  if (lists.fentry.some(isSession)) storeConstant(p, 'store session state', 0, frame.metaAt, meta);
  runPrograms(p, lists.fexit, meta, false);
}

function leaveImage(p: Planner): void {
  const { flags, frame } = p;
  add(p, 'leave image', 0, { op: 'label', label: EPILOGUE });
  if (flags.CALL_ORIG) {
    add(p, 'leave image', 0, { op: 'address', reg: 'rdi', symbol: IMAGE_STRUCT });
    call(p, 'leave image', 0, TRAMP_EXIT);
    add(p, 'load return', 0, { op: 'load', reg: 'rax', at: frame.returnAt! });
  } else if (frame.tailCallAt !== undefined)
    add(p, 'load tail-call counter', 0, { op: 'load', reg: 'rax', at: frame.tailCallAt });
}

function closeFrame(p: Planner): void {
  const { flags, frame, request } = p;
  if (frame.rbxAt === undefined) add(p, 'restore rbx', 0, { op: 'pop', reg: 'rbx' });
  else add(p, 'restore rbx', 0, { op: 'load', reg: 'rbx', at: frame.rbxAt });
  add(p, 'close frame', 0, { op: 'leave' });
  if (flags.SKIP_FRAME) add(p, 'skip frame', 0, { op: 'raise', bytes: 8 });
  const thunk = request.mitigations.returnThunk;
  if (thunk === undefined) add(p, 'return', 0, { op: 'ret' });
  else add(p, 'return', 0, { op: 'jump', symbol: thunk });
}
