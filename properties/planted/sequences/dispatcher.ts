import type { Action } from '../../../model/client/all.ts';
import { xdpLoad } from '../../../model/client/bpf-prog-load.ts';
import type { Locals, Part, Routine } from '../../../model/core/part.ts';
import type { World, WorldView } from '../../../model/core/world.ts';
import { calledAddress, imageName, imageOf, writeHalf } from '../../../model/dispatcher/change-prog.ts';
import { DISPATCHER_FUNC, NOP_FUNC, xdpOf } from '../../../model/dispatcher/dispatcher.ts';
import type { Kernel, KernelView } from '../../../model/kernel.ts';
import { branchBytes, HALF_BYTES } from '../../../model/text/space.ts';
import { NOP5, siteAddress, siteOf } from '../../../model/text/text.ts';
import { bpfArchTextPoke } from '../../../model/trampoline/image-lifecycle.ts';
import { tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { ZERO } from '../../../model/x86/word.ts';
import { noFtraceBug } from '../../ftrace/no-ftrace-bug.ts';
import { tracedCallsReturn } from '../../ftrace/traced-calls-return.ts';
import { callOf } from '../../observed/sample-call.ts';
import { referenceCountsAreExact } from '../../trampoline/reference-counts-are-exact.ts';
import { DISPATCHER, ETH0, kprobe, runsOn } from './actions.ts';
import { edit, instead } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** What the call site of the dispatched function jumps to, where there is no static call. */
function siteFor(k: KernelView, func: string): string {
  return func === NOP_FUNC
    ? NOP5
    : branchBytes('e9', siteAddress(k, DISPATCHER_FUNC), calledAddress(k, func));
}

/** `bpf_arch_text_poke(d->func, BPF_MOD_JUMP, old, new)`. */
const POKE: Part = {
  kind: 'call',
  id: bpfArchTextPoke.name,
  routine: bpfArchTextPoke as Routine,
  give: (k: WorldView, { half }: Locals) => {
    const kernel = k as KernelView;
    const func = half === undefined ? NOP_FUNC : imageName(half as number);
    const from = siteFor(kernel, xdpOf(kernel).dispatcher.call);
    return { place: siteOf(DISPATCHER_FUNC), from, to: siteFor(kernel, func) };
  },
  take: (k: World, { half }: Locals, errno) => {
    if (errno === 0)
      xdpOf(k as Kernel).dispatcher.call = half === undefined ? NOP_FUNC : imageName(half as number);
  },
};

/** An XDP program that returns XDP_ABORTED. */
function program(id: number): Action {
  return { ...xdpLoad(id), returns: ZERO };
}

/** Planted bugs in the dispatcher of XDP programs. */
export const PLANTED_DISPATCHERS: readonly AttachPlanted[] = [
  {
    name: 'dispatcher-pokes-a-site-of-ftrace',
    sentence: 'The dispatcher jumps to its image from the call site of its function, which ftrace manages.',
    history: 'bpf: Convert BPF_DISPATCHER to use static_call() (not ftrace) (6.1)',
    law: noFtraceBug,
    profile: '6.12',
    edits: [edit('bpf_dispatcher_update', '__BPF_DISPATCHER_UPDATE', () => [POKE])],
    functions: [ETH0, { ...DISPATCHER, id: 2 }],
    smallest: [program(1), runsOn(0, 1), kprobe(1, false, DISPATCHER_FUNC)],
    finding:
      'ftrace stays alive / it is dead: ftrace bug: bpf_dispatcher_xdp_func does not hold the instruction that its record says',
  },
  {
    name: 'dispatcher-does-not-count-users',
    sentence: 'bpf_dispatcher_remove_prog() takes a program off that another device runs.',
    history: undefined,
    law: referenceCountsAreExact,
    profile: '6.12',
    edits: [
      edit(
        'bpf_dispatcher_change_prog',
        'bpf_dispatcher_remove_prog',
        instead((k, locals, own) => {
          for (const slot of xdpOf(k).dispatcher.progs) if (slot.prog === locals['from']) slot.users = 1;
          own();
        }),
      ),
    ],
    functions: [ETH0, tracedFunction('eth1', 2, 'u64 -> u64'), { ...DISPATCHER, id: 3 }],
    smallest: [program(1), runsOn(0, 1), runsOn(1, 1), runsOn(1, 0)],
    finding: 'prog#1 in the dispatcher has 1 references / it has 0',
  },
  {
    name: 'image-is-for-the-other-half',
    sentence: 'The branches of an image are computed for the half that is in use.',
    history: undefined,
    law: tracedCallsReturn,
    profile: '6.12',
    edits: [
      edit(
        'bpf_dispatcher_update',
        'write the other half',
        instead((k, locals, own) => {
          own();
          const half = locals['half'] as number;
          writeHalf(k, half, imageOf(k, half ^ HALF_BYTES));
        }),
      ),
    ],
    functions: [ETH0, { ...DISPATCHER, id: 2 }],
    smallest: [program(1), runsOn(0, 1), callOf(ETH0, 0)],
    finding:
      'eth0 returns to its caller / fetch of 1 byte at 0xffffffff8103f810: unmapped, at bpf_dispatcher_xdp+0x7',
  },
];
