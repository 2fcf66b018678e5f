import type { Slot } from '../abi/x86-64.ts';
import { ARGUMENT_REGISTERS } from '../abi/x86-64.ts';
import type { Mitigations, Profile } from '../core/profile.ts';
import { R8, R9, RAX, RBX, RCX, RDI, RDX, RSI } from '../x86/register.ts';
import type { Word } from '../x86/word.ts';
import { fromNumber, ZERO } from '../x86/word.ts';
import type { Flags, StickyFlags } from './flags.ts';
import { chooseFlags } from './flags.ts';
import type { Frame } from './frame.ts';
import { layOutFrame } from './frame.ts';
import type { Item, Role } from './item.ts';
import { constant, move, plain, withBytes, withMemory, withReg, withSymbol } from './item.ts';
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

/** A plan: the frame and the symbolic instructions, before addresses are known. */
export interface Plan {
  readonly request: Request;
  readonly flags: Flags;
  /** Where the kernel's generator takes the argument words to be. */
  readonly slots: readonly Slot[];
  readonly lists: ProgramLists;
  readonly frame: Frame;
  readonly items: readonly Item[];
}

/** Symbols that every plan speaks of. */
export const TRACED = 'traced';
export const ORIGINAL = 'traced:body';
export const IMAGE = 'tramp#1';
export const IMAGE_STRUCT = '&tramp#1';
export const TRAMP_ENTER = '__bpf_tramp_enter';
export const TRAMP_EXIT = '__bpf_tramp_exit';

/** Labels of the exit part and of the epilogue. */
export const DO_FEXIT = 'do_fexit';
export const EPILOGUE = 'epilogue';

/** Bit of `ctx[−1]` that tells a session's exit half from its entry half (BPF_TRAMP_IS_RETURN_SHIFT). */
const IS_RETURN_HI = 0x80000000 | 0;
/** Position of the session-cookie index in `ctx[−1]` (BPF_TRAMP_COOKIE_INDEX_SHIFT). */
const COOKIE_INDEX_SHIFT = 8;

/** The argument registers by position. */
const ARGUMENT_REGS = [RDI, RSI, RDX, RCX, R8, R9];

/** The plan of an image. */
export function planImage(request: Request): Plan {
  return planItems(planParts(request));
}

/** Everything that is decided before the first instruction. */
export type PlanParts = Omit<Plan, 'items'>;

export function planParts(request: Request): PlanParts {
  const lists = programLists(request.programs);
  const flags = chooseFlags(request.profile, request.programs, request.sticky);
  const slots = kernelSlots(request.signature);
  return { request, flags, slots, lists, frame: layOutFrame(request.profile, slots, flags, lists) };
}

