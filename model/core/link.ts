import type { Instruction, RefuseInstruction } from './instruction.ts';
import { DO, unset } from './instruction.ts';
import type { Part, Routine } from './part.ts';
import { item, present } from './present.ts';
import { unreachable } from './unreachable.ts';
import type { World } from './world.ts';

/*
 * Routines as flat code. A tree of parts becomes instructions whose jumps are numbers:
 *
 * ```text
 *   holding(lock, [a, b])        attempt([a, b], [undo])          when(c, [a], [b])
 *   ---------------------        ------------------------         -----------------
 *      LOCK                         JUMP body                        BRANCH c else B
 *      JUMP body                 R: ROLLBACK (keeps errno)           a
 *   U: UNLOCK                       undo                             JUMP end
 *      JUMP end                     REFAIL                        B: b
 *   body: a  b  (refused -> U)   body: a  b  (refused -> R)       end:
 *      JUMP U
 * ```
 */

/** Routines laid out flat: a program counter is the number of an instruction. */
export interface LinkedRoutines {
  readonly instructions: readonly Instruction[];
  /** First instruction of each routine, by its name. */
  readonly entries: ReadonlyMap<string, number>;
  /** For coverage: 1 for each instruction that this thread has executed since it was last cleared. */
  readonly executed: Uint8Array;
}

/** A planted bug in one part of a routine: the parts that take its place. */
export interface Edit {
  readonly routine: string;
  readonly id: string;
  readonly replace: (part: Part) => readonly Part[];
}

/** The input of the linker: the routines that clients call, the bindings of upcalls, and planted bugs. */
export interface Linkage {
  readonly routines: readonly Routine[];
  readonly upcalls: Readonly<Record<string, Routine>>;
  readonly edits?: readonly Edit[];
}

/** An instruction before it has its place. */
type Unplaced = Instruction extends infer I
  ? I extends Instruction
    ? Omit<I, 'routine' | 'target'> & Partial<Pick<I, 'target'>>
    : never
  : never;

/** An allocation is a return site as well. */
function refusalOf(lacks: (k: World) => boolean): Pick<RefuseInstruction, 'errnos' | 'find'> {
  return { errnos: ['ENOMEM'], find: (k) => (lacks(k) ? 'ENOMEM' : undefined) };
}

/** Lays out these routines and all that they call. */
export function linkProgram({ routines, upcalls, edits = [] }: Linkage): LinkedRoutines {
  const layout = new Layout(upcalls, edits);
  for (const routine of routines) layout.add(routine);
  return layout.finish();
}

class Layout {
  private readonly instructions: Instruction[] = [];
  private readonly entries = new Map<string, number>();
  private readonly waiting: Routine[] = [];
  private readonly known = new Map<string, Routine>();
  private readonly calls: (() => unknown)[] = [];
  private readonly unused: Set<Edit>;
  private routine = '';

  constructor(
    private readonly upcalls: Readonly<Record<string, Routine>>,
    private readonly edits: readonly Edit[],
  ) {
    this.unused = new Set(edits);
  }

  add(routine: Routine): void {
    const known = this.known.get(routine.name);
    if (known === routine) return;
    if (known !== undefined) throw new Error(`two routines are called ${routine.name}`);
    this.known.set(routine.name, routine);
    this.waiting.push(routine);
  }

  finish(): LinkedRoutines {
    for (let routine = this.waiting.shift(); routine !== undefined; routine = this.waiting.shift())
      this.layOut(routine);
    for (const lead of this.calls) lead();
    const [unused] = this.unused;
    if (unused !== undefined) throw new Error(`${unused.routine} has no part ${unused.id}`);
    const { instructions, entries } = this;
    return { instructions, entries, executed: new Uint8Array(instructions.length) };
  }

  /** The return comes first, so that its number is known to everything that ends the routine. */
  private layOut({ name, parts }: Routine): void {
    this.routine = name;
    const end = this.emit({ do: DO.RETURN, id: 'return', handler: -1 });
    this.entries.set(name, this.instructions.length);
    this.block(parts, end);
    this.emit({ do: DO.JUMP, id: 'return', handler: end, target: end });
  }

  private emit(item: Unplaced): number {
    this.instructions.push(Object.assign(unset(this.routine), item));
    return this.instructions.length - 1;
  }

  private block(parts: readonly Part[], handler: number): void {
    for (const part of parts) for (const item of this.edited(part)) this.part(item, handler);
  }

  private edited(part: Part): readonly Part[] {
    let parts: readonly Part[] = [part];
    for (const edit of this.edits) {
      if (edit.routine !== this.routine || edit.id !== part.id) continue;
      this.unused.delete(edit);
      parts = parts.flatMap((part) => edit.replace(part));
    }
    return parts;
  }

