import type { FunctionName, Ip, OpsId, ProgId } from '../core/ids.ts';
import { profileNamed } from '../core/profile.ts';
import { functionOf } from '../text/body-address.ts';
import type { Module } from '../text/module.ts';
import { designOf } from '../trampoline/designs/chosen.ts';
import type { BpfProgram, TracingKind } from '../trampoline/program.ts';
import type { TracedFunction } from '../trampoline/traced-function.ts';
import { modulesAtBoot } from '../trampoline/traced-function.ts';
import type { BpfProg } from '../trampoline/world.ts';
import type { Word } from '../x86/word.ts';

/**
 * The promises to clients, from their calls and the answers alone: which is attached where, in which order.
 * Nothing here knows how a kernel does it; laws hold a run against it.
 */
export interface Promises {
  /**
   * Those who are attached, the oldest first. Programs of a hook that are for a cgroup are at the place of their first,
   * in reverse order: a shim runs the oldest first.
   */
  readonly clients: readonly PromisedClient[];
  /** Those who are called by hits of tracepoints, the oldest first. */
  readonly probes: readonly ProbePromise[];
  /** Perf events, by name. */
  readonly events: Readonly<Record<string, EventPromise>>;
  /** The functions that an object asks for, by its name. */
  readonly filters: Readonly<Record<string, Filter>>;
  /** Flags that an ops was made with, by its name. IPMODIFY decides what registering it promises. */
  readonly flags: Readonly<Record<string, number>>;
  /** Those that have a handler of their client; one of a direct call has none. */
  readonly handled: readonly OpsId[];
  readonly programs: Readonly<Record<ProgId, LoadedProgram>>;
  /** The programs whose file descriptors are open. */
  readonly open: readonly ProgId[];
  /** `kernel.ftrace_enabled`: while it is off, nothing that goes through ftrace is promised. */
  readonly tracing: boolean;
  /** Users of function graph go by the one filter of the tracing directory, or by one of their own. */
  readonly graphFilter: 'global' | 'own';
  /** Words of the stub that programs of multi links are checked against; undefined: there is none. */
  readonly stubWords?: number;
  /** Hooks of BPF LSM that answer 0 or 1, where programs for cgroups do not deny those. */
  readonly undeniable: readonly string[];
  /** BPF programs: ftrace does not know them, and so its switch is not theirs. */
  readonly bpf: readonly string[];
  /** Those that ftrace knows, which a pattern may match. */
  readonly functions: readonly string[];
  /** The functions of each module, whether it is loaded, and how often it was unloaded. */
  readonly modules: Readonly<Record<string, Pick<Module, 'functions' | 'live' | 'unloads'>>>;
}

/** A program, and what it was loaded for. */
export interface LoadedProgram {
  readonly program: BpfProgram;
  readonly target: FunctionName;
  /** Of multi links: the module whose functions it may be linked to; absent: those of the kernel. */
  readonly btf?: string;
  readonly probe: BpfProg['probe'];
  readonly returns: Word;
}

/** Whether a program has had its target since its load, and is no probe and no program of multi links. */
export function isLoadedForOne({ probe, program }: LoadedProgram): boolean {
  return probe === '' && !program.multi;
}

/** An empty filter asks for every function. */
export interface Filter {
  readonly filter: readonly Ip[];
  readonly notrace: readonly Ip[];
}

export interface PromisedClient {
  /** Its name in events: `ops#1`, `my_tramp2`, `prog#3`. */
  readonly who: string;
  /**
   * The object by which it was attached: an ops, a link, a probe; of a direct call of one
   * site, what it is called.
   */
  readonly object: string;
  readonly site: DirectSite | undefined;
  readonly kind: ClientKind;
  /** The object whose filter says which functions it has; empty: those in `ips`. */
  readonly filterOf: string;
  readonly ips: readonly Ip[];
  /** It sends functions to a replacement. */
  readonly ipmodify: boolean;
  /** It has an entry handler, and an exit handler. */
  readonly entry: boolean;
  readonly exit: boolean;
  /** A kprobe has a post_handler; a session may answer that it does not want the return. */
  readonly post: boolean;
  readonly vetoes: boolean;
  /** A kprobe or kretprobe that its client has disabled, now or before. */
  readonly disabled: 'never' | 'now' | 'before';
  readonly program: ProgramPromise | undefined;
  /** Its program calls bpf_get_func_ip(). */
  readonly getFuncIp: boolean;
  /** Of the kprobe or kretprobe of a perf event: its program. The client sees nothing as long as it has none. */
  readonly onEvent?: ProgramOnEvent;
}

/** What the perf event of a kprobe runs. */
export interface ProgramOnEvent {
  /** 0: none. */
  readonly prog: ProgId;
  /** The link that attached it; empty: none, and it stays with the event. */
  readonly link: string;
  readonly cookie: Word;
}

/** A direct call that is of one site alone: of an ops's table, or by address, until 6.3. */
export interface DirectSite {
  readonly ops: OpsId | undefined;
  readonly ip: Ip;
}