/** The items of an image in the order of arch_prepare_bpf_trampoline(), arch/x86/net/bpf_jit_comp.c. */
export function planItems(parts: PlanParts): Plan {
  const { flags } = parts;
  const p: Planner = { ...parts, items: [] };
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

/** A call, with the accounting that call-depth tracking asks for before it (emit_rsb_call()). */
function call(p: Planner, role: Role, index: number, symbol: string): void {
  const { mitigations, profile } = p.request;
  const accounted = mitigations.callDepth && !profile.unaccounted.includes(symbol);
  if (accounted) p.items.push(plain('account for call', index, 'account'));
  p.items.push(withSymbol(role, index, 'call', symbol));
}

function openFrame({ request, flags, frame, items }: Planner): void {
  if (request.profile.endbrInImage && request.ibt) items.push(plain('endbr', 0, 'endbr'));
  if (request.mitigations.callDepth) items.push(plain('account for call', 0, 'account'));
  items.push(plain('open frame', 0, 'open'));
  items.push(withBytes('open frame', 0, 'lower', frame.bytes));
  if (flags.TAIL_CALL_CTX) items.push(withReg('save tail-call counter', 0, 'push', RAX));
  if (frame.rbxAt === undefined) items.push(withReg('save rbx', 0, 'push', RBX));
  else items.push(withMemory('save rbx', 0, 'store', RBX, frame.rbxAt));
}

function storeConstant({ items }: Planner, role: Role, index: number, at: number, value: Word): void {
  items.push(constant(role, index, RAX, value));
  items.push(withMemory(role, index, 'store', RAX, at));
}

function storeMeta(p: Planner): void {
  const { frame, items } = p;
  storeConstant(p, 'store argument count', 0, frame.metaAt, fromNumber(frame.slots));
  if (frame.ipAt === undefined) return;
  items.push(withSymbol('store function ip', 0, 'address', TRACED));
  items.push(withMemory('store function ip', 0, 'store', RAX, frame.ipAt));
}

/** save_args(): words in registers directly, words on the stack through rax. */
function saveArguments(p: Planner): void {
  const { frame, items, slots } = p;
  for (let index = 0; index < slots.length; index++) {
    const { place } = slots[index]!;
    const onStack = place.in === 'stack';
    const reg = onStack ? RAX : ARGUMENT_REGS[place.index]!;
    if (onStack)
      items.push(withMemory('save argument', index, 'load', reg, frame.callerStackAt + 8 * place.index));
    items.push(withMemory('save argument', index, 'store', reg, frame.argsAt + 8 * index));
  }
  clearGarbage(p, frame.argsAt + 8 * (frame.slots - 1));
}

/**
 * clean_stack_garbage(): a compiler may store only four bytes of a single narrow stack argument, so the upper
 * half of its copy (the last word, at `at`) is cleared.
 */
function clearGarbage({ request, slots, frame, items }: Planner, at: number): void {
  if (request.profile.trampolineSlotsMax <= ARGUMENT_REGISTERS.length || frame.stackSlots !== 1) return;
  if (request.signature.args.at(-1)!.size > 4) return;
  items.push(withBytes('clear garbage', slots.length - 1, 'clear32', at + 4));
}

function enterImage(p: Planner): void {
  if (!p.flags.CALL_ORIG) return;
  p.items.push(withSymbol('enter image', 0, 'address', IMAGE_STRUCT, RDI));
  call(p, 'enter image', 0, TRAMP_ENTER);
}

function hasSession(p: Planner): boolean {
  return p.lists.fentry.some(({ kind }) => kind === 'fsession');
}

function entryPrograms(p: Planner): void {
  const { frame, lists } = p;
  if (hasSession(p)) {
    for (let i = 0; i < frame.sessionCookies; i++)
      storeConstant(p, 'clear session', i, frame.sessionCookiesAt + 8 * i, ZERO);
    storeConstant(p, 'clear session', 0, frame.returnAt!, ZERO);
  }
  runPrograms(p, lists.fentry, fromNumber(frame.slots));
}

/** invoke_bpf(): sessions that keep a cookie learn its place through `ctx[−1]`. */
function runPrograms(p: Planner, programs: readonly Program[], meta: Word): void {
  let cookieIndex = (p.frame.argsAt - p.frame.sessionCookiesAt) / 8;
  for (const program of programs) {
    if (program.sessionCookie) {
      const value = { hi: meta.hi, lo: meta.lo | (cookieIndex-- << COOKIE_INDEX_SHIFT) };
      storeConstant(p, 'store session state', program.id, p.frame.metaAt, value);
    }
    runProgram(p, program, false);
  }
}

/** invoke_bpf_prog(): enter, the program unless enter said no, exit in any case. */
function runProgram(p: Planner, program: Program, savesReturn: boolean): void {
  const { frame, items } = p;
  const { id } = program;
  const after = `after ${items.length}`;
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
  call(p, 'run program', id, programCode(program));
  if (savesReturn) items.push(withMemory('store program return', id, 'store', RAX, frame.returnAt!));
  items.push(withSymbol('skip program', id, 'label', after));
  items.push(withSymbol('exit program', id, 'address', programStruct(program), RDI));
  items.push(move('exit program', id, RSI, RBX));
  items.push(withMemory('exit program', id, 'lea', RDX, frame.runCtxAt));
  call(p, 'exit program', id, exitHelper(program));
}

/** invoke_bpf_mod_ret(): the first program that stores a value other than zero ends the entry part. */
function modifyReturnPrograms(p: Planner): void {
  const { frame, lists, items } = p;
  if (lists.fmodRet.length === 0) return;
  storeConstant(p, 'clear return', 0, frame.returnAt!, ZERO);
  for (const program of lists.fmodRet) {
    runProgram(p, program, true);
    items.push(withBytes('stop at modified return', program.id, 'compareZero', frame.returnAt!));
    items.push(withSymbol('stop at modified return', program.id, 'ifNonzero', DO_FEXIT));
  }
}

function callOriginal(p: Planner): void {
  const { flags, frame, request, items } = p;
  if (!flags.CALL_ORIG) return;
  restoreArguments(p);
  copyStackArguments(p);
  if (frame.tailCallAt !== undefined)
    items.push(withMemory('load tail-call counter', 0, 'load', RAX, frame.tailCallAt));
  if (flags.ORIG_STACK) {
    items.push(withMemory('call original', 0, 'load', RBX, 8));
    items.push(withReg('call original', 0, 'callRegister', RBX));
  } else call(p, 'call original', 0, ORIGINAL);
  items.push(withMemory('store original return', 0, 'store', RAX, frame.returnAt!));
  if (request.profile.imageLifecycle === 'B') items.push(plain('after-call nop', 0, 'nop5'));
}

/** restore_regs(): the register arguments from ctx. */
function restoreArguments({ slots, frame, items }: Planner): void {
  for (let index = 0; index < slots.length; index++) {
    const { place } = slots[index]!;
    if (place.in !== 'register') continue;
    const reg = ARGUMENT_REGS[place.index]!;
    items.push(withMemory('restore argument', index, 'load', reg, frame.argsAt + 8 * index));
  }
}

/** save_args(for_call_origin): the stack arguments from the caller's frame to where the original expects them. */
function copyStackArguments(p: Planner): void {
  const { frame, items, slots } = p;
  if (frame.stackArgsAt === undefined) return;
  for (let index = 0; index < slots.length; index++) {
    const { place } = slots[index]!;
    if (place.in !== 'stack') continue;
    items.push(withMemory('copy stack argument', index, 'load', RAX, frame.callerStackAt + 8 * place.index));
    items.push(withMemory('copy stack argument', index, 'store', RAX, frame.stackArgsAt + 8 * place.index));
  }
  clearGarbage(p, frame.stackArgsAt);
}

function exitPrograms(p: Planner): void {
  const { frame, lists, items } = p;
  if (lists.fmodRet.length > 0) {
    items.push(withBytes('begin exit part', 0, 'align', 16));
    items.push(withSymbol('begin exit part', 0, 'label', DO_FEXIT));
  }
  const meta = { hi: IS_RETURN_HI, lo: frame.slots };
  if (hasSession(p)) storeConstant(p, 'store session state', 0, frame.metaAt, meta);
  runPrograms(p, lists.fexit, meta);
}

function leaveImage(p: Planner): void {
  const { flags, frame, items } = p;
  items.push(withSymbol('leave image', 0, 'label', EPILOGUE));
  if (flags.CALL_ORIG) {
    items.push(withSymbol('leave image', 0, 'address', IMAGE_STRUCT, RDI));
    call(p, 'leave image', 0, TRAMP_EXIT);
    items.push(withMemory('load return', 0, 'load', RAX, frame.returnAt!));
  } else if (frame.tailCallAt !== undefined)
    items.push(withMemory('load tail-call counter', 0, 'load', RAX, frame.tailCallAt));
}

function closeFrame({ flags, frame, request, items }: Planner): void {
  if (frame.rbxAt === undefined) items.push(withReg('restore rbx', 0, 'pop', RBX));
  else items.push(withMemory('restore rbx', 0, 'load', RBX, frame.rbxAt));
  items.push(plain('close frame', 0, 'leave'));
  if (flags.SKIP_FRAME) items.push(withBytes('skip frame', 0, 'raise', 8));
  const thunk = request.mitigations.returnThunk;
  if (thunk === undefined) items.push(plain('return', 0, 'ret'));
  else items.push(withSymbol('return', 0, 'jump', thunk));
}
