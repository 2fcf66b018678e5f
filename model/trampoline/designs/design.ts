import type { Errno } from '../../core/errno.ts';
import type { FunctionName, LinkId } from '../../core/ids.ts';
import type { Routine } from '../../core/part.ts';
import type { Profile } from '../../core/profile.ts';
import type { DeepReadonly } from '../../core/readonly.ts';
import type { CFunctions, Cpu } from '../../text/cpu.ts';
import type { ReadsMemory } from '../../text/memory-object.ts';
import type { TracingKind } from '../program.ts';
import type { BpfView, BpfWorld, TrampNode } from '../world.ts';
import type { CountRow } from './count.ts';
import type { Disagreement } from './disagreement.ts';

/**
 * A design by which one program is attached to many functions: what a kernel does with a multi link
 * (`BPF_LINK_CREATE` of a program that was loaded for many functions, with a list of them), and when that is
 * closed. A kernel has one of them, or none: `6.12, multiLinks = one by one`. Everything else is that of the
 * kernel: single links, live patches, probes.
 *
 * A design has a name, where it comes from, and two routines. All the rest may be absent: then it keeps
 * nothing and has no code of its own, its images are made and called as for single links, and single
 * links are what they are without it.
 */
export interface Design {
  /** The value of `multiLinks`. */
  readonly name: string;
  /** How it attaches, in one sentence. */
  readonly sentence: string;
  /** Where it comes from: a kernel with its functions, a series of patches, a proposal. */
  readonly source: string;
  /** The kinds of programs that it attaches, where a kernel has them; others are EINVAL when they are loaded. */
  readonly kinds: readonly TracingKind[];
  /** Attaches the link's program to the link's targets, all of them or none. */
  readonly attach: Routine<BpfWorld, LinkArgs>;
  /** The link is closed: what fails is only warned about. */
  readonly detach: Routine<BpfWorld, LinkArgs>;

  /**
   * A design that it attaches like, by name: what is listed as known of that one is known of this
   * one too, where that one breaks the same law in the same place. Undefined: nothing that is listed
   * for another design excuses it.
   */
  readonly like?: string;
  /** Why it cannot run on a kernel, in half a sentence; absent: it can on each. */
  readonly needs?: (profile: Profile) => string | undefined;
  /** Its state in `k.bpf.design`, as it is after boot: plain data. Absent: it keeps nothing. */
  readonly start?: () => DesignData;
  /** Further state at boot: code that is part of the kernel's text, ops that are always there. */
  readonly boot?: (k: BpfWorld) => void;
  /** Routines that it hands to a grace period or to a work queue. */
  readonly background?: readonly Routine[];
  /**
   * Functions in C that its code calls, by name: each has a stub in text, whose address its code finds by that name.
   * One that is a routine is listed in `routines` as well, and the explorer stops in it.
   */
  readonly cFunctions?: CFunctions<BpfWorld>;
  readonly routines?: readonly Routine[];
  /** Data that its code reads with instructions of its own: what lies at an address. */
  readonly memory?: ReadsMemory<BpfWorld>;
  /**
   * Words of the arguments of the stub that programs of multi links are checked against when they are
   * loaded: one that reads ctx itself finds these arguments there, and the return value after them.
   * 0: such a program is EACCES, and only helpers read. One that sleeps is EINVAL: no list has the stub. Undefined:
   * there is no such thing, and everything is where the function has it.
   */
  readonly stubWords?: number;
  /** Programs of multi links are checked against a function without arguments, and sleep where the kernel lets them. */
  readonly readsNothing?: true;
  /**
   * Programs of multi links may be checked against a first function when they are loaded, and read
   * its arguments in ctx themselves: attaching them checks whether another function has the same
   * ones there (`refuseAccessed()`).
   */
  readonly firstTarget?: true;
  /**
   * Why a single program may not have a function: when its trampoline is looked up, for the load of a program or for
   * another link of it (bpf_trampoline_get()), or when it is linked (bpf_trampoline_link_prog()). Undefined: it may.
   */
  readonly refuseSingle?: (k: BpfView, target: FunctionName, stage: 'get' | 'link') => Errno | undefined;
  /**
   * How a single program comes to its function, where multi links may have that: in the place of
   * bpf_trampoline_link_prog(), which it calls. Undefined: nothing else is done.
   */
  readonly linkSingle?: Routine<BpfWorld, SingleArgs>;
  /**
   * Whose call a program sees that was called from a page which is no image of one function: what `bpf_get_func_ip()`
   * and the stack say, with the CPU before the program. Undefined: it is none of the design's pages.
   */
  readonly tracedBy?: (k: BpfWorld, cpu: Cpu, page: string) => string | undefined;
  /**
   * Its programs are called by function graph instead of by a direct call: among the handlers on ftrace's list,
   * and only where the shadow stack has room for the call.
   */
  readonly onGraph?: true;
  /**
   * The holder of a target's module: the link, which holds each module that its targets are in; or the program, which
   * holds the one module that it was loaded for: all targets are in that. Absent: targets in modules are not modelled.
   */
  readonly modulesHeldBy?: 'link' | 'program';
  /** Its programs run where no task may sleep: a link of a sleepable one is EINVAL. */
  readonly sleepable?: false;
  /** The routines that upcalls of ftrace call, for objects of the design: `gops->entryfunc`. */
  readonly upcalls?: Readonly<Record<string, Routine>>;
  /**
   * The image that a function calls because of it, by name; empty: none. Undefined:
   * images are those of trampolines.
   */
  readonly imageOf?: (k: BpfView, target: FunctionName) => string;
  /** A function that it has together with others: no trampoline of its own is known for its site. */
  readonly hasSite?: (k: BpfView, target: FunctionName) => boolean;
  /** The targets of a link whose trampolines that holds; all of them if nothing is said. */
  readonly held?: (k: BpfView, link: LinkId) => readonly string[];
  /** An inconsistency in its state, if there is one, while nothing is under way. */
  readonly disagreement?: (k: BpfView) => Disagreement | undefined;
  /**
   * Names of what it has allocated for its links: in a kernel without any, what it has never freed. Absent: what its
   * tables have more than after boot.
   */
  readonly allocated?: (k: BpfView) => readonly string[];
  /** Steps of its own in which something is done that is counted. */
  readonly counts?: readonly CountRow[];
}

/** The link, by name; it is in `k.bpf.links` before it is attached, and as long as it is being detached. */
export interface LinkArgs {
  link: LinkId;
}

/** A single program, as an entry of the lists of its target. */
export interface SingleArgs {
  target: FunctionName;
  node: TrampNode;
}

/** State of a design. Its module knows the form of it (`designData()`). */
export type DesignData = object | null;

/** State of a design, in the form that its `start()` gave it. */
export function designData<T extends object>(k: BpfWorld): T;
export function designData<T extends object>(k: BpfView): DeepReadonly<T>;
export function designData<T extends object>(k: BpfView): DeepReadonly<T> {
  return k.bpf.design as DeepReadonly<T>;
}
