import type { Errno } from './errno.ts';
import type { Change, Flavour, Locals, Name, Question } from './part.ts';
import type { World } from './world.ts';

/*
 * The instruction set of linked routines. A routine that is under way is a stack of frames, each with the
 * number of its next instruction and its locals: plain data that can be copied, hashed and resumed. Every
 * instruction is atomic for other actors; that is why a kernel function is cut into parts where another actor
 * can see a state in between.
 */

/** Operations of a linked program, dense from 0: the interpreter switches on them. */
export const DO = {
  STEP: 0,
  REFUSE: 1,
  FINISH: 2,
  LOCK: 3,
  TRYLOCK: 4,
  UNLOCK: 5,
  BRANCH: 6,
  JUMP: 7,
  LOOP: 8,
  NEXT: 9,
  CALL: 10,
  ROLLBACK: 11,
  REFAIL: 12,
  WAIT: 13,
  RETURN: 14,
  INDIRECT: 15,
} as const;

/** The operation decides which fields an instruction has. */
export type Instruction =
  | Does<
      'STEP',
      { readonly run: Change; readonly once: Question | undefined; readonly later: string | undefined }
    >
  | RefuseInstruction
  | Does<'FINISH' | 'BRANCH', { readonly when: (k: World, locals: Locals) => boolean }>
  | Does<'LOCK' | 'TRYLOCK' | 'UNLOCK', { readonly lock: Name }>
  | Does<'JUMP' | 'ROLLBACK' | 'REFAIL' | 'RETURN', object>
  | Does<'LOOP', { readonly list: (k: World, locals: Locals) => readonly unknown[] }>
  | Does<'NEXT', { readonly item: (locals: Locals, item: unknown) => void }>
  | Does<'CALL', Call>
  | Does<'INDIRECT', IndirectCall>
  | Does<'WAIT', { readonly flavour: Flavour; readonly when: (k: World, locals: Locals) => boolean }>;

/** A return site, which the step of an allocation is as well. */
export type RefuseInstruction = Does<'REFUSE', Refusal>;

/** An instruction of one kind, with what all have. */
type Does<D extends keyof typeof DO, Has> = Standing & { readonly do: (typeof DO)[D] } & Has;

/** Where an instruction stands, and where it leads. */
interface Standing {
  readonly routine: string;
  readonly id: string;
  /**
   * Number of the instruction at which a refusal resumes: the unlock or the rollback around it, or the return.
   * The `goto out_unlock` of C is this number.
   */
  readonly handler: number;
  /** Number of its own successor if that is not the next one; -1 if there is none. */
  target: number;
}

/**
 * A `return -E…` or `goto` of the kernel. `errnos` lists all that it may give, so that coverage knows what was
 * never met.
 */
interface Refusal {
  readonly errnos: readonly Errno[];
  readonly find: (k: World, locals: Locals) => Errno | undefined;
  /** It takes memory. */
  readonly allocates?: true;
}

/**
 * A call with a frame of its own. `give` computes the arguments from the caller's locals; `take` gets the
 * answer. Without `take` an errno ends the caller with the same errno.
 */
interface Call {
  readonly give: (k: World, locals: Locals) => Locals;
  readonly take: ((k: World, locals: Locals, errno: Errno | 0) => void) | undefined;
}

interface IndirectCall {
  readonly choose: (k: World, locals: Locals) => string;
  /** First instructions of what may be called, by name. */
  readonly targets: Readonly<Record<string, number>>;
  readonly give: (k: World, locals: Locals) => Locals;
}

/**
 * An instruction of a routine before it is set: it has the fields of all kinds, so that all have the same shape, and V8 reads
 * a field at the same place in each.
 */
export function unset(routine: string): Standing {
  const fields = {
    do: -1,
    routine,
    id: '',
    handler: -1,
    target: -1,
    run: undefined,
    once: undefined,
    later: undefined,
    errnos: undefined,
    find: undefined,
    allocates: undefined,
    when: undefined,
    lock: undefined,
    list: undefined,
    item: undefined,
    give: undefined,
    take: undefined,
    choose: undefined,
    targets: undefined,
    flavour: undefined,
  } satisfies Record<FieldOf<Instruction>, unknown>;
  return fields;
}

/** The names of all fields that an instruction of some kind has. */
type FieldOf<I> = I extends Instruction ? keyof I : never;
