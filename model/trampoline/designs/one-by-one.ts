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
 * What a tool does that has nothing but single links, done by one link: a trampoline for each function, and one change
 * of ftrace after the other. The kernel has no such function; all that it calls are the kernel's.
 */

interface EachLocals extends HoldLocals {
  /** Those that the program is attached to; the last one first. */
  linked: MultiTarget[];
}

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

export const oneByOne: Design = {
  name: 'one by one',
  sentence: 'Each function has its own image, generated and called before the next function is changed.',
  source:
    'kernel/bpf/trampoline.c  bpf_trampoline_link_prog, bpf_trampoline_unlink_prog, once for each function',
  kinds: ['fentry', 'fexit', 'fmod_ret', 'fsession'],
  attach: linkEach,
  detach: unlinkEach,
};
