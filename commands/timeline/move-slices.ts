import { ITS_END } from '../../checker/interleavings/actors.ts';
import type { DoneStep } from '../../checker/interleavings/cause/done-step.ts';
import { unpackMove } from '../../checker/interleavings/move.ts';
import type { PlayedSchedule } from '../../checker/interleavings/play.ts';
import type { Space } from '../../checker/interleavings/space.ts';
import { moveWords, taskWords } from '../../counterexamples/interleavings/move-text.ts';
import type { Caller } from '../../model/call/caller.ts';
import { printCall } from '../../model/client/call.ts';
import { item } from '../../model/core/present.ts';
import type { RoutineFrame } from '../../model/core/world.ts';
import type { KernelView } from '../../model/kernel.ts';
import { codeOf } from '../explain/activations.ts';
import { begunOperation } from '../explain/move-told.ts';
import type { Enclosing } from './nested-slices.ts';

/** A part of a move, and what encloses it. */
export interface MoveSlice {
  readonly path: readonly Enclosing[];
  readonly slice: Enclosing;
}

/** The operations, background work and calls in progress, by actor. */
export class MoveSlices {
  private readonly outermost = new Map<string, Enclosing>();

  constructor(private readonly space: Space) {}

  /** The slices of a move on its actor's track, in the order of time; there is at least one. */
  of(played: PlayedSchedule): readonly MoveSlice[] {
    const { who, index } = unpackMove(played.move);
    const outermost = this.outermostOf(played, index);
    return who === 'caller' ? [this.taskSlice(played, index, outermost)] : this.steps(played, outermost);
  }

  /** Whether a move ends what its actor does. */
  isLast({ event, to, after }: PlayedSchedule): boolean {
    if (after === undefined || to === ITS_END) return true;
    return event?.is === 'operation' && event.step.ended !== undefined;
  }

  /** The operation of a client, the background work itself, the call of a task. */
  private outermostOf(played: PlayedSchedule, index: number): Enclosing {
    const { actor } = played.turn;
    const begun = begunOperation(this.space, played);
    if (begun !== undefined) this.outermost.set(actor, { name: begun, cat: 'operation' });
    const known = this.outermost.get(actor);
    if (known !== undefined) return known;
    const { scenario } = this.space;
    const { who } = unpackMove(played.move);
    const own: Enclosing =
      who === 'caller'
        ? { name: printCall(item(scenario.callers, index).call, scenario), cat: 'call' }
        : { name: actor, cat: 'work' };
    this.outermost.set(actor, own);
    return own;
  }

  /** Steps of an operation or of background work, in the kernel functions that they belong to. */
  private steps(played: PlayedSchedule, outermost: Enclosing): readonly MoveSlice[] {
    const did = this.space.stepOf(played.before, unpackMove(played.move))?.did ?? [];
    if (did.length === 0)
      return [{ path: [outermost], slice: { name: moveWords(this.space, played), cat: 'wait' } }];
    return doneSlices(did, outermost);
  }

  /** The code that a task runs from one stop to the next, in the code and the functions in C that it is in. */
  private taskSlice(played: PlayedSchedule, index: number, outermost: Enclosing): MoveSlice {
    const { space } = this;
    const caller = space.callerOf(played.before, index);
    const within = caller === null ? [] : this.framesOf(space.kernelOf(played.before), caller);
    const name = taskWords(space, played) || played.turn.does;
    return {
      path: [outermost, ...within],
      slice: { name, cat: 'code', args: { does: played.turn.does, to: played.to } },
    };
  }

  /** What an interrupt came into, the interrupt, the code, and the routines of a function in C. */
  private framesOf(k: KernelView, caller: Caller): Enclosing[] {
    const { interrupted, request, frames, trapped } = caller;
    const code = codeOf(this.space.runner.placeOf(k, caller));
    const routines = routinesOf(this.space, frames).filter((name, i) => i > 0 || name !== code);
    return [
      ...(interrupted === null
        ? []
        : [
            ...this.framesOf(k, interrupted),
            { name: `interrupt: ${printCall(request, this.space.scenario)}`, cat: 'interrupt' },
          ]),
      { name: code, cat: 'code' },
      ...(trapped ? [{ name: 'int3 handler', cat: 'code' }] : []),
      ...routines.map(kernelFunction),
    ];
  }
}

/** Steps of an operation, in the kernel functions that they belong to. */
export function doneSlices(did: readonly DoneStep[], outermost: Enclosing): readonly MoveSlice[] {
  return did.map(({ within, part, about, refused, isLock }) => ({
    path: [outermost, ...within.map(kernelFunction)],
    slice: {
      name: refused === undefined ? part : `${part} = -${refused}`,
      cat: isLock ? 'lock' : 'step',
      args: about,
    },
  }));
}

function kernelFunction(name: string): Enclosing {
  return { name, cat: 'function' };
}

/** The routines of an operation or of a function in C, the outermost first. */
export function routinesOf({ program }: Space, frames: readonly RoutineFrame[] | null): string[] {
  return (frames ?? []).map(({ pc }) => item(program.instructions, pc).routine);
}
