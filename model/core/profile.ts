/**
 * The kernels that we model. Everything that differs between versions is a named behaviour of a profile; no
 * other file compares version numbers. Each value was observed in the recordings of that kernel or read in its
 * source; `model/README.md` says which.
 */
export type KernelVersion = '6.1' | '6.12' | '7.2';

export interface Profile {
  readonly kernel: KernelVersion;
  /** Machine words of arguments that a trampoline image can carry; more is ENOTSUPP. */
  readonly trampolineSlotsMax: number;
  /** `BPF_MAX_TRAMP_LINKS`: programs on one trampoline, all kinds together; one more is E2BIG. */
  readonly linksMax: number;
  /** B: one nop after the original call skips all fexit programs. C: a nop before each program skips that one. */
  readonly imageLifecycle: 'B' | 'C';
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
   * (kern_sys_bpf()), so a thunk stands in their padding, and x86_call_depth_emit_accounting() takes the
   * function for its thunk.
   */
  readonly unaccounted: readonly string[];
  /** An image is measured before memory is taken for it; otherwise it gets a page. */
  readonly sizePass: boolean;
  /** Bytes that the image's page or buffer must have left after the last instruction (`BPF_INSN_SAFETY`). */
  readonly safetyBytes: number;
  /** fsession programs, and tracing-multi links. */
  readonly sessions: boolean;
  /** Attaching a program that reads the return value to a function that returns more than 8 bytes: EOPNOTSUPP. */
  readonly wideReturnRefused: boolean;
  /** The recorded builds have IBT configured: a function starts with `endbr64`, its call site comes after it. */
  readonly ibt: boolean;
  readonly boots: Readonly<Record<BootName, Mitigations>>;
}

/** The recorded boot configurations. */
export type BootName = 'default' | 'mitoff' | 'stuff' | 'unret' | 'kaslr';

export interface Mitigations {
  /** Calls and entries count against the return stack buffer (retbleed=stuff). */
  readonly callDepth: boolean;
  /** Symbol that `ret` is replaced by a jump to, if any. */
  readonly returnThunk: string | undefined;
}

const NONE: Mitigations = { callDepth: false, returnThunk: undefined };

const V6_1: Profile = {
  kernel: '6.1',
  trampolineSlotsMax: 6,
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
  wideReturnRefused: false,
  ibt: false,
  boots: {
    default: NONE,
    mitoff: NONE,
    kaslr: NONE,
    stuff: { callDepth: false, returnThunk: 'its_return_thunk' },
    unret: { callDepth: false, returnThunk: 'srso_return_thunk' },
  },
};

const V6_12: Profile = {
  kernel: '6.12',
  trampolineSlotsMax: 12,
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
  wideReturnRefused: true,
  ibt: true,
  boots: {
    default: NONE,
    mitoff: NONE,
    kaslr: NONE,
    stuff: { callDepth: true, returnThunk: 'call_depth_return_thunk' },
    unret: { callDepth: false, returnThunk: 'srso_return_thunk' },
  },
};

const V7_2: Profile = {
  ...V6_12,
  kernel: '7.2',
  linksMax: 36,
  imageLifecycle: 'C',
  jmpEntry: true,
  sessions: true,
  boots: { ...V6_12.boots, unret: { callDepth: false, returnThunk: 'retbleed_return_thunk' } },
};

export const PROFILES: Readonly<Record<KernelVersion, Profile>> = { '6.1': V6_1, '6.12': V6_12, '7.2': V7_2 };

export const KERNELS = Object.keys(PROFILES) as KernelVersion[];

export const BOOTS: readonly BootName[] = ['default', 'mitoff', 'stuff', 'unret', 'kaslr'];
