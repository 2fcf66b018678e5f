import { RAX, RBX, RDI } from '../../x86/register.ts';
import { fromNumber } from '../../x86/word.ts';
import { imageFlags } from '../flags.ts';
import { keepsReturn, layOutFrame, returnPlace } from '../frame.ts';
import { plain, withBytes, withMemory, withReg, withSymbol } from '../item.ts';
import { programLists } from '../program.ts';
import { kernelSlots } from '../signature.ts';
import { copyStackArguments, restoreArguments, saveArguments } from './arguments.ts';
import type { ImagePlan, Planner, PlanParts, PlanRequest } from './planner.ts';
import { call, storeConstant, storeReturn } from './planner.ts';
import { entryPrograms, exitPrograms, modifyReturnPrograms } from './programs.ts';
import { EPILOGUE, IMAGE_STRUCT, ORIGINAL, TRACED, TRAMP_ENTER, TRAMP_EXIT } from './symbols.ts';

/** The plan of an image. */
export function planImage(request: PlanRequest): ImagePlan {
  return planItems(planParts(request));
}

export function planParts(request: PlanRequest): PlanParts {
  const lists = programLists(request.programs);
  const flags = imageFlags(request);
  const slots = kernelSlots(request.signature);
  return { request, flags, slots, lists, frame: layOutFrame(request.profile, slots, flags, lists) };
}

/** The items of an image in the order of arch_prepare_bpf_trampoline(), arch/x86/net/bpf_jit_comp.c. */
export function planItems(parts: PlanParts): ImagePlan {
  const { request, flags, slots, lists, frame } = parts;
  const p: Planner = { request, flags, slots, lists, frame, items: [] };
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

/**
 * The prologue. Words above the new `rbp` are the caller's and the call site's; the frame below is drawn in `frame.ts`.
 *
 * ```text
 *   endbr64                      a kernel with IBT, where the image is entered indirectly (6.1; INDIRECT)
 *   sarq $5,%gs:call_depth       call-depth tracking: the image has been called by a call site
 *   push %rbp; mov %rsp,%rbp
 *   sub $bytes,%rsp
 *   push %rax                    TAIL_CALL_CTX: the tail-call counter, or the pointer to it
 *   push %rbx                    6.1; later `mov %rbx,rbxAt(%rbp)`: rbx carries the start time from enter to exit
 * ```
 */
function openFrame({ request, flags, frame, items }: Planner): void {
  const indirect = flags.INDIRECT === true;
  if ((request.profile.endbrInImage || indirect) && request.ibt) items.push(plain('endbr', 0, 'endbr'));
  if (request.mitigations.callDepth && !indirect) items.push(plain('account for call', 0, 'account'));
  items.push(plain('open frame', 0, 'open'));
  items.push(withBytes('open frame', 0, 'lower', frame.bytes));
  if (flags.TAIL_CALL_CTX) items.push(withReg('save tail-call counter', 0, 'push', RAX));
  if (frame.rbxAt === undefined) items.push(withReg('save rbx', 0, 'push', RBX));
  else items.push(withMemory('save rbx', 0, 'store', RBX, frame.rbxAt));
}

/**
 * What helpers find below ctx: `ctx[−1]`, the number of argument words (bpf_get_func_arg_cnt()), and `ctx[−2]`, the
 * address of the function (bpf_get_func_ip()), when a program asks for it.
 */
function storeMeta(p: Planner): void {
  const { frame, items } = p;
  storeConstant(p, 'store argument count', 0, frame.metaAt, fromNumber(frame.slots));
  if (frame.ipAt === undefined) return;
  loadTraced(p);
  items.push(withMemory('store function ip', 0, 'store', RAX, frame.ipAt));
}

/** Which function it is, is known; or the return address says it, which points after the call site that led here. */
function loadTraced({ request: { returnOffset }, items }: Planner): void {
  if (returnOffset === undefined) items.push(withSymbol('store function ip', 0, 'address', TRACED));
  else {
    items.push(withMemory('store function ip', 0, 'load', RAX, 8));
    items.push(withMemory('store function ip', 0, 'subtract', RAX, returnOffset));
  }
}

/**
 * `__bpf_tramp_enter(im)` takes a reference on the image, because the original may sleep for any time. An image that
 * does not call the original takes none: a grace period of RCU-tasks (for sleepable programs, RCU-tasks-trace) tells
 * when all tasks have left it. Generation A takes none at all.
 */
function enterImage(p: Planner): void {
  if (!isPinned(p)) return;
  p.items.push(withSymbol('enter image', 0, 'address', IMAGE_STRUCT, RDI));
  call(p, 'enter image', 0, TRAMP_ENTER);
}

function isPinned({ flags, request }: Planner): boolean {
  return flags.CALL_ORIG && request.profile.imageLifecycle !== 'A';
}

/**
 * The original, after its call site, with the registers and stack that the caller gave. With ORIG_STACK (a live patch
 * shares the function) the address is read from the return address at `8(%rbp)`, which the patch has redirected. The
 * nop after the call is `ip_after_call` of generation B: when the image is retired it becomes a jump past all fexit
 * programs.
 */
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
  storeReturn(p, 'store original return', 0);
  if (request.profile.imageLifecycle === 'B') items.push(plain('after-call nop', 0, 'nop5'));
}

/**
 * `ip_epilogue` and the end of the entry part: the reference is dropped (`__bpf_tramp_exit(im)`), and `rax` is what
 * the caller shall get: the original's return value, or that of the program which took its place.
 */
function leaveImage(p: Planner): void {
  const { flags, frame, items } = p;
  items.push(withSymbol('leave image', 0, 'label', EPILOGUE));
  if (isPinned(p)) {
    items.push(withSymbol('leave image', 0, 'address', IMAGE_STRUCT, RDI));
    call(p, 'leave image', 0, TRAMP_EXIT);
  }
  if (keepsReturn(flags)) {
    items.push(withMemory('load return', 0, 'load', RAX, returnPlace(frame)));
  } else if (frame.tailCallAt !== undefined)
    items.push(withMemory('load tail-call counter', 0, 'load', RAX, frame.tailCallAt));
}

/**
 * The end. With SKIP_FRAME the return into the traced function is dropped from the stack, so that the image returns to
 * the function's caller. Where returns are mitigated, `jmp <thunk>` instead of `ret; int3` (emit_return()).
 */
function closeFrame({ flags, frame, request, items }: Planner): void {
  if (frame.rbxAt === undefined) items.push(withReg('restore rbx', 0, 'pop', RBX));
  else items.push(withMemory('restore rbx', 0, 'load', RBX, frame.rbxAt));
  items.push(plain('close frame', 0, 'leave'));
  if (flags.SKIP_FRAME) items.push(withBytes('skip frame', 0, 'raise', 8));
  const thunk = request.mitigations.returnThunk;
  if (thunk === undefined) items.push(plain('return', 0, 'ret'));
  else items.push(withSymbol('return', 0, 'jump', thunk));
}
