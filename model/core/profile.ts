import { InputError } from './input-error.ts';
import { oneOf } from './input-value.ts';
import type { NearVersion } from './near-kernels.ts';
import { NEAR_KERNELS } from './near-kernels.ts';
import { overridden } from './override.ts';
import type { Unregister } from './register.ts';
import { once } from './register.ts';

/**
 * The kernels that we model, in one table that is long on purpose. Everything that differs between versions is a
 * named behaviour of a profile; no other file compares version numbers. Each value was observed in the recordings of
 * that kernel or read in its source; `model/README.md` says which.
 */
export type KernelVersion = '6.1' | '6.12' | '7.2';

/** These, and those that are near to one of them. */
export type RecordedVersion = KernelVersion | NearVersion;

export interface Profile {
  /** The modelled kernel; of another profile the one that it was made from. */
  readonly kernel: KernelVersion;
  /** Its differences from the others. */
  readonly sentence: string;
  /** Machine words of arguments that a trampoline image can carry; more is ENOTSUPP. */
  readonly trampolineSlotsMax: number;
  /**
   * Arguments that an image on arm64 prepares: up to eight words in registers, and a function with a struct is
   * refused; with structs; or with those on the stack as well.
   */
  readonly arm64Arguments: 'registers without structs' | 'registers' | 'registers and stack';
  /** `BPF_MAX_TRAMP_LINKS`: programs on one trampoline, all kinds together; one more is E2BIG. */
  readonly linksMax: number;
  /**
   * A: all images of a trampoline share a page, and nothing counts who is in them. B: each has its own, and one nop
   * after the original call skips all fexit programs. C: a nop before each program skips that one.
   */
  readonly imageLifecycle: 'A' | 'B' | 'C';
  /** `rbx` is pushed below the frame, or stored in a slot of it. */
  readonly rbxSaved: 'pushed' | 'in frame';
  /** An image that calls the original is entered by `jmp` unless a live patch shares the function. */
  readonly jmpEntry: boolean;
  /** A negative value of 32 bits is loaded sign-extended (7 bytes), or always whole (10 bytes). */
  readonly imm64: 'sign-extended' | 'whole';
  /** Longest single nop in bytes. */
  readonly longestNop: number;
  /** A direct stub starts with `endbr64` when the kernel runs with IBT. */
  readonly endbrInImage: boolean;
  /**
   * Helpers whose calls are not accounted under call-depth tracking: the kernel calls them directly somewhere
   * (kern_sys_bpf()), so a thunk is in their padding, and x86_call_depth_emit_accounting() takes the
   * function for its thunk.
   */
  readonly unaccounted: readonly string[];
  /** An image is measured before memory is taken for it; otherwise it gets a page. */
  readonly sizePass: boolean;
  /** Bytes that the image's page or buffer must have left after the last instruction (`BPF_INSN_SAFETY`). */
  readonly safetyBytes: number;
  /** fsession programs. */
  readonly sessions: boolean;
  /** How one link attaches its program to many functions: a design by its name, or `none` of them. */
  readonly multiLinks: string;
  /** Attaching a program that runs after a function to one that does not return: EINVAL. */
  readonly noreturnRefused: boolean;
  /** Attaching a program that reads the return value to a function that returns more than 8 bytes: EOPNOTSUPP. */
  readonly wideReturnRefused: boolean;
  /**
   * Where an image looks for the stack arguments of a struct_ops member, which its caller calls: above the return address
   * of a call site, which there is none of, or above the caller's (7.3).
   */
  readonly memberArgsAbove: 'a call site' | 'the caller';
  /** The recorded builds have IBT configured: a function starts with `endbr64`, its call site comes after it. */
  readonly ibt: boolean;
  readonly boots: Readonly<Record<BootName, Mitigations>>;
  /** Interfaces of direct calls: (ip, addr) and `_multi`; an ops of the client's; that, and tables of sites. */
  readonly directApi: 'ip and multi' | 'ops' | 'ops and hash';
  /** An ops whose registration as a direct call failed can be registered again. */
  readonly directReset: boolean;
  /** Registering a direct call sets the flags of the ops instead of adding to them. */
  readonly directFlagsAssigned: boolean;
  /** Where the handler of a direct call finds the address: in `direct_functions` by ip, or in the ops. */
  readonly directLookup: 'table' | 'ops';
  /** ftrace_find_rec_direct() forbids preemption while it looks a site up. */
  readonly directLookupGuarded: boolean;
  /** BPF trampolines share one ops for all their direct calls, or have one each. */
  readonly singleDirectOps: boolean;
  /** One user of the function graph tracer at a time, or sixteen. */
  readonly fgraph: 'single' | 'multi';
  /**
   * How an ops that manages others combines their hashes: filters and notrace hashes each by themselves, a change of
   * notrace with the old one of the manager (6.11 to 6.14), or again from what each traces.
   */
  readonly managerHashes: 'merged' | 'rebuilt';
  /**
   * ftrace_free_filter() leaves an ops with empty hashes, and one that is enabled as it is (6.15); before, with
   * pointers to the hashes that it has freed.
   */
  readonly filterReset: boolean;
  /** Frames that fit a task's shadow stack before 6.11 (`FTRACE_RETFUNC_DEPTH`). */
  readonly retfuncDepth: number;
  /** Words of a task's shadow stack since 6.11 (`SHADOW_STACK_SIZE`), and of a frame on it, without its bitmap. */
  readonly shadowStackWords: number;
  readonly fgraphFrameWords: number;
  /**
   * Function graph skips a function that has a direct call (before 5.16): it came at the end of ftrace's
   * trampoline, where the return address that it saw could be the direct trampoline's own.
   */
  readonly graphSkipsDirectSites: boolean;
  /**
   * When one user of function graph is left, it is called directly again. From 6.11 to 6.12.74 it was not, until boot:
   * ftrace_graph_enable_direct() turned the static branch off.
   */
  readonly graphDirectModeReturns: boolean;
  /** ftrace_return_to_handler() guards itself against recursion, and so its users run without preemption. */
  readonly graphReturnGuarded: boolean;
  /**
   * Where a kretprobe keeps the return address that it has replaced: in a node of its own pool, whose list and
   * trampoline it has besides those of function graph; or on the shadow stack of function graph, as was proposed
   * in 2021: then one frame and one trampoline, which saves all registers, serve all that follow a call.
   */
  readonly kretprobe: 'rethook' | 'ret_stack';
  /** The mechanism of fprobes: an ops and a return hook each, or users of function graph that all share. */
  readonly fprobe: 'none' | 'rethook' | 'fgraph';
  /** register_kprobe() answers 0 when the probe could not be armed. */
  readonly kprobeErrorLost: boolean;
  /** The calls in the shared entry code are left alone if they call the function already (update_ftrace_func()). */
  readonly innerCallsCompared: boolean;
  /** When ftrace has died, kprobes take themselves for disarmed. */
  readonly kprobesSurviveFtrace: boolean;
  /** Writing 0 to `kernel.ftrace_enabled` disables ftrace; from 7.3 on it is refused with EOPNOTSUPP. */
  readonly disabledBySysctl: boolean;
  /** A BPF trampoline that is to be made again for a live patch resets its ops, even when that is registered. */
  readonly bpfEagainResetsOps: boolean;
  /** A BPF trampoline registers its direct call although its filter could not be set. */
  readonly bpfIgnoresFilterErrors: boolean;
  /** The holder of the module that a target is in: the image that its site calls, or each loaded program. */
  readonly moduleHeldBy: 'image' | 'program';
  /**
   * Modules register fmod_ret sets of kfuncs, some of which may sleep (btf_kfunc_is_modify_return()): the recorded
   * builds let sleepable programs attach to their targets.
   */
  readonly sleepableTargets: boolean;
  /** Programs of struct_ops members may sleep (can_be_sleepable()). */
  readonly sleepableMembers: boolean;
  /** Built without error injection, programs may sleep in system calls, and modify what those return. */
  readonly syscallsModifiable: boolean;
  /** The verifier knows which values a hook of BPF LSM may return (bpf_lsm_get_retval_range()). */
  readonly lsmReturnsChecked: boolean;
  /**
   * BPF_PROG_LOAD with the BTF of a module that is gone: where the prototype of the target is read, which takes a reference
   * to the module (btf_attach_func_proto()) and logs nothing, or when the address of the function is looked up.
   */
  readonly goneModule: 'refused first' | 'not found';
  /** Programs for cgroups deny hooks that answer an errno alone (cgroup_bpf_hook_returns_errno()). */
  readonly cgroupKnowsBoolHooks: boolean;
  /** bpf_link_put() frees a link at once where it may sleep, or always in a work item. */
  readonly linkPut: 'at once' | 'work item';
  /** kprobe.multi programs that see entry and return. */
  readonly kprobeSession: boolean;
  /** A session that is skipped at the entry, for another program is in progress on the CPU, does not see the return. */
  readonly skippedSessionVetoes: boolean;
  /**
   * A trap that came too late to find its batch is executed again if memory holds no int3
   * (kprobe_int3_handler()).
   */
  readonly lateInt3Retries: boolean;
  /**
   * When the optimiser frees a kprobe, one that it has kept from its jump is queued again (do_free_cleaned_kprobes(), 7.0).
   */
  readonly blockedKprobeRetries: boolean;
  /** The read-side section that protects the probes of a tracepoint while they run, and their array. */
  readonly tracepointSection: 'preemption off' | 'srcu';
  /** Tracepoints of system calls, whose probes may fault and sleep. */
  readonly faultableTracepoints: boolean;
  /** Data of a raw tracepoint's stub: the program, of which there can be one a tracepoint, or the link. */
  readonly rawTracepointData: 'prog' | 'link';
  /** What puts the program of a closed link: bpf_link_free() at once, or the callback that frees the link. */
  readonly linkedProgPutBy: 'bpf_link_free' | 'dealloc';
  /** perf_event_detach_bpf_prog() waits for readers, and puts the program, with `bpf_event_mutex` held. */
  readonly perfProgPutUnderMutex: boolean;
  /**
   * What kprobe_perf_func() has in rbx as it calls trace_call_bpf(), by the code of the recorded kernels; kretprobe_perf_func() has
   * `tp->event` in each. Kernels without fprobes do not read it.
   */
  readonly kprobePerfFuncRbx: 'regs->ip' | 'tp->event';
  /** Programs that trace_call_bpf() does not run, since one is running, are counted as missed. */
  readonly perfMissesCounted: boolean;
  /** Offset of `prog_array` in `struct trace_event_call`, by the BTF of the recorded kernels. */
  readonly progArrayOffset: number;
  /** When the last program is detached and the call site cannot be changed, the image stays. */
  readonly imageKeptIfUnregisterFails: boolean;
  /** `preempt=` at boot (CONFIG_PREEMPT_DYNAMIC): where a task in the kernel can lose its CPU. */
  readonly preemption: 'full' | 'voluntary' | 'none';
}

