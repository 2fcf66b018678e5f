import type { Instruction } from '../../model/core/instruction.ts';
import { DO } from '../../model/core/instruction.ts';
import type { LinkedRoutines } from '../../model/core/link.ts';
import type { Flavour, Locals } from '../../model/core/part.ts';
import type { Operation, Watch } from '../../model/core/run.ts';
import { nextInstruction } from '../../model/core/run.ts';
import type { Deferred, World } from '../../model/core/world.ts';
import type { KernelView } from '../../model/kernel.ts';
import type { WaitFinding } from '../finding/wait-finding.ts';
import { covers } from './freed-memory.ts';
import type { Memory } from './memory.ts';
import { isCalled, isSameList, memoryOf, namesOf } from './memory.ts';

/** A grace period that a task has waited for, and the memory that no call could find any more when it began. */
interface Waited {
  readonly flavour: Flavour;
  readonly gone: ReadonlySet<string>;
}

/** What a task, or the operation that handed it over, has waited for; and what was gone when its next wait began. */
export interface TaskWaits {
  readonly waited: readonly Waited[];
  readonly gone: ReadonlySet<string>;
}

/** The knowledge before an action: memory that a call could find once, and the waits of work in the background. */
export interface WaitHistory {
  readonly found: ReadonlySet<string>;
  /** One for each piece of deferred work; undefined: where it comes from was not watched. */
  readonly background: readonly (TaskWaits | undefined)[];
}

export const NOTHING_WAITED: WaitHistory = { found: new Set(), background: [] };

/** What an action, and the work in the background meanwhile, has freed. */
export interface WaitFacts {
  readonly early: readonly WaitFinding[];
  /** Memory was freed that a call could find once. */
  readonly isFreed: boolean;
  readonly history: WaitHistory;
}

const NONE: ReadonlySet<string> = new Set();
const FIRST: TaskWaits = { waited: [], gone: NONE };

type Frames = Operation['frames'];

/** Watches an action that runs to its end: each task's waits, and what is freed after them. */
export class WaitWatch {
  readonly watch: Watch;
  private readonly early: WaitFinding[] = [];
  private isFreed = false;
  /** A step was watched: what follows is of the kernel before it, and of each step since. */
  private isBegun = false;
  private memory: ReadonlyMap<string, Memory> = new Map();
  /** Its names, which say whether it is still the same. */
  private names: readonly string[] = [];
  /** What of it no call could find yet. */
  private unfound: readonly (readonly [string, Memory])[] = [];
  private readonly found: Set<string>;
  private readonly tasks = new Map<Frames, TaskWaits | undefined>();
  /** Work that was handed over, and has not run yet. */
  private handed: { readonly work: Deferred; readonly waits: TaskWaits | undefined }[] = [];
  private last: { readonly instruction: Instruction; readonly operation: Operation } | undefined;

  constructor(
    private readonly program: LinkedRoutines,
    /** A snapshot of the kernel. */
    private readonly before: KernelView,
    private readonly k: KernelView & World,
    private readonly history: WaitHistory,
    also: Watch | undefined,
  ) {
    const { found, background } = history;
    this.found = new Set(found);
    this.deferred.forEach((work, i) => {
      const waits = background[i];
      if (work.frames === undefined) this.handed.push({ work, waits });
      else this.tasks.set(work.frames, waits);
    });
    this.watch = {
      ...also,
      step: (instruction, world, locals, operation) => {
        also?.step?.(instruction, world, locals, operation);
        this.step(instruction, locals, operation);
      },
    };
  }

  private get deferred(): readonly Deferred[] {
    const { deferred }: World = this.k;
    return deferred;
  }

  private begin(): void {
    if (this.isBegun) return;
    this.isBegun = true;
    const { before } = this;
    this.names = namesOf(before);
    this.memory = memoryOf(before, new Map());
    this.noteUnfound();
    this.noteFound(before);
  }

  private step(instruction: Instruction, locals: Locals, operation: Operation): void {
    this.begin();
    this.noteLast();
    const { frames } = operation;
    if (!this.tasks.has(frames)) this.tasks.set(frames, this.begun(instruction.routine, locals));
    const waits = this.tasks.get(frames);
    if (instruction.do === DO.WAIT && waits !== undefined) {
      const { flavour } = instruction;
      this.tasks.set(frames, { waited: [...waits.waited, { flavour, gone: waits.gone }], gone: NONE });
    }
    this.last = { instruction, operation };
  }

  /** The waits of work in the background that begins; an operation of a client has none. */
  private begun(routine: string, locals: Locals): TaskWaits | undefined {
    const i = this.handed.findIndex(({ work }) => isWork(work, routine, locals));
    if (i < 0) return FIRST;
    const [first] = this.handed.splice(i, 1);
    return first?.waits;
  }

