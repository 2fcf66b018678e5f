import type { ImageId, ProgId } from '../../../model/core/ids.ts';
import { item } from '../../../model/core/present.ts';
import type { RoutineFrame } from '../../../model/core/world.ts';
import type { Kernel } from '../../../model/kernel.ts';
import type { CallerPart } from '../parts.ts';
import type { Space } from '../space.ts';
import type { PackedState } from '../state.ts';
import { conditionNamed, standingIn } from '../state.ts';
import type { About } from './done-step.ts';
import { aboutOf } from './done-step.ts';

/** The place of an actor: a task in its call, an operation, background work. */
export type Spot =
  /** Its call has not begun, or is over; no operation is in progress. */
  | { readonly in: 'nothing' }
  /** Before a part of a routine: the enclosing routines, the outermost first, and their subjects. */
  | { readonly in: 'routine'; readonly within: readonly string[]; readonly about: About }
  /** Before a function in C. */
  | { readonly in: 'C function'; readonly name: string }
  /** In a BPF program. */
  | { readonly in: 'program'; readonly prog: ProgId; readonly sleepable: boolean }
  /** In the code of an image of a trampoline. */
  | { readonly in: 'image'; readonly image: ImageId }
  /** In other code, by its name: a traced function, the entry code of ftrace, the trampoline of an ops. */
  | { readonly in: 'code'; readonly name: string };

/** The place of a task, and its state for grace periods. */
export interface SpotStanding {
  readonly at: Spot;
  /** Where the calls resume that the interrupt it is in has come into, the innermost first. */
  readonly interrupted: readonly Spot[];
  readonly condition: 'running' | 'preempted' | 'asleep' | 'outside';
  /** The sections that it is in. */
  readonly sections: readonly SpotSection[];
}

export type SpotSection = 'preemption off' | 'rcu' | 'rcu trace';

const NOTHING: Spot = { in: 'nothing' };
export const OUTSIDE: SpotStanding = {
  at: NOTHING,
  interrupted: [],
  condition: 'outside',
  sections: [],
};

/** The places of tasks of a space. A task's next step follows from its part of the state. */
export class Spots {
  private readonly known = new Map<CallerPart, Spot>();

  constructor(private readonly space: Space) {}

  standing(state: PackedState, caller: number): SpotStanding {
    const now = this.space.callerOf(state, caller);
    if (now === null) return OUTSIDE;
    const { preemptOff, rcu, rcuTrace } = now.thread.current;
    return {
      at: this.spotOf(state, now),
      interrupted: interruptedBy(now).map((caller) => this.spotOf(state, caller)),
      condition: conditionNamed(standingIn(state, caller)),
      sections: [
        ...(preemptOff > 0 ? (['preemption off'] as const) : []),
        ...(rcu > 0 ? (['rcu'] as const) : []),
        ...(rcuTrace > 0 ? (['rcu trace'] as const) : []),
      ],
    };
  }

  private spotOf(state: PackedState, caller: NonNullable<CallerPart>): Spot {
    const known = this.known.get(caller);
    if (known !== undefined) return known;
    const spot = this.find(this.space.kernelOf(state), caller);
    this.known.set(caller, spot);
    return spot;
  }

  private find(k: Kernel, caller: NonNullable<CallerPart>): Spot {
    if (caller.frames !== null) return this.inRoutine(caller.frames);
    const { runner } = this.space;
    const stand = runner.standOf(k, caller);
    if (stand.at === 'C function')
      return stand.number === 0
        ? { in: 'C function', name: stand.name }
        : {
            in: 'program',
            prog: stand.number,
            sleepable: k.bpf.progs[stand.number]?.program.sleepable === true,
          };
    const [name = ''] = runner.placeOf(k, caller).split('+');
    return k.bpf.images[name] === undefined ? { in: 'code', name } : { in: 'image', image: name };
  }

  /** Before the next part of frames. */
  inRoutine(frames: readonly RoutineFrame[] | null): Spot {
    if (frames === null) return NOTHING;
    const { instructions } = this.space.program;
    return {
      in: 'routine',
      within: frames.map(({ pc }) => item(instructions, pc).routine),
      about: aboutOf(frames),
    };
  }
}

function interruptedBy({ interrupted }: NonNullable<CallerPart>): readonly NonNullable<CallerPart>[] {
  return interrupted === null ? [] : [interrupted, ...interruptedBy(interrupted)];
}