export type ClientKind =
  | 'ftrace'
  | 'direct'
  | 'graph'
  | 'kprobe'
  /** At an instruction after the call site, by int3: ftrace knows nothing of it. */
  | 'kprobe in body'
  | 'kretprobe'
  | 'fprobe'
  | 'program'
  /** It runs in the place of a BPF program's body, and what it returns is what the caller gets. */
  | 'extension'
  /** A program of a device, which its packets run. */
  | 'xdp'
  | 'kprobe.multi';

/** A probe or a raw tracepoint program, and what it was promised of each hit. */
export interface ProbePromise {
  readonly tracepoint: string;
  /** Its name in events: `my_probe1`, `prog#2`. */
  readonly who: string;
  /** The object by which it is there: a link, or what was registered. */
  readonly object: string;
  readonly prio: number;
  /** The `data` that a probe was registered with; a program has none that it could see. */
  readonly data?: string;
  readonly program?: BpfProgram;
  /** Of the probe that perf events have: their programs, the oldest first. */
  readonly programs?: readonly EventProgram[];
}

/** A program of a perf event. */
export interface EventProgram {
  readonly event: string;
  /** The object by which it is there: a link, or the event. */
  readonly object: string;
  readonly program: BpfProgram;
  readonly cookie: Word;
}

/** A perf event: its file descriptor is open, or a link holds its file. */
export interface EventPromise {
  /** Absent: it is on a kprobe. */
  readonly tracepoint?: string;
  readonly open: boolean;
}

/** The promise to a program on a trampoline, or to an extension. */
export interface ProgramPromise {
  readonly kind: TracingKind;
  /** It was loaded for many functions. */
  readonly multi: boolean;
  readonly cookies: Readonly<Record<string, Word>>;
  /** Its answer; of one for a cgroup what it makes its hook return. */
  readonly returns: Word;
  /** It is for a cgroup: others of its hook that are do not keep it from running. */
  readonly cgroup?: true;
  /** The most words of arguments that it is promised: those of the stub that it was checked against. */
  readonly wordsMost?: number;
  /**
   * The arguments that it is promised, by their numbers in the function that it was
   * checked against: nothing else.
   */
  readonly accessed?: { readonly in: string; readonly numbers: readonly number[] };
}

/** The promises of a kernel after its boot. */
export function nothingPromised(profile: string, functions: readonly TracedFunction[]): Promises {
  const graphFilter = profileNamed(profile).fgraph === 'single' ? 'global' : 'own';
  const bpf = functions.filter((fn) => fn.bpf).map(({ name }) => name);
  const traceable = functions.filter((fn) => !fn.bpf).map(({ name }) => name);
  const knowsBool = profileNamed(profile).cgroupKnowsBoolHooks;
  const undeniable = functions.filter(({ listing }) => knowsBool && listing === 'bool_lsm');
  const modules = modulesAtBoot(functions);
  const stubWords = designOf(profileNamed(profile))?.stubWords;
  return {
    clients: [],
    probes: [],
    events: {},
    filters: {},
    flags: {},
    handled: [],
    programs: {},
    open: [],
    tracing: true,
    graphFilter,
    undeniable: undeniable.map(({ name }) => name),
    bpf,
    functions: traceable,
    modules,
    ...(stubWords === undefined ? {} : { stubWords }),
  };
}

/** The functions that a client has: empty means every function. */
export function filterOf(p: Promises, client: PromisedClient): Filter {
  if (client.filterOf === '') return { filter: client.ips, notrace: [] };
  return p.filters[client.filterOf] ?? { filter: [], notrace: [] };
}

/**
 * Whether a client has a function: hash_contains_ip(), with two exceptions. Ops and probes have no BPF program,
 * whatever their filter names: ftrace has no record of it. A disabled probe has none.
 */
export function hasFunction(p: Promises, client: PromisedClient, fn: FunctionName): boolean {
  if (client.disabled === 'now') return false;
  if (p.bpf.includes(fn) && client.kind !== 'program' && client.kind !== 'extension') return false;
  const { filter, notrace } = filterOf(p, client);
  const everything = filter.length === 0 && client.filterOf !== '';
  return (everything || filter.includes(fn)) && !notrace.includes(fn);
}

/**
 * The clients of a function, the oldest first; while tracing is off, only BPF programs have any, and the bodies of
 * functions.
 */
export function clientsOf(p: Promises, fn: FunctionName): PromisedClient[] {
  const isTraced = p.tracing || p.bpf.includes(fn);
  return p.clients.filter((client) =>
    client.kind === 'kprobe in body'
      ? isInBodyOf(client, fn)
      : (isTraced || client.kind === 'xdp') && hasFunction(p, client, fn),
  );
}

function isInBodyOf({ disabled, ips }: PromisedClient, fn: FunctionName): boolean {
  return disabled !== 'now' && ips.some((ip) => functionOf(ip) === fn);
}
