import type { ProgId } from '../core/ids.ts';
import type { Word } from '../x86/word.ts';
import { ZERO } from '../x86/word.ts';

/** Program kinds: a session has a half at the entry and a half at the exit; freplace needs no image. */
export type TracingKind = 'fentry' | 'fexit' | 'fmod_ret' | 'fsession' | 'freplace';

/** Those that an image calls, in running order. */
export const KINDS: readonly TracingKind[] = ['fentry', 'fmod_ret', 'fexit', 'fsession'];

/**
 * One BPF program linked to the traced function (`struct bpf_tramp_link`, and the relevant part of its program).
 */
export interface BpfProgram {
  /** Number in order of attachment, from 1: `prog#1`. */
  readonly id: ProgId;
  readonly kind: TracingKind;
  /** Attached by a tracing-multi link. */
  readonly multi: boolean;
  /** The value of bpf_get_attach_cookie(); zero by default. */
  readonly cookie: Word;
  /** Calls bpf_get_func_ip(). */
  readonly getFuncIp: boolean;
  /** Calls bpf_session_cookie(). */
  readonly sessionCookie: boolean;
  readonly sleepable: boolean;
  /**
   * A program of BPF LSM (`BPF_LSM_MAC`): of the kind that bpf_attach_type_to_tramp() gives it, fexit on a hook that
   * returns nothing and fmod_ret on any other.
   */
  readonly lsm?: true;
  /** A program of BPF LSM for cgroups (`BPF_LSM_CGROUP`), which no image calls: a shim does. */
  readonly cgroup?: true;
  /** The kernel's own program of BPF LSM, which runs those for cgroups. */
  readonly shim?: true;
  /** A program of a struct_ops member (`BPF_PROG_TYPE_STRUCT_OPS`): its image has no function to call. */
  readonly structOps?: true;
  /** Reads ctx itself, or through bpf_get_func_arg() and bpf_get_func_ret(), or only the return value itself. */
  readonly reads: 'direct' | 'helpers' | 'return directly';
  /**
   * For multi links: the arguments that it reads itself, by their numbers in the function that it was checked
   * against at the load; `return directly`: and the return value. Undefined: it was checked against none.
   */
  readonly accesses?: readonly number[];
}

/** Whether an image is that of a struct_ops member: it has one program, and no function to call. */
export function isOfMember(programs: readonly Pick<BpfProgram, 'structOps'>[]): boolean {
  return programs.some(({ structOps }) => structOps);
}

/** Whether a program is checked against a function when it is loaded. */
export function hasTargetAtLoad({ multi, accesses }: BpfProgram): boolean {
  return !multi || accesses !== undefined;
}

/** A program at the entry of a function, with every option off. */
export function plainProgram(id: ProgId): BpfProgram {
  return {
    id,
    kind: 'fentry',
    multi: false,
    cookie: ZERO,
    getFuncIp: false,
    sessionCookie: false,
    sleepable: false,
    reads: 'helpers',
  };
}

/** A program for kprobe.multi: its arguments are in registers, and no helper reads them. */
export function probeProgram(id: ProgId): BpfProgram {
  return { ...plainProgram(id), reads: 'direct' };
}

/** The programs of one trampoline by list, each in running order. */
export interface ProgramLists {
  readonly fentry: readonly BpfProgram[];
  readonly fmodRet: readonly BpfProgram[];
  readonly fexit: readonly BpfProgram[];
}

/**
 * The lists in which the programs run: hlist_add_head() puts the newest first, at the exit as at the entry; a
 * session is in both (bpf_trampoline_add_prog(), kernel/bpf/trampoline.c).
 */
export function programLists(programs: readonly BpfProgram[]): ProgramLists {
  const newestFirst = programs.toReversed();
  const of = (...kinds: TracingKind[]) => newestFirst.filter((program) => kinds.includes(program.kind));
  return { fentry: of('fentry', 'fsession'), fmodRet: of('fmod_ret'), fexit: of('fexit', 'fsession') };
}

/** Links as `bpf_trampoline_link_prog()` counts them: a session counts twice. */
export function linkCount(programs: readonly BpfProgram[]): number {
  return programs.reduce((sum, { kind }) => sum + (kind === 'fsession' ? 2 : 1), 0);
}

/** Symbols by program number, cached. */
const CODE: string[] = [];
/** Symbols of `struct bpf_prog`, as the image loads them. */
const STRUCT: string[] = [];

/** Symbol of a program's code. */
export function programCode({ id }: BpfProgram): string {
  return (CODE[id] ??= `prog#${id}`);
}

/** Symbol of its `struct bpf_prog`. */
export function programStruct({ id }: BpfProgram): string {
  return (STRUCT[id] ??= `&prog#${id}`);
}

/** The code of every shim (`prog->bpf_func`). */
export const CGROUP_RUN = '__cgroup_bpf_run_lsm_current';

/** What it returns if one of them denies: `-EPERM` as an `unsigned int`. */
export const CGROUP_DENIES: Word = { hi: 0, lo: -1 };

/** Symbol of its `insnsi`, which code that is not jited gets besides its context. */
export function programInsns(program: BpfProgram): string {
  return `${programStruct(program)}->insnsi`;
}

/**
 * bpf_prog_check_recur(): tracing programs are protected against recursion, those of BPF LSM and of struct_ops members
 * are not.
 */
export function checksRecursion({ lsm, structOps }: BpfProgram): boolean {
  return lsm !== true && structOps !== true;
}

/** Symbols of `__bpf_prog_enter*` and `__bpf_prog_exit*` (bpf_trampoline_enter()). */
export function enterHelper(program: BpfProgram): string {
  if (checksRecursion(program))
    return program.sleepable ? '__bpf_prog_enter_sleepable_recur' : '__bpf_prog_enter_recur';
  return program.sleepable ? '__bpf_prog_enter_sleepable' : '__bpf_prog_enter';
}

export function exitHelper(program: BpfProgram): string {
  if (checksRecursion(program))
    return program.sleepable ? '__bpf_prog_exit_sleepable_recur' : '__bpf_prog_exit_recur';
  return program.sleepable ? '__bpf_prog_exit_sleepable' : '__bpf_prog_exit';
}
