import type { KernelProgram } from '../../model/call/kernel-program.ts';
import type { ImageId } from '../../model/core/ids.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { Kernel } from '../../model/kernel.ts';
import { isBuiltIn } from '../../model/step.ts';
import { calledFrom } from '../../model/trampoline/traced-function.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { requestsOf } from '../../properties/observed/scenario.ts';
import { clientName } from './actor-names.ts';
import type { Applied } from './effects.ts';
import type { Emit } from './event.ts';
import type { OperationMoves } from './operation-moves.ts';
import type { Stepped } from './operations.ts';
import { changesOnly } from './part-write.ts';
import type { Work } from './parts.ts';
import { RetiredTables } from './retired-tables.ts';
import type { SpaceTables } from './space-tables.ts';
import type { PackedState } from './state.ts';
import { callerIn, worldIn } from './state.ts';
import { isIn, isReachable } from './unobserved.ts';
import { UnseenEnds } from './unseen-ends.ts';
import type { PartName } from './world-parts.ts';

/*
 * Reduction: a move that is invisible now and later is taken at once, and no other move of that state is explored
 * (an ample set with a single move).
 *
 * Four sorts of moves qualify:
 *
 *   - steps that end a grace period of a retired image that no task is in and that nothing points to, or free its memory;
 *   - the end of a table that was replaced and that no call holds (`retired-tables.ts`);
 *   - other last steps of background work (`unseen-ends.ts`);
 *   - writes of a text poke to a place that no call reaches, while no kprobe has an int3 anywhere.
 *
 * Such a move is independent of every other one: no other move reads or writes what it touches, in this state or in any
 * state reachable without it, because an image that is unreachable and empty stays so, as does a table to which no pointer
 * leads, and a call that never reaches a place never will in this scenario. It disables no move, and postponing it past
 * others gives the same final state. It is invisible as well: no law refers to what it changes. Each of these moves
 * belongs to work that ends, so no cycle consists of them alone and no other actor is ignored forever. Every breach is
 * hence found on a path that takes these moves first. `reductions.test.ts` and `family-reductions.test.ts` compare
 * verdicts, ends and observed calls with and without it.
 */

/** The write of a change of text. */
const TEXT: readonly PartName[] = ['text.sites', 'text.pages', 'text.poke', 'text.pokes', 'text.views'];

/** The parts that decide where calls may go: an image is reachable through one of these or not at all. */
const LEADING: readonly PartName[] = [
  'text.sites',
  'text.poke',
  'text.views',
  'text.pages',
  'text.halves',
  'ftrace.ops',
  'ftrace.directFunctions',
];

/** Where executable memory is allocated. */
const MEMORY: readonly PartName[] = ['text.pages', 'text.halves'];

/** What the end of an image changes of the image alone. */
const IMAGES: readonly PartName[] = [...MEMORY, 'bpf.images'];

/**
 * Finds a move that no actor can see, now or later, and makes it the only one of its state. Answers are cached by the
 * numbers of the parts that they depend on: every state checks whether an image is reachable.
 */
export class UnseenMoves {
  private readonly pokePart: number;
  private readonly probedPart: number;
  private readonly locksPart: number;
  /** Parts that a change of text writes, and those that may point to an image. */
  private readonly textParts: ReadonlySet<number>;
  private readonly leadingParts: readonly number[];
  private readonly memoryParts: readonly number[];
  private readonly imageParts: ReadonlySet<number>;
  private readonly retiredTables: RetiredTables;
  private readonly ends: UnseenEnds | undefined;
  private readonly clientNames: readonly string[];
  private readonly called: ReadonlySet<string>;
  private readonly keepsImages: boolean;
  private readonly images = new Map<ImageId, KnownImage>();
  /** By world: which client changes text, and in which images. */
  private readonly changers: number[] = [];
  private readonly changedImages: (readonly ImageId[])[] = [];

  constructor(
    scenario: Scenario,
    private readonly tables: SpaceTables,
    private readonly operations: OperationMoves,
    program: KernelProgram,
  ) {
    const part = (name: PartName) => tables.parts.numberOf(name);
    this.pokePart = part('text.poke');
    this.probedPart = part('text.probed');
    this.locksPart = part('locks');
    this.textParts = new Set(TEXT.map(part));
    this.leadingParts = LEADING.map(part);
    this.memoryParts = MEMORY.map(part);
    this.imageParts = new Set(IMAGES.map(part));
    this.retiredTables = new RetiredTables(tables);
    this.ends = isBuiltIn(program) ? new UnseenEnds(scenario, tables) : undefined;
    const calls = scenario.callers.flatMap(requestsOf).map(({ fn }) => fn);
    this.clientNames = scenario.clients.map((_, i) => clientName(i));
    this.called = new Set(calls.flatMap((fn) => calledFrom(scenario.functions, fn)));
    this.keepsImages = profileNamed(scenario.profile).imageLifecycle === 'C';
  }

  /** Emits such a move, if there is one; answers whether there was. */
  visit(state: PackedState, emit: Emit): boolean {
    return this.visitUnseenWork(state, emit) || this.visitUnseenChange(state, emit);
  }

