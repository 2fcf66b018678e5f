import type { FprobeId, FunctionName, GraphOpsId, OpsId, RethookId } from '../core/ids.ts';
import { Oops } from '../core/oops.ts';
import { last } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { Cpu } from '../text/cpu.ts';
import type { Word } from '../x86/word.ts';
import { toHex } from '../x86/word.ts';
import type { FtraceWorld } from './world.ts';

/*
 * Function graph: a call is followed to its return by replacing the return address on the task's stack with
 * return_to_handler and keeping the original one on the task's shadow stack (kernel/trace/fgraph.c).
 *
 * ```text
 *   task's stack                      shadow stack of the task (6.11 and later), words grow upward
 *   -------------------------         ------------------------------------------------------------
 *   ...                               fgraph_array[15] ... [0]  one variable for each user
 *   caller's frame                    ----- shadowStackMax() -----
 *   return address ----------+        ...                                           <- used
 *     is return_to_handler   |        type word of user 3    offset, size, index
 *   (traced function runs)   |        data words of user 3   fgraph_reserve_data()
 *                            |        bitmap                 bit i: user i wants the return
 *                            +------- ftrace_ret_stack       ret, func, retp       one frame
 *                                     frames of the outer calls
 *
 *   entry    push the frame -> ask each user -> none accepts: pop it; otherwise: hook the return address
 *   return   find the frame -> call retfunc of each bit -> pop it -> "return" to ret
 *   users    none --> one: called directly (fgraph_direct_gops) --> several: by bitmap and fgraph_array
 * ```
 *
 * 1. A handler of ftrace calls function_graph_enter_regs(), which pushes a frame and calls entryfunc of every user that is
 *    registered and traces the function; a user that refuses gets no bit.
 * 2. The return address is replaced only after all users have answered, and ftrace_return_to_handler() finds the
 *    innermost frame again, because calls of one task nest.
 * 3. Registration and unregistration run under `ftrace_lock`, but entries and returns take no lock: a frame holds
 *    indices, not pointers, and a slot of a user that has gone reads as the stub.
 * 4. Indices are handed out in the order in which they were released (LRU), so that a frame of a former user does
 *    not call the next one for as long as other indices are free.
 * 5. When the stack is full, the call is not followed and counted as an overrun: no user sees its entry or its
 *    return.
 *
 * Until 6.10 there is one user, whose handlers are global pointers, and an array of 50 frames for each task.
 */

/** Users at a time; `FGRAPH_INDEX_BITS` of the bitmap word limit it to 16. */
export const FGRAPH_ARRAY_SIZE = 16;

/** `SHADOW_STACK_TASK_VARS`: words at the top of a shadow stack, one for each user. */
const TASK_VARIABLES = FGRAPH_ARRAY_SIZE;

/** `struct ftrace_ret_stack` with the words that follow it on the shadow stack. */
export interface RetStackFrame {
  /** Original return address, hexadecimal. */
  readonly ret: string;
  readonly func: string;
  /** Address of the word on the stack that was replaced. */
  readonly retp: string;
  /**
   * Indices of the users that accepted. Bit 0 is set in every frame that is kept, because function_graph_enter()
   * recognises a tail call by it.
   */
  bitmap: number;
  /** Words in use before this frame was pushed: popping it restores `used`, data words included. */
  readonly below: number;
  /** What users reserved in their entry handler, by index. */
  readonly data: Record<number, Reserved>;
  /** Kretprobes that want the return as well (`kretprobe = ret_stack`, a proposal). */
  kretprobes?: HookedKretprobes;
}

export interface HookedKretprobes {
  /** By their pools, in the order in which they were entered. */
  readonly pools: readonly RethookId[];
  /** They were entered before the users of function graph, so their handlers run after those. */
  readonly first: boolean;
}

export interface Reserved {
  readonly words: number;
  readonly value: readonly string[];
  /** Words that the entry handlers of fprobes wrote after their headers. */
  readonly entryData?: Readonly<Record<FprobeId, string>>;
}

/**
 * The state of kernel/trace/fgraph.c in both generations; all but the shadow stack changes under `ftrace_lock`.
 */
export interface Fgraph {
  /** `ftrace_graph_active`: registered users. */
  active: number;
  /** sched_switch has ftrace_graph_probe_sched_switch(), as long as there is a user (6.11 and later). */
  switchProbe: boolean;
  /** ftrace_suspend_notifier is registered, as long as there is a user. */
  suspendNotifier: boolean;
  /** `fgraph_array`: the user with each index; empty: the stub, whose entry handler refuses. */
  array: GraphOpsId[];
  /**
   * Free indices in the order in which they are handed out; `fgraph_lru_next` and `fgraph_lru_last` are its ends.
   */
  lru: number[];
  /** The single user, called directly; empty: none. Until 6.10: the one that set `ftrace_graph_entry`. */
  directGops: GraphOpsId;
  /** `fgraph_func` and `fgraph_retfunc`, static calls: whose callbacks they call directly; empty: the stub's. */
  directEntryfunc: GraphOpsId;
  directRetfunc: GraphOpsId;
  /** `fgraph_do_direct`: the static branch. */
  doDirect: boolean;
  /** Registered users in order: the subops of `graph_ops`, which traces the union of their filters. */
  subops: OpsId[];
  /** `struct fgraph_ops` by name. */
  gops: Record<GraphOpsId, Gops>;
  /** ftrace_graph_stop(): the tracer found its stack damaged. */
  stopped: boolean;
  /** The task's shadow stack, the innermost call last. */
  retStack: RetStackFrame[];
  /** Words of it in use. */
  used: number;
  /** Calls that were not followed because the stack was full (`trace_overrun`). */
  overrun: number;
}

