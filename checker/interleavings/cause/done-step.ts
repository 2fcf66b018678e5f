import type { Errno } from '../../../model/core/errno.ts';
import type { Instruction } from '../../../model/core/instruction.ts';
import { DO } from '../../../model/core/instruction.ts';
import { item } from '../../../model/core/present.ts';
import type { Watch } from '../../../model/core/run.ts';
import type { RoutineFrame } from '../../../model/core/world.ts';

/** A part of a routine that an operation has executed, with its subject. */
export interface DoneStep {
  /** The routines that it is in, the outermost first. */
  readonly within: readonly string[];
  /** Which part of the innermost one. */
  readonly part: string;
  /** The names and numbers in the routines' locals: `{ ops: 'ops#1', ip: 'f1' }`. */
  readonly about: About;
  /** It takes a lock. */
  readonly isLock: boolean;
  /** It is a return site, and this is its answer. */
  readonly refused: Errno | undefined;
}

/** Locals of routines that are names or numbers, and the place in text that they work on; inner ones first. */
export type About = Readonly<Record<string, string | number>>;

/** Parts with an effect: the others only choose the next part. */
const ACTS: ReadonlySet<number> = new Set([DO.STEP, DO.LOCK, DO.TRYLOCK, DO.INDIRECT]);

/** Records the parts that an operation executes. */
export class StepRecorder {
  private steps: DoneStep[] = [];

  /** For the runner of an operation with these frames. */
  watch(frames: () => readonly RoutineFrame[], program: readonly Instruction[]): Watch {
    const note = ({ id, do: kind }: Instruction, refused: Errno | undefined) => {
      const all = frames();
      const within = all.map(({ pc }) => item(program, pc).routine);
      this.steps.push({ within, part: id, about: aboutOf(all), isLock: kind === DO.LOCK, refused });
    };
    return {
      step: (instruction) => {
        if (ACTS.has(instruction.do)) note(instruction, undefined);
      },
      refused: note,
    };
  }

  get count(): number {
    return this.steps.length;
  }

  /** Drops all records after this many. */
  cut(count: number): void {
    this.steps.length = count;
  }

  /** The records so far; begins again. */
  take(): readonly DoneStep[] {
    const { steps } = this;
    this.steps = [];
    return steps;
  }
}

/** The subjects of routines: their locals that are plain names and numbers. */
export function aboutOf(frames: readonly RoutineFrame[]): About {
  const about: Record<string, string | number> = {};
  for (const { locals } of frames)
    for (const name in locals) {
      const value = locals[name];
      if (typeof value === 'string' || typeof value === 'number') about[name] = value;
      else if (name === 'place' && isPlace(value)) about['place'] = value.name;
    }
  return about;
}

function isPlace(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}
