import type { CodeName, FunctionName, ImageId, LinkId, ProgId } from '../core/ids.ts';
import { present } from '../core/present.ts';
import type { DeepReadonly } from '../core/readonly.ts';
import type { ProbeWorld } from '../ftrace/probes.ts';
import type { Word } from '../x86/word.ts';
import { fromHex, plus } from '../x86/word.ts';
import type { DesignData } from './designs/design.ts';
import type { Flags } from './flags.ts';
import type { PatchPoint } from './generate.ts';
import type { BpfProgram } from './program.ts';

/**
 * A program attached to one target: an entry of the target's lists (`struct bpf_tramp_link`, `bpf_tramp_node`).
 */
export interface TrampNode {
  readonly link: LinkId;
  /** Number of the program. */
  readonly prog: ProgId;
  readonly cookie: Word;
}

/** `struct bpf_trampoline`: the attach state of one target. */
export interface BpfTrampoline {
  /** Tells it from an earlier one of the same target. */
  readonly serial: number;
  flags: Flags;
  /** In the order of attachment; the lists by kind are derived from it. */
  nodes: TrampNode[];
  /** The freplace program that owns the target; 0: none. */
  extensionProg: ProgId;
  curImage: ImageId;
  refcnt: number;
  ftraceManaged: boolean;
  /** Images that are not freed yet (generation C). */
  images: ImageId[];
  /** Before a multi link changed it (`multi_attach`). */
  oldImage: ImageId;
  oldFlags: Flags | null;
  /** Argument words of an image that calls the original, if a design needs more than the function has. */
  imageWords?: number;
  /**
   * Argument words of each of its images, whatever the function has, with the original called through the stack:
   * while programs that were checked against a stub are attached. Absent: those of the function.
   */
  stubWords?: number;
}

/** `struct bpf_tramp_image`: one generated piece of code. Its bytes are on a page of text. */
export interface TrampImage {
  /** The function that it is for; empty: many of them. */
  readonly target: FunctionName;
  readonly serial: number;
  readonly callOrig: boolean;
  /** Entered by a jump. */
  readonly jmp: boolean;
  readonly programs: readonly ProgId[];
  /** Patch points that are still nops. */
  patchPoints: readonly PatchPoint[];
  state: 'live' | 'draining';
  /** Tasks between `__bpf_tramp_enter` and `__bpf_tramp_exit`. */
  refs: number;
  /** The reference counter was switched to kill mode. */
  killed: boolean;
  /** The trampoline of many functions that it belongs to, and the argument words it prepares for each. */
  readonly owner?: string;
  readonly words?: number;
}

/** A loaded program. */
export interface BpfProg {
  readonly program: BpfProgram;
  /** What it was loaded for: a function; empty for a program of multi links. */
  readonly target: FunctionName;
  /** The module whose BTF it was loaded with, of multi links; absent: that of the kernel. */
  readonly btf?: string;
  /**
   * kprobe.multi: which handlers it has; or a program for raw tracepoints, for events of tracepoints or of kprobes, for
   * devices.
   */
  readonly probe: '' | 'entry' | 'return' | 'session' | 'raw_tp' | 'tp' | 'kprobe' | 'xdp';
  /** Its return value. */
  readonly returns: Word;
  /** It holds the trampoline reference from BPF_PROG_LOAD, until the first link takes it over. */
  dstTrampoline: boolean;
  /** Its file descriptor is open. */
  open: boolean;
  /** The file descriptor, links, and system calls that have looked the program up by it. */
  refs: number;
  /** It was linked to a trampoline at least once (`tramp_linked`). */
  trampLinked: boolean;
  freed: boolean;
  /** Per-CPU recursion counter, and the calls that it skipped. */
  active: number;
  misses: number;
}

export type LinkKind =
  | 'tracing'
  | 'tracing multi'
  | 'kprobe multi'
  | 'raw tracepoint'
  | 'cgroup'
  | 'perf event';

/** `struct bpf_link`: holds programs on their targets until it is closed. */
export interface BpfLink {
  readonly prog: ProgId;
  readonly targets: readonly FunctionName[];
  readonly kind: LinkKind;
  /** For multi links: the sites to be registered, changed, and unregistered together. */
  reg: Record<FunctionName, CodeName>;
  modify: Record<FunctionName, CodeName>;
  unreg: Record<FunctionName, CodeName>;
}

export interface RawLink {
  readonly prog: ProgId;
  readonly faultable: boolean;
}