  private visitUnseenWork(state: PackedState, emit: Emit): boolean {
    const works = this.tables.worksOf(state);
    for (let j = 0; j < works.length; j++) {
      if (works[j]!.holdouts !== 0) continue;
      const applied = this.operations.workStep(state, works, j);
      if (!isPlain(applied) || !this.isUnseen(state, works[j]!, applied)) continue;
      this.operations.visitWork(state, works, j, emit);
      return true;
    }
    return false;
  }

  /** Since generation C some steps at the end of an image change its trampoline, which other actors can see. */
  private isUnseen(state: PackedState, work: Work, applied: Applied<{ readonly step: Stepped }>): boolean {
    const { image, waits } = work;
    if (image === '' && this.retiredTables.isFreedUnseen(state, work)) return true;
    const isDeserted = image !== '' && this.isDeserted(state, image);
    if (isDeserted && (!this.keepsImages || (waits !== null && waits !== 'workqueue'))) return true;
    if (isDeserted && changesOnly(this.imageParts, applied.writes)) return true;
    return this.ends?.isUnseen({ state, isDeserted }, applied) ?? false;
  }

  /** No task is in an image, and nothing points there. */
  private isDeserted(state: PackedState, image: ImageId): boolean {
    let known = this.images.get(image);
    if (known === undefined) {
      known = { reachable: new Map(), isLeftIn: [], inside: [] };
      this.images.set(image, known);
    }
    const { isLeftIn, inside } = known;
    if (!(isLeftIn[worldIn(state)] ??= this.isLeft(state, image, known))) return false;
    for (let i = 0; i < this.tables.layout.callers; i++) {
      const number = callerIn(state, i);
      const isInside = (inside[number] ??= isIn(
        this.tables.kernelOf(state),
        image,
        this.tables.callers.get(number),
      ));
      if (isInside) return false;
    }
    return true;
  }

  /** An image is allocated, and nothing points there. */
  private isLeft(state: PackedState, image: ImageId, { reachable }: KnownImage): boolean {
    if (!this.memoryParts.some((part) => image in (this.tables.partOf(state, part) as object))) return false;
    const leading = this.leadingParts.map((part) => this.tables.partNumber(state, part)).join();
    let found = reachable.get(leading);
    if (found === undefined) {
      found = isReachable(this.tables.kernelOf(state), image);
      reachable.set(leading, found);
    }
    return !found;
  }

  /** A step of the client that holds text_mutex, if it writes only text that no call reaches. */
  private visitUnseenChange(state: PackedState, emit: Emit): boolean {
    const i = this.changer(state);
    const step = i < 0 ? undefined : this.operations.clientStep(state, i);
    if (step === undefined || !isPlain(step)) return false;
    if (!changesOnly(this.textParts, step.writes) || !this.isChangedUnseen(state)) return false;
    this.operations.visitClient(state, i, emit);
    return true;
  }

  /** Index of the client that is changing text; -1: none is. */
  private changer(state: PackedState): number {
    const known = this.changers[worldIn(state)];
    if (known !== undefined) return known;
    const { text_mutex: holder = '' } = this.tables.partOf(state, this.locksPart) as Kernel['locks'];
    const found = this.tables.partOf(state, this.pokePart) === null ? -1 : this.clientNames.indexOf(holder);
    this.changers[worldIn(state)] = found;
    return found;
  }

  /** The handler of an int3 of a kprobe, too, holds the batch, wherever that changes text. */
  private isChangedUnseen(state: PackedState): boolean {
    const images = (this.changedImages[worldIn(state)] ??= this.imagesChanged(state) ?? SEEN);
    if (images === SEEN) return false;
    for (const image of images) if (!this.isDeserted(state, image)) return false;
    return true;
  }

  /** The images in which the batch of a world changes text, if it changes none that a call reaches. */
  private imagesChanged(state: PackedState): readonly ImageId[] | undefined {
    if (Object.keys(this.tables.partOf(state, this.probedPart) as object).length > 0) return undefined;
    const { vec } = this.tables.partOf(state, this.pokePart) as NonNullable<Kernel['text']['poke']>;
    const places = vec.map(({ place }) => place);
    if (!places.every(({ kind, name }) => kind === 'page' || (kind === 'site' && !this.called.has(name))))
      return undefined;
    return places.filter(({ kind }) => kind === 'page').map(({ name }) => name);
  }
}

/** Whether a step is possible, and no crash, which is seen. */
function isPlain({ result: { step } }: Applied<{ readonly step: Stepped }>): boolean {
  return !step.blocked && step.crash === undefined;
}

/** Instead of images: a call may reach the text that is changed. */
const SEEN: readonly ImageId[] = [];

/** The answers about an image so far. */
interface KnownImage {
  /** By the numbers of the parts that decide it. */
  readonly reachable: Map<string, boolean>;
  /** By world: whether it is allocated, and nothing points there. */
  readonly isLeftIn: boolean[];
  /** By caller. */
  readonly inside: boolean[];
}
