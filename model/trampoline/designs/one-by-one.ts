import type { Errno } from '../../core/errno.ts';
import type { Part } from '../../core/part.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { warn } from '../../core/world.ts';
import { bpfTrampolineLinkProg, bpfTrampolineUnlinkProg } from '../link.ts';
import { bpfTrampolineGet } from '../trampoline.ts';
import type { BpfView, BpfWorld } from '../world.ts';
import type { Design, LinkArgs } from './design.ts';
import type { HoldLocals } from './held-targets.ts';
import { putTargets } from './held-targets.ts';
import type { MultiTarget } from './targets.ts';
import { refuseMultiTarget, TARGET_ERRNOS, takeTarget, targetsOf } from './targets.ts';

/*
 * A tool that has nothing but single links, as one link: a trampoline for each function, and one change of ftrace
 * after the other. The kernel has no such function; all that it calls are the kernel's.
 *
 * ```text
 *   link {f1, f2, f3}   f1: image, site patched   f2: image, site patched   f3: refused
 *                       f2: unlinked, f1: unlinked, trampolines put
 * ```
 *
 * Every other design is compared with this one: it is right by construction, and costs N text updates, and N
 * grace periods on detach. A call of f2 between the first two columns runs without the program.
 */

/** An attach or a detach between its steps. */
interface EachLocals extends HoldLocals {
  /** Those that the program is attached to; the last one first. */
  linked: MultiTarget[];
}

/** The same checks, in the same order, as the merged bpf_trampoline_multi_attach() makes for each target. */
const linkEach = routine<BpfWorld, LinkArgs, EachLocals>('bpf_trampoline_link_each', (words) => {
  const { allocate, step, attempt, each, call, refuseWith } = words;
  return [
    allocate('the nodes'),
    step('start', (_, locals) => {
      locals.got = [];
      locals.linked = [];
    }),
    attempt(
      [
        each('target', targetsOf, takeTarget, [
          refuseWith(TARGET_ERRNOS, 'the program cannot attach to the function', (k, locals) =>
            refuseMultiTarget(k, locals, locals.target),
          ),
          call(bpfTrampolineGet, (_, { target }) => ({ target: target })),
          step('hold its trampoline', (_, locals) => {
            locals.got.push({ target: locals.target, node: locals.node });
          }),
          call(bpfTrampolineLinkProg, (_, { target, node }) => ({ target: target, node: node })),
          step('remember it', (_, locals) => {
            locals.linked.push({ target: locals.target, node: locals.node });
          }),
        ]),
      ],
      [
        unlinkTargets(words, (_, { linked }) => linked.toReversed()),
        putTargets(words, (_, { got }) => got.toReversed()),
      ],
    ),
  ];
});

/** close() cannot fail: what stays is only warned about. */
const unlinkEach = routine<BpfWorld, LinkArgs, EachLocals>('bpf_trampoline_unlink_each', (words) => [
  unlinkTargets(words, targetsOf),
  putTargets(words, targetsOf),
]);

type Targets = (k: BpfView, locals: EachLocals) => readonly MultiTarget[];

function unlinkTargets({ each, call }: RoutineWords<BpfWorld, EachLocals>, targets: Targets): Part {
  return each('target', targets, takeTarget, [
    call(bpfTrampolineUnlinkProg, (_, { target, node }) => ({ target: target, node: node }), warnStays),
  ]);
}

/** A program leaves its trampoline even when the site cannot be changed. */
function warnStays(k: BpfWorld, _: EachLocals, errno: Errno | 0): void {
  if (errno !== 0) warn(k, { is: 'program not taken off', errno, by: 'bpf_trampoline_unlink_each' });
}

/** The design without state of its own: `like` of another design may name it. */
export const oneByOne: Design = {
  name: 'one by one',
  sentence: 'Each function has its own image, generated and called before the next function is changed.',
  source:
    'kernel/bpf/trampoline.c  bpf_trampoline_link_prog, bpf_trampoline_unlink_prog, once for each function',
  kinds: ['fentry', 'fexit', 'fmod_ret', 'fsession'],
  attach: linkEach,
  detach: unlinkEach,
};
