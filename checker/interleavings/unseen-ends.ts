import type { ProgId } from '../../model/core/ids.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import { searchedCall } from '../sequences/calls/all.ts';
import type { DoneStep } from './cause/done-step.ts';
import type { Applied } from './effects.ts';
import type { Stepped } from './operations.ts';
import { changesOnly } from './part-write.ts';
import type { SpaceTables } from './space-tables.ts';
import type { PackedState } from './state.ts';
import type { PartName } from './world-parts.ts';

/*
 * The last steps of background work that make no difference to other actors, by what the kernel's own routines do: which
 * of them may read what it writes is known of these alone, so that a program with other steps is searched without.
 *
 * ```text
 *   bpf_tramp_image_free   leave the list of images   of an image that no call can enter: an operation that finds it in the
 *                                                     list only jumps over a program in it, which no call sees
 *   bpf_trampoline_put     drop a reference           of a trampoline that a link keeps which no operation closes
 *   bpf_link_dealloc       free the fprobe            of a link that has none
 *   bpf_prog_put           drop a reference           of a program whose file descriptor stays open
 * ```
 *
 * Counters count the same in any order, and neither comes to zero. A step that takes a lock is possible only while that is
 * free, and gives it back: a run in which it comes later, perhaps after it had to wait, is otherwise the same, for no
 * operation that holds one of these locks waits for background work.
 */

/** What such a step may write. */
const WRITTEN: readonly PartName[] = ['bpf.trampolines', 'bpf.progs'];

/** The state before a step. */
interface Situation {
  readonly state: PackedState;
  /** The image that the work frees is one that no call can enter. */
  readonly isDeserted: boolean;
}

/** The steps: the routine, and which part of it. */
export const UNSEEN_ENDS = [
  'bpf_tramp_image_free: leave the list of images',
  'bpf_trampoline_put: drop a reference',
  'bpf_link_dealloc: free the fprobe',
  'bpf_prog_put: drop a reference',
] as const;

type Unseen = (situation: Situation, step: DoneStep, applied: Applied<unknown>) => boolean;

/** Finds the last steps of background work that no other actor sees. */
export class UnseenEnds {
  private readonly written: ReadonlySet<number>;
  private readonly faultPart: number;
  private readonly trampolinesPart: number;
  private readonly progsPart: number;
  /** The links and programs that operations of the scenario name. */
  private readonly named: ReadonlySet<string>;
  /** By the number of the trampolines: those that a link keeps which no operation closes. */
  private readonly kept: ReadonlySet<string>[] = [];
  private readonly rules: ReadonlyMap<string, Unseen>;

  constructor(
    { clients }: Scenario,
    private readonly tables: SpaceTables,
  ) {
    const part = (name: PartName) => tables.parts.numberOf(name);
    this.written = new Set(WRITTEN.map(part));
    this.faultPart = part('fault');
    this.trampolinesPart = part('bpf.trampolines');
    this.progsPart = part('bpf.progs');
    this.named = new Set(clients.flat().flatMap((action) => searchedCall(action).objectsOf(action)));
    const rules: Readonly<Record<(typeof UNSEEN_ENDS)[number], Unseen>> = {
      // An ordered failure may be that of the jump.
      'bpf_tramp_image_free: leave the list of images': ({ state, isDeserted }) =>
        isDeserted && this.tables.partOf(state, this.faultPart) === null,
      'bpf_trampoline_put: drop a reference': ({ state }, { about }) =>
        this.keptIn(state).has(String(about['target'])),
      'bpf_link_dealloc: free the fprobe': (_situation, _step, { writes }) => writes.length === 0,
      'bpf_prog_put: drop a reference': ({ state }, { about }) =>
        this.staysOpen(state, Number(about['prog'])),
    };
    this.rules = new Map(Object.entries(rules));
  }

  /** Whether all that a step of background work does in a state is of these. It is possible, and no crash. */
  isUnseen(situation: Situation, applied: Applied<{ readonly step: Stepped }>): boolean {
    const { writes, result } = applied;
    const { warnings, spawned, did } = result.step;
    if (warnings.length + spawned.length > 0) return false;
    if (!changesOnly(this.written, writes)) return false;
    const steps = did.filter(({ isLock }) => !isLock);
    return (
      steps.length > 0 &&
      steps.every((step) => this.rules.get(nameOf(step))?.(situation, step, applied) ?? false)
    );
  }

  private keptIn(state: PackedState): ReadonlySet<string> {
    const number = this.tables.partNumber(state, this.trampolinesPart);
    let known = this.kept[number];
    if (known === undefined) {
      const trampolines = Object.entries(
        this.tables.partOf(state, this.trampolinesPart) as Kernel['bpf']['trampolines'],
      );
      const kept = trampolines.filter(([, { nodes }]) =>
        nodes.some(({ link }) => !this.named.has(`link ${link}`)),
      );
      this.kept[number] = known = new Set(kept.map(([target]) => target));
    }
    return known;
  }

  private staysOpen(state: PackedState, prog: ProgId): boolean {
    const progs = this.tables.partOf(state, this.progsPart) as Kernel['bpf']['progs'];
    return progs[prog]?.open === true && !this.named.has(`prog ${prog}`);
  }
}

function nameOf({ within, part }: DoneStep): string {
  return `${within.at(-1)}: ${part}`;
}
