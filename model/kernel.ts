import { InputError } from './core/input-error.ts';
import { profileNamed } from './core/profile.ts';
import type { DeepReadonly } from './core/readonly.ts';
import { isReservedName } from './core/reserved-name.ts';
import { jumpTo } from './dispatcher/change-prog.ts';
import type { XdpWorld } from './dispatcher/dispatcher.ts';
import { bootXdp, DISPATCHER_CALL } from './dispatcher/dispatcher.ts';
import { innerCallOffset } from './ftrace/entry/entry-code.ts';
import { bootFgraph } from './ftrace/fgraph.ts';
import { FTRACE_OPS_FL_INITIALIZED, FTRACE_OPS_FL_PERMANENT, MULTI_FLAGS, zeroedOps } from './ftrace/ops.ts';
import { bootProbes } from './ftrace/probes.ts';
import { bootFtrace } from './ftrace/world.ts';
import { nothingForbidden } from './task/current.ts';
import { ENDBR_BYTES } from './text/body-address.ts';
import { addressOf, branchBytes } from './text/space.ts';
import { NOP5 } from './text/text.ts';
import type { DeclaredTracepoint } from './tracepoint/boot.ts';
import { bootTracepoints } from './tracepoint/boot.ts';
import type { PerfWorld } from './tracepoint/perf-events.ts';
import { bootPerfEvents, PERF_TRACE } from './tracepoint/perf-events.ts';
import { TRACEPOINT_FUNCTIONS } from './tracepoint/probe-functions.ts';
import { TRACE_RUN } from './tracepoint/trace-run.ts';
import type { TracepointWorld } from './tracepoint/tracepoint.ts';
import { designOf } from './trampoline/designs/chosen.ts';
import { isLsmHook } from './trampoline/listing.ts';
import type { TracedFunction } from './trampoline/traced-function.ts';
import { functionsAtBoot, modulesAtBoot } from './trampoline/traced-function.ts';
import type { BpfWorld } from './trampoline/world.ts';
import { bootBpf, noCgroupPrograms } from './trampoline/world.ts';
import { plus } from './x86/word.ts';

/** One kernel: ftrace, probes, BPF, and the text that they change. Plain data; `apply()` gives the next one. */
export type Kernel = BpfWorld & TracepointWorld & PerfWorld & XdpWorld;

/** A kernel as laws, predicates, reports and drawing get it: looking does not write. */
export type KernelView = DeepReadonly<Kernel>;

/** Parameters of a boot: all functions and tracepoints that a sequence can name are declared here. */
export interface Boot {
  /** Kernel and overridden behaviours: `6.12`, `6.12, imageLifecycle = C`. */
  readonly profile: string;
  /** The boot configuration. */
  readonly boot: string;
  /** Kernel functions to be traced, and BPF programs that were loaded to be targets of others. */
  readonly functions: readonly TracedFunction[];
  /** Tracepoints that the kernel's source declares. */
  readonly tracepoints?: readonly DeclaredTracepoint[];
  /** `num_possible_cpus()`; by default one, as the recorded kernels have. */
  readonly cpus?: number;
}

/**
 * A kernel after its boot: all sites are nops, nothing is attached. Throws an
 * InputError when there is no such kernel.
 */
export function bootKernel(options: Boot): Kernel {
  const k = freshKernel(options);
  for (const [inner, caller] of INNER_CALLS)
    k.text.inner[inner] = branchBytes(
      'e8',
      plus(addressOf(k, caller), innerCallOffset(caller)),
      addressOf(k, 'ftrace_stub'),
    );
  if (profileNamed(k.profile).directApi === 'ip and multi') k.ftrace.ops['direct_ops'] = directOps();
  designOf(profileNamed(options.profile))?.boot?.(k);
  // After the functions: the first reserves the addresses that tracepoint sites come after.
  const { tracepoints = [] } = options;
  bootTracepoints(k, tracepoints);
  if (tracepoints.length > 0) {
    k.bpf.rawLinks = {};
    k.perf = bootPerfEvents(tracepoints.map(({ name }) => name));
  }
  bootDevices(k, options.functions);
  if (options.functions.some(({ listing }) => isLsmHook(listing))) k.bpf.cgroup = noCgroupPrograms();
  return k;
}