  /** What the last instruction has freed and handed over, and whether its task waits now. */
  private noteLast(): void {
    const { last } = this;
    if (last === undefined) return;
    this.last = undefined;
    const { instruction, operation } = last;
    const { frames } = operation;
    if (instruction.do === DO.STEP) {
      this.noteMemory(this.tasks.get(frames));
      if (instruction.later !== undefined) this.noteHandedOver(instruction.later, this.tasks.get(frames));
    }
    if (frames.length === 0 || nextInstruction(this.program, frames).do !== DO.WAIT) return;
    const waits = this.tasks.get(frames);
    if (waits !== undefined) this.tasks.set(frames, { ...waits, gone: this.gone() });
  }

  private noteMemory(waits: TaskWaits | undefined): void {
    const names = namesOf(this.k);
    if (!isSameList(names, this.names)) this.noteOther(names, waits);
    this.noteFound();
  }

  /** Memory came, or went. */
  private noteOther(names: readonly string[], waits: TaskWaits | undefined): void {
    const before = this.memory;
    this.names = names;
    this.memory = memoryOf(this.k, before);
    for (const [key, memory] of before) {
      if (this.memory.has(key) || !this.found.delete(key)) continue;
      if (waits !== undefined && !memory.isIdle) this.judge(key, memory, waits);
    }
    this.noteUnfound();
  }

  private noteUnfound(): void {
    this.unfound = [...this.memory].filter(
      ([key, { kind }]) => kind.isCalled !== null && !this.found.has(key),
    );
  }

  private judge(key: string, { kind, name, needs }: Memory, { waited }: TaskWaits): void {
    this.isFreed = true;
    const periods = waited.filter(({ gone }) => gone.has(key)).map(({ flavour }) => flavour);
    const lacking = firstLacking(periods, needs);
    if (lacking !== undefined) this.early.push({ is: 'freed-early', kind: kind.is, name, lacking, periods });
  }

  private noteHandedOver(routine: string, waits: TaskWaits | undefined): void {
    const work = this.deferred.at(-1);
    if (work?.routine !== routine || work.frames !== undefined) return;
    if (this.handed.some((other) => other.work === work)) return;
    this.handed.push({ work, waits: waits === undefined ? undefined : { ...waits, gone: this.gone() } });
  }

  private noteFound(k: KernelView = this.k): void {
    if (!this.unfound.some(([, memory]) => isCalled(k, memory))) return;
    for (const [key, memory] of this.unfound) if (isCalled(k, memory)) this.found.add(key);
    this.noteUnfound();
  }

  /** What calls find from now on, and what they have left to their client. */
  private noteEnd(): void {
    for (const [key, { kind, name }] of this.memory)
      if (kind.isFound(this.k, name)) this.found.add(key);
      else if (kind.isIdle?.(this.k, name) === true) this.found.delete(key);
  }

  /** What a call could find once, and cannot any more. */
  private gone(): ReadonlySet<string> {
    const gone = new Set<string>();
    for (const [key, { kind, name }] of this.memory)
      if (this.found.has(key) && !kind.isFound(this.k, name)) gone.add(key);
    return gone;
  }

  /** The action has ended; `after`: a snapshot of the kernel. */
  finish(after: KernelView): WaitFacts {
    const { history } = this;
    if (!this.isBegun && this.isUntouched(after)) return { early: [], isFreed: false, history };
    this.begin();
    this.noteLast();
    this.noteEnd();
    const background = this.deferred.map((work) => {
      if (work.frames !== undefined && this.tasks.has(work.frames)) return this.tasks.get(work.frames);
      return this.handed.find((other) => isWork(other.work, work.routine, work.args))?.waits;
    });
    const { early, isFreed, found } = this;
    return { early, isFreed, history: { found, background } };
  }

  /** Nothing that a call finds memory by has changed since the end of the last action, and no work is left. */
  private isUntouched(after: KernelView): boolean {
    if (this.history === NOTHING_WAITED || this.deferred.length > 0) return false;
    return FINDING.every((part) => after[part] === this.before[part]);
  }
}

/** The parts of a kernel that say what memory there is, and how calls find it. */
const FINDING = ['text', 'ftrace', 'fgraph', 'bpf', 'tracepoints', 'perf'] as const;

function isWork({ routine, args }: Deferred, of: string, locals: Readonly<Record<string, unknown>>): boolean {
  return routine === of && Object.keys(args).every((key) => args[key] === locals[key]);
}

/** The first that has not passed, in their order; undefined: all have. */
function firstLacking(passed: readonly Flavour[], needs: readonly Flavour[]): Flavour | undefined {
  let from = 0;
  for (const needed of needs) {
    const first = passed.findIndex((flavour, i) => i >= from && covers(flavour, needed));
    if (first < 0) return needed;
    from = first + 1;
  }
  return undefined;
}
