import type { Part } from '../../core/part.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { bpfTrampolineGet, bpfTrampolinePut } from '../trampoline.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import type { LinkArgs } from './design.ts';
import type { MultiTarget } from './targets.ts';
import { refuseMultiTarget, TARGET_ERRNOS, takeTarget, targetsOf } from './targets.ts';

/*
 * References on the trampolines of a link's targets, for designs that need all of them before they start:
 * bpf_trampoline_get() for each, and bpf_trampoline_put() on failure or when the link is closed.
 */

/** The locals of a routine that holds the trampoline of each target of a link. */
export interface HoldLocals extends LinkArgs, MultiTarget {
  got: MultiTarget[];
}

/** The program has to fit each function, whose trampoline is held from then on. */
export function holdTargets({ step, each, call, refuseWith }: RoutineWords<BpfWorld, HoldLocals>): Part[] {
  return [
    step('nothing is held yet', (_, locals) => {
      locals.got = [];
    }),
    each('target', targetsOf, takeTarget, [
      refuseWith(TARGET_ERRNOS, 'the program cannot attach to the function', (k, locals) =>
        refuseMultiTarget(k, locals, locals.target),
      ),
      call(bpfTrampolineGet, (_, { target }) => ({ target })),
      step('remember it', (_, locals) => {
        locals.got.push({ target: locals.target, node: locals.node });
      }),
    ]),
  ];
}

/** Puts those that are held; or all, when a link is closed. In the opposite order, like any unwinding. */
export function putTargets(
  { each, call }: RoutineWords<BpfWorld, HoldLocals>,
  targets: (k: BpfView, locals: HoldLocals) => readonly MultiTarget[],
): Part {
  return each('target', targets, takeTarget, [call(bpfTrampolinePut, (_, { target }) => ({ target }))]);
}