  /** How each kind of part is laid out. One switch on purpose: side by side, the kinds explain each other. */
  private part(part: Part, handler: number): void {
    const { id } = part;
    switch (part.kind) {
      case 'step':
        this.emit({ do: DO.STEP, id, handler, run: part.run, once: part.once, later: part.later });
        return;
      case 'refuse':
        this.emit({ do: DO.REFUSE, id, handler, errnos: part.errnos, find: part.find });
        return;
      case 'allocate':
        this.emit({ do: DO.REFUSE, id, handler, ...refusalOf(part.lacks), allocates: true });
        return;
      case 'finish':
        this.emit({ do: DO.FINISH, id, handler, when: part.when });
        return;
      case 'wait':
        this.emit({ do: DO.WAIT, id, handler, flavour: part.flavour, when: part.over });
        return;
      case 'call':
        this.call(part, handler);
        return;
      case 'indirect':
        this.indirect(part, handler);
        return;
      case 'hold':
        this.emit({ do: DO.LOCK, id, handler, lock: part.lock });
        this.locked(part, handler);
        return;
      case 'try': {
        const busy = this.emit({ do: DO.TRYLOCK, id, handler, lock: part.lock });
        this.locked(part, handler);
        const over = this.emit({ do: DO.JUMP, id, handler });
        this.land(busy);
        this.block(part.busy, handler);
        this.land(over);
        return;
      }
      case 'when': {
        const branch = this.emit({ do: DO.BRANCH, id, handler, when: part.when });
        this.block(part.parts, handler);
        const over = part.otherwise.length > 0 ? this.emit({ do: DO.JUMP, id, handler }) : undefined;
        this.land(branch);
        this.block(part.otherwise, handler);
        if (over !== undefined) this.land(over);
        return;
      }
      case 'each': {
        const loop = this.emit({ do: DO.LOOP, id, handler, list: part.list });
        const next = this.emit({ do: DO.NEXT, id, handler, item: part.take });
        item(this.instructions, loop).target = next;
        this.block(part.parts, handler);
        this.emit({ do: DO.JUMP, id, handler, target: next });
        this.land(next);
        return;
      }
      case 'again': {
        const start = this.instructions.length;
        this.block(part.parts, handler);
        const over = this.emit({ do: DO.BRANCH, id, handler, when: part.when });
        this.emit({ do: DO.JUMP, id, handler, target: start });
        this.land(over);
        return;
      }
      case 'attempt':
        this.attempt(part, handler);
        break;
      default:
        return unreachable(part);
    }
  }

  /**
   * The body's handler is an instruction that comes after the body: it is emitted first, jumped over, and
   * nothing but a refusal gets there.
   */
  private locked(part: Extract<Part, { kind: 'hold' | 'try' }>, handler: number): void {
    const over = this.emit({ do: DO.JUMP, id: part.id, handler });
    const id = typeof part.lock === 'string' ? `unlock ${part.lock}` : 'unlock';
    const unlock = this.emit({ do: DO.UNLOCK, id, handler, lock: part.lock });
    const away = this.emit({ do: DO.JUMP, id, handler });
    this.land(over);
    this.block(part.parts, unlock);
    this.emit({ do: DO.JUMP, id, handler, target: unlock });
    this.land(away);
  }

  private attempt(part: Extract<Part, { kind: 'attempt' }>, handler: number): void {
    const { id } = part;
    const over = this.emit({ do: DO.JUMP, id, handler });
    const rollback = this.emit({ do: DO.ROLLBACK, id: 'roll back', handler });
    this.block(part.rollback, handler);
    this.emit({ do: DO.REFAIL, id: 'rolled back', handler, target: rollback });
    this.land(over);
    this.block(part.parts, rollback);
  }

  private call(part: Extract<Part, { kind: 'call' }>, handler: number): void {
    const { id, give, take } = part;
    const routine = typeof part.routine === 'string' ? this.upcalls[part.routine] : part.routine;
    if (routine === undefined) throw new Error(`nothing is bound to ${id}`);
    const index = this.emit({ do: DO.CALL, id, handler, give, take });
    this.leadTo(routine, item(this.instructions, index), 'target');
  }

  private indirect(part: Extract<Part, { kind: 'indirect' }>, handler: number): void {
    const targets = {};
    this.emit({ do: DO.INDIRECT, id: part.id, handler, choose: part.choose, targets, give: part.give });
    for (const [name, routine] of Object.entries(part.routines())) this.leadTo(routine, targets, name);
  }

  /** When every routine has its place, `from[key]` is where this one starts. */
  private leadTo<K extends string>(routine: Routine, from: { [key in K]?: number }, key: K): void {
    this.add(routine);
    this.calls.push(() =>
      Object.assign(from, { [key]: present(this.entries.get(routine.name), routine.name) }),
    );
  }

  /** The instruction branches past everything that has been emitted so far. */
  private land(index: number): void {
    item(this.instructions, index).target = this.instructions.length;
  }
}