/** The recorded boot configurations. */
export type BootName = 'default' | 'mitoff' | 'stuff' | 'unret' | 'kaslr';

export interface Mitigations {
  /** Calls and entries count against the return stack buffer (retbleed=stuff). */
  readonly callDepth: boolean;
  /** Symbol that `ret` is replaced by a jump to, if any. */
  readonly returnThunk: string | undefined;
  /** Symbol of the thunk that replaces an indirect jump through `rdx`, if any. */
  readonly indirectThunk: string | undefined;
}

const NONE: Mitigations = { callDepth: false, returnThunk: undefined, indirectThunk: undefined };
const RETPOLINE: Mitigations = { ...NONE, indirectThunk: '__x86_indirect_thunk_rdx' };

const V6_1: Profile = {
  kernel: '6.1',
  sentence:
    'Direct calls by (ip, addr), one user of function graph at a time, images for six argument words, no fprobes in use.',
  trampolineSlotsMax: 6,
  arm64Arguments: 'registers without structs',
  linksMax: 38,
  imageLifecycle: 'B',
  rbxSaved: 'pushed',
  jmpEntry: false,
  imm64: 'whole',
  longestNop: 8,
  endbrInImage: true,
  unaccounted: [],
  sizePass: false,
  safetyBytes: 64,
  sessions: false,
  multiLinks: 'none',
  noreturnRefused: false,
  wideReturnRefused: false,
  memberArgsAbove: 'a call site',
  ibt: false,
  boots: {
    default: RETPOLINE,
    mitoff: NONE,
    kaslr: RETPOLINE,
    stuff: { ...RETPOLINE, returnThunk: 'its_return_thunk' },
    unret: { ...RETPOLINE, returnThunk: 'srso_return_thunk' },
  },
  directApi: 'ip and multi',
  directReset: false,
  directFlagsAssigned: true,
  directLookup: 'table',
  directLookupGuarded: false,
  singleDirectOps: false,
  fgraph: 'single',
  managerHashes: 'merged',
  filterReset: false,
  retfuncDepth: 50,
  shadowStackWords: 0,
  fgraphFrameWords: 0,
  graphSkipsDirectSites: false,
  graphDirectModeReturns: true,
  graphReturnGuarded: false,
  kretprobe: 'rethook',
  fprobe: 'none',
  kprobeErrorLost: false,
  innerCallsCompared: false,
  kprobesSurviveFtrace: false,
  disabledBySysctl: true,
  bpfEagainResetsOps: true,
  bpfIgnoresFilterErrors: true,
  moduleHeldBy: 'image',
  sleepableTargets: false,
  sleepableMembers: false,
  lsmReturnsChecked: false,
  goneModule: 'not found',
  cgroupKnowsBoolHooks: false,
  linkPut: 'at once',
  syscallsModifiable: false,
  kprobeSession: false,
  skippedSessionVetoes: false,
  lateInt3Retries: true,
  blockedKprobeRetries: false,
  tracepointSection: 'preemption off',
  faultableTracepoints: false,
  rawTracepointData: 'prog',
  linkedProgPutBy: 'bpf_link_free',
  perfProgPutUnderMutex: true,
  kprobePerfFuncRbx: 'regs->ip',
  perfMissesCounted: false,
  progArrayOffset: 0x80,
  imageKeptIfUnregisterFails: false,
  preemption: 'full',
};