export interface Gops {
  idx: number;
  /** Whose callbacks run: a client, the fprobes, or a layer above ftrace (`ENTRYFUNC` and `RETFUNC`). */
  readonly kind: 'client' | 'fprobe' | 'above';
  /** Functions for which its entry handler answers 0: it does not want the return. */
  refuses: readonly string[];
  registered: boolean;
}

export interface FgraphWorld extends FtraceWorld {
  fgraph: Fgraph;
}

/** Read-only. */
export type FgraphView = DeepReadonly<FgraphWorld>;

export function bootFgraph(): Fgraph {
  return {
    active: 0,
    array: Array.from({ length: FGRAPH_ARRAY_SIZE }, () => ''),
    lru: Array.from({ length: FGRAPH_ARRAY_SIZE }, (_, i) => i),
    directGops: '',
    directEntryfunc: '',
    directRetfunc: '',
    doDirect: true,
    subops: [],
    gops: {},
    switchProbe: false,
    suspendNotifier: false,
    stopped: false,
    retStack: [],
    used: 0,
    overrun: 0,
  };
}

/** A user by name, read-only; a name that no call has used yet is not registered. */
export function gopsOf(k: FgraphView, name: GraphOpsId): DeepReadonly<Gops> {
  return k.fgraph.gops[name] ?? UNMENTIONED;
}

/** The same for writing: the user comes into being at its first mention. */
export function ensureGops(k: FgraphWorld, name: GraphOpsId): Gops {
  return (k.fgraph.gops[name] ??= { ...UNMENTIONED });
}

const UNMENTIONED: DeepReadonly<Gops> = { idx: -1, kind: 'client', refuses: [], registered: false };

/** The `ftrace_ops` that is embedded in a user's `fgraph_ops`: its filter says which functions it wants. */
export function subopsOf(gops: GraphOpsId): OpsId {
  return `${gops}.ops`;
}

/**
 * ftrace_push_return_trace() refuses a frame with EBUSY when it would not fit below the task variables; the frame
 * needs its own words and one for the bitmap.
 */
export function hasFrameRoom(k: FgraphView): boolean {
  return k.fgraph.used + profileNamed(k.profile).fgraphFrameWords + 1 < shadowStackMax(k);
}

/**
 * ftrace_push_return_trace(): a frame, and the word that holds the bitmap. Until 6.10 frames are counted against
 * `FTRACE_RETFUNC_DEPTH`, not words.
 */
export function pushReturn(k: FgraphWorld, cpu: Cpu, func: FunctionName, slot: Word): void {
  const { fgraph } = k;
  const ret = toHex(cpu.read(slot));
  fgraph.retStack.push({ ret, func, retp: toHex(slot), bitmap: 0, below: fgraph.used, data: {} });
  if (profileNamed(k.profile).fgraph === 'multi') grow(k, profileNamed(k.profile).fgraphFrameWords + 1);
}

/** Pops the innermost frame, and the data words that users reserved above it. */
export function popFrame({ fgraph }: FgraphWorld): void {
  fgraph.used = last(fgraph.retStack).below;
  fgraph.retStack.pop();
}

/** Upcalls: callbacks of a user that ftrace does not know, `gops->entryfunc` and `gops->retfunc`. */
export const ENTRYFUNC = 'gops->entryfunc';
export const RETFUNC = 'gops->retfunc';

/** `FGRAPH_MAX_DATA_SIZE` in words: what a user may keep for one call. */
export const FGRAPH_DATA_WORDS = 32;

/**
 * fgraph_reserve_data(): memory for a user's words, and one more word that names the user and the size, so that a
 * walk down the stack can skip it.
 */
export function fgraphReserveData(k: FgraphWorld, words: number): boolean {
  if (words > FGRAPH_DATA_WORDS || k.fgraph.used + words + 1 >= shadowStackMax(k)) return false;
  grow(k, words + 1);
  return true;
}

/** Words of the shadow stack are written. @throws Oops if they are not all below the task variables. */
function grow(k: FgraphWorld, words: number): void {
  k.fgraph.used += words;
  if (k.fgraph.used > profileNamed(k.profile).shadowStackWords - TASK_VARIABLES)
    throw new Oops({ is: 'shadow stack overflows' });
}

/** `SHADOW_STACK_MAX_OFFSET`: words that calls can use. The frame size differs: 5 words in 6.12, 3 in 7.2. */
export function shadowStackMax({ profile }: FgraphView): number {
  const { shadowStackWords, fgraphFrameWords } = profileNamed(profile);
  return shadowStackWords - (fgraphFrameWords + 1 + TASK_VARIABLES);
}
