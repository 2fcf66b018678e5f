import type {
  FprobeId,
  FunctionName,
  Ip,
  KprobeId,
  KretprobeId,
  OptprobeId,
  ProgId,
  RethookId,
} from '../core/ids.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { FgraphWorld } from './fgraph.ts';

/** `struct kprobe`: a plain one, or the one embedded in a kretprobe. */
export interface Kprobe {
  readonly ip: Ip;
  /** It has a post_handler. */
  readonly post: boolean;
  /** The kretprobe that it belongs to; empty: a plain kprobe. */
  readonly retprobe: KretprobeId;
  /** kprobe_disabled(): by its client, on its way out, or gone. */
  disabled: boolean;
  /** `KPROBE_FLAG_GONE`: its module has been unloaded. */
  gone: boolean;
  /** Calls that it could not see. */
  nmissed: number;
  /** The perf event whose handler it has (`event-handlers.ts`). */
  readonly event?: string;
  /** It could not be disarmed: its client takes it for unregistered, and writes to it for the next registration. */
  readonly stays?: true;
}

/** The entry of `kprobe_table` for one address: a probe, or an aggregate (`aggr_kprobe`) of several. */
export interface KprobeSite {
  /** Probes, the newest first. */
  probes: KprobeId[];
  aggregate: boolean;
  /** The post_handler by which arming and disarming choose their ops. */
  post: boolean;
  disabled: boolean;
  /** Probes that are still listed and whose memory their client has cleared: a walk crashes after one. */
  damaged: readonly KprobeId[];
  /**
   * At an instruction of a body: the instructions from there that a jump of five bytes would replace, as hexadecimal text
   * each; only the first byte of its own where none can.
   */
  readonly code?: readonly string[];
  /** The `struct optimized_kprobe` that the aggregate is in, if a detour was made for it. */
  optprobe?: OptprobeId;
  /** One that could not be disarmed, and has lost its address: get_kprobe() does not find it. */
  readonly lost?: KprobeSite;
}

/** `op->list`: none, or the one of three lists that the optimiser works off. */
export type OptimizerList = 'none' | 'optimizing' | 'unoptimizing' | 'freeing';

/** `struct optimized_kprobe`; its detour is a page of the same name. */
export interface Optprobe {
  readonly ip: Ip;
  readonly code: readonly string[];
  /** `KPROBE_FLAG_OPTIMIZED`: it has a jump, or is queued to get one. */
  optimized: boolean;
  list: OptimizerList;
}

/** The optimiser of kprobes. */
export interface Optimizer {
  /** `kprobes_allow_optimization`, which is `debug.kprobes-optimization`. */
  allowed: boolean;
  /** Its work is pending. */
  kicked: boolean;
  /** How many detours were made. */
  made: number;
  ops: Record<OptprobeId, Optprobe>;
}

/** `struct rethook`: a pool of return hooks and its user. */
export interface Rethook {
  /** Nodes that are free. */
  free: number;
  readonly max: number;
  /** Cleared by rethook_stop(): no node is given out any more. */
  handler: boolean;
  /** The free nodes have been freed; the pool goes with the last of the others. */
  drained: boolean;
  /** Its user, whose name an older pool has. */
  readonly user?: ProbeId;
}

/** A user of return hooks. */
export type ProbeId = KretprobeId | FprobeId;

/** `struct rethook_node`: a hooked return that is under way. */
export interface RethookNode {
  readonly rethook: RethookId;
  readonly retAddr: string;
  /** Address of the word that was replaced. */
  readonly frame: string;
  readonly fn: FunctionName;
  /** What the entry handler of an fprobe left in the node for the exit handler (`fprobe_rethook_node.data`). */
  readonly data?: string;
}

/** `struct kretprobe`. */
export interface Kretprobe {
  readonly maxactive: number;
  readonly entryHandler: boolean;
  /** Its entry handler answers nonzero. */
  readonly vetoes?: true;
  nmissed: number;
  /** The perf event whose handler it has. */
  readonly event?: string;
  /** `rp->rh` is NULL: a registration of one that is still in the table was refused after it had made a pool. */
  readonly withoutPool?: true;
}

