import type { FprobeId, FunctionName, GraphOpsId, OpsId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { Cpu } from '../text/cpu.ts';
import type { Word } from '../x86/word.ts';
import { toHex } from '../x86/word.ts';
import type { FtraceWorld } from './world.ts';

/** `FGRAPH_ARRAY_SIZE`: users of the function graph tracer at a time. */
export const FGRAPH_ARRAY_SIZE = 16;

/** Words at the top of a shadow stack, where each user has a variable. */
const TASK_VARIABLES = FGRAPH_ARRAY_SIZE;

/** A call that the function graph tracer follows: where it really returns to, and who wants to know. */
export interface RetStackFrame {
  /** Original return address, hexadecimal. */
  readonly ret: string;
  readonly func: string;
  /** Address of the word on the stack that was replaced. */
  readonly retp: string;
  /** Indices of the users that are told of the return; bit 0 also marks tail calls. */
  bitmap: number;
  /** Words of the shadow stack before this frame. */
  readonly below: number;
  /** What users reserved in their entry handler, by index. */
  readonly data: Record<number, Reserved>;
  /** Kretprobes that want the return as well (`kretprobe = ret_stack`). */
  kretprobes?: HookedKretprobes;
}

export interface HookedKretprobes {
  /** In the order in which they were entered. */
  readonly names: readonly string[];
  /** They were entered before the users of function graph. */
  readonly first: boolean;
}

export interface Reserved {
  readonly words: number;
  readonly value: readonly string[];
  /** What the entry handlers of fprobes left behind their headers. */
  readonly entryData?: Readonly<Record<FprobeId, string>>;
}

/** What kernel/trace/fgraph.c keeps, in both generations. */
export interface Fgraph {
  /** `ftrace_graph_active`. */
  active: number;
  /** `fgraph_array`: the user with each index; empty: nobody. */
  array: GraphOpsId[];
  /** Indices in the order in which they will be given out; `fgraph_lru_next` and `fgraph_lru_last` are its ends. */
  lru: number[];
  /** The user that is called directly while it is the only one; empty: none. */
  directGops: GraphOpsId;
  /** `fgraph_do_direct`: the static branch. */
  doDirect: boolean;
  /** Users that are registered, in order: the subops of `graph_ops`. */
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
  /** Told of entries and returns: a client, the fprobes, or somebody above ftrace, by `ENTRYFUNC` and `RETFUNC`. */
  readonly kind: 'client' | 'fprobe' | 'above';
  /** Its entry handler answers 0 for these functions: it does not want the return. */
  refuses: readonly string[];
  registered: boolean;
}

export interface FgraphWorld extends FtraceWorld {
  fgraph: Fgraph;
}

/** The same for those who only look. */
export type FgraphView = DeepReadonly<FgraphWorld>;

export function bootFgraph(): Fgraph {
  return {
    active: 0,
    array: Array.from({ length: FGRAPH_ARRAY_SIZE }, () => ''),
    lru: Array.from({ length: FGRAPH_ARRAY_SIZE }, (_, i) => i),
    directGops: '',
    doDirect: true,
    subops: [],
    gops: {},
    stopped: false,
    retStack: [],
    used: 0,
    overrun: 0,
  };
}

/** A user by name, to look at; one that nobody has mentioned yet is not registered. */
export function gopsOf(k: FgraphView, name: GraphOpsId): DeepReadonly<Gops> {
  return k.fgraph.gops[name] ?? UNMENTIONED;
}

/** The same to be changed: it comes into being when it is first mentioned. */
export function ensureGops(k: FgraphWorld, name: GraphOpsId): Gops {
  return (k.fgraph.gops[name] ??= { ...UNMENTIONED });
}

const UNMENTIONED: DeepReadonly<Gops> = { idx: -1, kind: 'client', refuses: [], registered: false };

/** The `ftrace_ops` that is embedded in a user's `fgraph_ops`: its filter says which functions it wants. */
export function subopsOf(gops: GraphOpsId): OpsId {
  return `${gops}.ops`;
}

/** Whether another call can be followed. */
export function hasFrameRoom(k: FgraphView): boolean {
  return k.fgraph.used + profileNamed(k.profile).fgraphFrameWords + 1 < shadowStackMax(k);
}

/** ftrace_push_return_trace(): a frame for a call, and the word that says who wants its return. */
export function pushReturn(k: FgraphWorld, cpu: Cpu, func: FunctionName, slot: Word): void {
  const { fgraph } = k;
  const ret = toHex(cpu.read(slot));
  fgraph.retStack.push({ ret, func, retp: toHex(slot), bitmap: 0, below: fgraph.used, data: {} });
  if (profileNamed(k.profile).fgraph === 'multi') fgraph.used += profileNamed(k.profile).fgraphFrameWords + 1;
}

/** Upcalls: the callbacks of a user that ftrace does not know, `gops->entryfunc` and `gops->retfunc`. */
export const ENTRYFUNC = 'gops->entryfunc';
export const RETFUNC = 'gops->retfunc';

/** `FGRAPH_MAX_DATA_SIZE` in words: what a user may keep of one call. */
export const FGRAPH_DATA_WORDS = 32;

/** fgraph_reserve_data(): room for so many words of a user's, and one more that says whose they are. */
export function fgraphReserveData(k: FgraphWorld, words: number): boolean {
  if (words > FGRAPH_DATA_WORDS || k.fgraph.used + words + 1 >= shadowStackMax(k)) return false;
  k.fgraph.used += words + 1;
  return true;
}

/** Words of the shadow stack that calls can use: `SHADOW_STACK_MAX_OFFSET`. */
export function shadowStackMax({ profile }: FgraphView): number {
  const { shadowStackWords, fgraphFrameWords } = profileNamed(profile);
  return shadowStackWords - (fgraphFrameWords + 1 + TASK_VARIABLES);
}