const V6_12: Profile = {
  kernel: '6.12',
  sentence:
    "Direct calls by an ops of the client's, many users of function graph, images for twelve argument words, kprobe.multi sessions.",
  trampolineSlotsMax: 12,
  arm64Arguments: 'registers',
  linksMax: 38,
  imageLifecycle: 'B',
  rbxSaved: 'in frame',
  jmpEntry: false,
  imm64: 'sign-extended',
  longestNop: 11,
  endbrInImage: false,
  unaccounted: ['__bpf_prog_enter_sleepable_recur', '__bpf_prog_exit_sleepable_recur'],
  sizePass: true,
  safetyBytes: 64,
  sessions: false,
  multiLinks: 'none',
  noreturnRefused: true,
  wideReturnRefused: true,
  memberArgsAbove: 'a call site',
  ibt: true,
  boots: {
    default: RETPOLINE,
    mitoff: NONE,
    kaslr: RETPOLINE,
    stuff: {
      callDepth: true,
      returnThunk: 'call_depth_return_thunk',
      indirectThunk: '__x86_indirect_jump_thunk_rdx',
    },
    unret: { ...RETPOLINE, returnThunk: 'srso_return_thunk' },
  },
  directApi: 'ops',
  directReset: true,
  directFlagsAssigned: true,
  directLookup: 'ops',
  directLookupGuarded: true,
  singleDirectOps: false,
  fgraph: 'multi',
  managerHashes: 'merged',
  filterReset: false,
  retfuncDepth: 0,
  shadowStackWords: 512,
  fgraphFrameWords: 5,
  graphSkipsDirectSites: false,
  graphDirectModeReturns: true,
  graphReturnGuarded: false,
  kretprobe: 'rethook',
  fprobe: 'rethook',
  kprobeErrorLost: false,
  innerCallsCompared: true,
  kprobesSurviveFtrace: true,
  disabledBySysctl: true,
  bpfEagainResetsOps: false,
  bpfIgnoresFilterErrors: false,
  moduleHeldBy: 'program',
  sleepableTargets: true,
  sleepableMembers: true,
  lsmReturnsChecked: true,
  goneModule: 'not found',
  cgroupKnowsBoolHooks: false,
  linkPut: 'work item',
  syscallsModifiable: false,
  kprobeSession: true,
  skippedSessionVetoes: false,
  lateInt3Retries: false,
  blockedKprobeRetries: false,
  tracepointSection: 'preemption off',
  faultableTracepoints: false,
  rawTracepointData: 'link',
  linkedProgPutBy: 'dealloc',
  perfProgPutUnderMutex: true,
  kprobePerfFuncRbx: 'regs->ip',
  perfMissesCounted: true,
  progArrayOffset: 0x68,
  imageKeptIfUnregisterFails: false,
  preemption: 'full',
};