/**
 * Nothing in text calls anything yet. Functions that are BPF programs get a site in text and no record: ftrace
 * does not know the code of a JIT, and bpf_arch_text_poke() changes it.
 */
function freshKernel({ profile: name, boot, functions, tracepoints = [], cpus = 1 }: Boot): Kernel {
  const profile = profileNamed(name);
  const design = designOf(profile);
  const names = functions.map((fn) => fn.name);
  const reserved = [...names, ...tracepoints.map(({ name }) => name)].find(isReservedName);
  if (reserved !== undefined) throw new InputError(`${reserved} is a reserved name: call it something else`);
  return {
    profile: name,
    boot,
    locks: {},
    current: nothingForbidden(),
    warnings: [],
    fault: null,
    deferred: [],
    functions: functionsAtBoot(functions),
    text: {
      sites: Object.fromEntries(names.map((fn) => [fn, NOP5])),
      probed: {},
      inner: {},
      pages: {},
      halves: {},
      modules: modulesAtBoot(functions),
      functions: Object.fromEntries(names.map((fn, i) => [fn, i])),
      stubs: stubsAtBoot(Object.keys(design?.cFunctions ?? {}), tracepoints.length > 0),
      // In bytes from the symbol. `dyn_ftrace.ip` is the symbol plus this.
      siteOffset: profile.ibt ? ENDBR_BYTES : 0,
      pokes: {},
      poke: null,
      inInt3: 0,
      pagesUsed: 0,
      views: [],
    },
    ftrace: bootFtrace(functions.filter(({ bpf }) => !bpf).map((fn) => fn.name)),
    fgraph: bootFgraph(),
    probes: bootProbes(cpus),
    bpf: bootBpf(design?.start?.() ?? null),
  };
}

/** Functions in C that not every kernel has. */
function stubsAtBoot(ofDesign: readonly string[], hasTracepoints: boolean): string[] {
  return hasTracepoints
    ? [...ofDesign, ...Object.keys(TRACEPOINT_FUNCTIONS), TRACE_RUN, PERF_TRACE]
    : [...ofDesign];
}

/** Devices are there with the function that their packets are dispatched by. */
function bootDevices(k: Kernel, functions: readonly TracedFunction[]): void {
  if (functions.every(({ nesting }) => nesting !== 'dispatcher')) return;
  k.xdp = bootXdp(functions.flatMap(({ name, nesting }) => (nesting === 'device' ? [name] : [])));
  k.text.inner[DISPATCHER_CALL] = jumpTo(k, k.xdp.dispatcher.call);
}

/**
 * The two calls in entry code that ftrace patches besides call sites: the ops function of ftrace_caller and of
 * ftrace_regs_caller (ftrace_update_ftrace_func()). Both call ftrace_stub() until an ops is registered.
 */
const INNER_CALLS = [
  ['ftrace_call', 'ftrace_caller'],
  ['ftrace_regs_call', 'ftrace_regs_caller'],
] as const;

/**
 * `direct_ops` of the (ip, addr) interface, a static initialiser in the kernel: INITIALIZED is set, and its
 * hashes are NULL pointers until the first call (`ftrace.directOpsHasHash`). Its `trampoline` keeps
 * arch_ftrace_update_trampoline() from allocating one.
 */
function directOps() {
  return {
    ...zeroedOps('direct_ops'),
    func: 'call_direct_funcs',
    flags: MULTI_FLAGS | FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_INITIALIZED,
    trampoline: 'ftrace_regs_caller',
  };
}