/** `struct bpf_shim_tramp_link`: the program of the kernel's that runs those for cgroups on a hook. */
export interface CgroupShim {
  readonly prog: ProgId;
  readonly target: FunctionName;
  /** One for each attachment. */
  refs: number;
  /** It is on its trampoline, and owns a reference on that. */
  linked: boolean;
}

/** The cgroup of all tasks, as far as BPF LSM is concerned: by hook, and guarded by `cgroup_mutex`. */
export interface CgroupBpf {
  /** Links in the order of attachment. */
  progs: Record<FunctionName, readonly LinkId[]>;
  /** The array of programs that calls read. */
  effective: Record<FunctionName, readonly ProgId[]>;
  /** `cgroup_lsm_atype`: references on the slot of a hook. */
  atypes: Record<FunctionName, number>;
  /** Guarded by the locks of their trampolines. */
  shims: Record<LinkId, CgroupShim>;
  shimsMade: number;
}

export function noCgroupPrograms(): CgroupBpf {
  return { progs: {}, effective: {}, atypes: {}, shims: {}, shimsMade: 0 };
}

/** State of kernel/bpf. `trampoline_mutex` and the trampolines' locks guard it. */
export interface Bpf {
  trampolines: Record<FunctionName, BpfTrampoline>;
  /** Trampolines that were freed while their ops was on `ftrace_ops_list`, as they were then. Absent: none. */
  staleTrampolines?: Record<FunctionName, BpfTrampoline>;
  images: Record<ImageId, TrampImage>;
  progs: Record<ProgId, BpfProg>;
  links: Record<LinkId, BpfLink>;
  /** `struct bpf_raw_tp_link`, until its memory is freed: its program, and whether its probe may fault. */
  rawLinks?: Readonly<Record<LinkId, RawLink>>;
  /** Absent: no function is a hook of BPF LSM. */
  cgroup?: CgroupBpf;
  /** Trampolines and images that were made so far. */
  serial: number;
  imagesMade: number;
  /** State of the design of multi links. */
  design: DesignData;
  /** `current->bpf_ctx`, hexadecimal. */
  runContext: string;
}

export interface BpfWorld extends ProbeWorld {
  bpf: Bpf;
  /** The traced functions: name, and the rest as `spellFunction()` writes it. */
  readonly functions: Readonly<Record<FunctionName, string>>;
  /** The boot configuration by name. */
  readonly boot: string;
}

/** Read-only. */
export type BpfView = DeepReadonly<BpfWorld>;

export function bootBpf(design: DesignData): Bpf {
  return {
    trampolines: {},
    images: {},
    progs: {},
    links: {},
    serial: 0,
    imagesMade: 0,
    design,
    runContext: '0x0',
  };
}

/** The programs for cgroups of a kernel with hooks. */
export function cgroupOf(k: BpfWorld): CgroupBpf;
export function cgroupOf(k: BpfView): DeepReadonly<CgroupBpf>;
export function cgroupOf(k: BpfView): DeepReadonly<CgroupBpf> {
  return present(k.bpf.cgroup, 'programs for cgroups');
}

/** The number of the first shim's program; clients number theirs from 1. */
export const FIRST_SHIM = 512;

const PROGRAM_STRUCTS = fromHex('0xffffc90000300000');
const IMAGE_STRUCTS = fromHex('0xffff888012340000');
const STRUCT_BYTES = 64;

/** Addresses of `struct bpf_prog` and of `struct bpf_tramp_image`, and back. */
export function programStructAt(prog: ProgId): Word {
  return plus(PROGRAM_STRUCTS, prog * STRUCT_BYTES);
}

export function programOfStruct(address: Word): ProgId {
  return ((address.lo - PROGRAM_STRUCTS.lo) >>> 0) / STRUCT_BYTES;
}

/** `prog->insnsi`, which code that is not jited gets, and back. */
export const INSNSI = 0x30;
/** `prog->bpf_func`: the address of its code. */
export const BPF_FUNC = 0x28;

export function programInsnsAt(prog: ProgId): Word {
  return plus(programStructAt(prog), INSNSI);
}

export function programOfInsns(address: Word): ProgId {
  return programOfStruct(plus(address, -INSNSI));
}

export function imageStructAt(image: ImageId): Word {
  return plus(IMAGE_STRUCTS, Number(image.slice(image.indexOf('#') + 1)) * STRUCT_BYTES);
}

export function imageOfStruct(address: Word): ImageId {
  return `tramp#${((address.lo - IMAGE_STRUCTS.lo) >>> 0) / STRUCT_BYTES}`;
}