const V7_2: Profile = {
  ...V6_12,
  kernel: '7.2',
  sentence:
    'Direct calls by tables of sites and one ops for all trampolines, images that are jumped to, fsession programs, multi links.',
  arm64Arguments: 'registers and stack',
  linksMax: 36,
  imageLifecycle: 'C',
  jmpEntry: true,
  sessions: true,
  multiLinks: 'tracing multi',
  boots: { ...V6_12.boots, unret: { ...RETPOLINE, returnThunk: 'retbleed_return_thunk' } },
  directApi: 'ops and hash',
  directFlagsAssigned: false,
  directLookup: 'table',
  singleDirectOps: true,
  managerHashes: 'rebuilt',
  filterReset: true,
  fgraphFrameWords: 3,
  graphReturnGuarded: true,
  fprobe: 'fgraph',
  kprobeErrorLost: true,
  syscallsModifiable: true,
  goneModule: 'refused first',
  cgroupKnowsBoolHooks: true,
  skippedSessionVetoes: true,
  lateInt3Retries: false,
  blockedKprobeRetries: true,
  tracepointSection: 'srcu',
  faultableTracepoints: true,
  perfProgPutUnderMutex: false,
  kprobePerfFuncRbx: 'tp->event',
  imageKeptIfUnregisterFails: true,
};