/** `struct fprobe`. */
export interface Fprobe {
  /** In the kernel's tables. One that is not is memory that a call may still be using. */
  registered: boolean;
  readonly ips: readonly Ip[];
  readonly entry: boolean;
  readonly exit: boolean;
  readonly maxactive: number;
  nmissed: number;
  /** What it has added to the misses of its program. */
  progMisses: number;
  /** Number of the kprobe.multi program that it runs; 0: its handlers are those of a client. */
  readonly prog: ProgId;
  /** That program calls bpf_get_func_ip(). */
  readonly getFuncIp?: true;
  /** `FPROBE_FL_KPROBE_SHARED`: kprobes have its handlers as well. */
  readonly shared?: true;
  /** Its entry handler answers that it does not want the return. */
  readonly vetoes: boolean;
  /** Bytes in which its entry handler leaves something for the exit handler of the same call. */
  readonly entryDataSize: number;
}

/** The arguments of register_fprobe_ips(). */
export interface FprobeArgs {
  fprobe: FprobeId;
  ips: readonly Ip[];
  entry: boolean;
  exit: boolean;
  maxactive: number;
  prog: ProgId;
  getFuncIp?: boolean;
  shared?: boolean;
  vetoes: boolean;
  entryDataSize: number;
  /** Its memory is new, or was cleared; otherwise it is as the last fprobe there has left it. */
  cleared: boolean;
}

/** State of kernel/kprobes.c, rethook.c and fprobe.c, guarded by `kprobe_mutex` and `fprobe_mutex`. */
export interface Probes {
  /** `num_possible_cpus()`: pools of return hooks have nodes for each. */
  readonly possibleCpus: number;
  kprobes: Record<KprobeId, Kprobe>;
  kprobeTable: Record<Ip, KprobeSite>;
  /** `kprobe_ftrace_enabled`, `kprobe_ipmodify_enabled`: addresses armed through each ops. */
  armed: Record<string, number>;
  /** null: `debug.kprobes-optimization` is 0, and was since boot. */
  optimizer: Optimizer | null;
  kretprobes: Record<KretprobeId, Kretprobe>;
  rethooks: Record<RethookId, Rethook>;
  /** Pools that were freed while a probe that is called points to them, until another pool takes the memory. */
  stalePools?: readonly RethookId[];
  /** `rp->rh`, `fp->rethook`, where that is not the pool with the name of its user: an older one was there still. */
  newerPools?: Record<ProbeId, RethookId>;
  /** `current->rethooks`, the innermost last. */
  hooked: RethookNode[];
  fprobes: Record<FprobeId, Fprobe>;
  /** Fprobes on rethook whose `fp->rethook` still points to the pool that they gave back. */
  freedPools: readonly FprobeId[];
  /** `fprobe_ip_table`: the fprobes of each function in the order in which they run. */
  fprobeTable: Record<Ip, FprobeId[]>;
  /** How many functions each of the two shared users has. */
  fprobeNodes: Record<string, number>;
  fprobeRegistered: Record<string, boolean>;
}

export interface ProbeWorld extends FgraphWorld {
  probes: Probes;
}

/** Read-only. */
export type ProbeView = DeepReadonly<ProbeWorld>;

/** fprobe_registered(); to a return that is under way, is_fprobe_still_exist(). */
export function isFprobeRegistered({ probes }: ProbeView, fprobe: FprobeId): boolean {
  return probes.fprobes[fprobe]?.registered === true;
}

/** fprobe_init(): what a client asked for, and a zero `nmissed`. */
export function enterFprobe(
  k: ProbeWorld,
  {
    fprobe,
    ips,
    entry,
    exit,
    maxactive,
    prog,
    getFuncIp = false,
    shared = false,
    vetoes,
    entryDataSize,
  }: FprobeArgs,
): void {
  k.probes.fprobes[fprobe] = {
    registered: true,
    ips,
    entry,
    exit,
    maxactive,
    nmissed: 0,
    progMisses: 0,
    prog,
    ...(getFuncIp ? { getFuncIp } : {}),
    ...(shared ? { shared } : {}),
    vetoes,
    entryDataSize,
  };
}

/** The memory of an fprobe is cleared, or given back. */
export function forgetPool({ probes }: ProbeWorld, fprobe: string): void {
  if (!probes.freedPools.includes(fprobe)) return;
  probes.freedPools = probes.freedPools.filter((name) => name !== fprobe);
}

export function bootProbes(possibleCpus: number): Probes {
  return {
    possibleCpus,
    kprobes: {},
    kprobeTable: {},
    armed: { kprobe_ftrace_ops: 0, kprobe_ipmodify_ops: 0 },
    optimizer: null,
    kretprobes: {},
    rethooks: {},
    hooked: [],
    fprobes: {},
    freedPools: [],
    fprobeTable: {},
    fprobeNodes: { fprobe_graph_ops: 0, fprobe_ftrace_ops: 0 },
    fprobeRegistered: { fprobe_graph_ops: false, fprobe_ftrace_ops: false },
  };
}