export const PROFILES: Readonly<Record<KernelVersion, Profile>> = { '6.1': V6_1, '6.12': V6_12, '7.2': V7_2 };

/** Of every recorded kernel. */
export const RECORDED_PROFILES: Readonly<Record<RecordedVersion, Profile>> = {
  ...PROFILES,
  ...(Object.fromEntries(
    Object.entries(NEAR_KERNELS).map(([version, { near, sentence, differs }]) => [
      version,
      { ...PROFILES[near], ...differs, sentence },
    ]),
  ) as Record<NearVersion, Profile>),
};

/** Profiles by name, kept: a state names its own, and it is looked up in every step. */
const NAMED = new Map<string, Profile>();

/**
 * The profile of a name: a kernel, and behaviours of it that are overridden, `6.12, imageLifecycle = C`. Throws
 * when there is no such kernel or behaviour, or when the behaviour has no such value in any kernel, nor in an
 * older one, and is no smaller bound.
 */
export function profileNamed(name: string): Profile {
  const known = NAMED.get(name);
  if (known !== undefined) return known;
  if (/\p{Cc}/u.test(name)) throw new InputError('the name of a kernel has a control character');
  const [kernel = '', ...overrides] = name.split(',').map((part) => part.trim());
  const base = REGISTERED.get(oneOf(kernel, profileNames(), 'kernel'));
  let profile = base ?? RECORDED_PROFILES[kernel as RecordedVersion];
  requireOnce(overrides);
  for (const override of overrides)
    profile = { ...profile, ...overridden(override, [...Object.values(RECORDED_PROFILES), profile]) };
  if (profile.kretprobe === 'ret_stack' && profile.fgraph === 'single')
    throw new InputError(
      'kretprobe = ret_stack: only where fgraph = multi; a frame has room for one user before',
    );
  NAMED.set(name, profile);
  return profile;
}

function requireOnce(overrides: readonly string[]): void {
  const names = overrides.map((override) => override.split('=', 1)[0]?.trim());
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new InputError(`behaviour ${twice} is given twice`, twice);
}

/**
 * The recorded kernel that a profile is made from: 7.3 for `7.3, linksMax = 3`, for a registered one the kernel that it
 * names.
 */
export function recordedVersion(name: string): RecordedVersion {
  const [own = ''] = name.split(',', 1);
  return RECORDED_KERNELS.find((version) => version === own) ?? profileNamed(name).kernel;
}

/** Profiles from outside the tree. */
const REGISTERED = new Map<string, Profile>();

/** Names of profiles: the recorded versions, and those that were registered. */
export function profileNames(): string[] {
  return [...RECORDED_KERNELS, ...REGISTERED.keys()];
}

/**
 * A kernel from outside the tree, by a name of its own: from then on `NAME`, and `NAME, linksMax = 3`, boot it.
 * `kernel` of the record says which version it was made from: what is known of that one is known of it as far as
 * it is the same. Throws an InputError when the name is taken or cannot be one.
 */
export function registerProfile(name: string, profile: Profile): Unregister {
  if (!/^[\w.-]+$/.test(name))
    throw new InputError(`"${name}" is not the name of a kernel; that is like 6.12-skip`);
  if (profileNames().includes(name)) throw new InputError(`there is a kernel ${name} already`);
  if (!KERNELS.includes(profile.kernel))
    throw new InputError(
      `kernel ${name}: it is made from "${profile.kernel}"; one of ${KERNELS.join(', ')} has to be named`,
    );
  REGISTERED.set(name, { ...profile });
  return once(() => {
    REGISTERED.delete(name);
    for (const known of NAMED.keys()) if (known.split(',')[0] === name) NAMED.delete(known);
  });
}

export const KERNELS = Object.keys(PROFILES) as KernelVersion[];
export const RECORDED_KERNELS = Object.keys(RECORDED_PROFILES) as RecordedVersion[];

/** The kernels by preference: examples are shown on the first that will do. */
export const PREFERRED: readonly KernelVersion[] = ['6.12', '7.2', '6.1'];

export const BOOTS: readonly BootName[] = ['default', 'mitoff', 'stuff', 'unret', 'kaslr'];

/** The other kernels with the same behaviours overridden: `7.2, linksMax = 3` for `6.12, linksMax = 3`. */
export function otherKernels(
  profile: string,
): { readonly kernel: KernelVersion; readonly profile: string }[] {
  const [own, ...overrides] = profile.split(', ');
  return KERNELS.filter((kernel) => kernel !== own).map((kernel) => ({
    kernel,
    profile: [kernel, ...overrides].join(', '),
  }));
}
