import type { Locals } from '../../../model/core/part.ts';
import { last } from '../../../model/core/present.ts';
import type { WorldView } from '../../../model/core/world.ts';
import type { RethookNode } from '../../../model/ftrace/probes.ts';
import type { Kernel, KernelView } from '../../../model/kernel.ts';
import type { Cpu } from '../../../model/text/cpu.ts';
import { tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { RAX } from '../../../model/x86/register.ts';
import { fromHex } from '../../../model/x86/word.ts';
import { callsLeaveNothingBehind } from '../../ftrace/calls-leave-nothing-behind.ts';
import { entryDataReachesItsExit } from '../../ftrace/entry-data-reaches-its-exit.ts';
import { exitsMatchAcceptedEntries } from '../../ftrace/exits-match-accepted-entries.ts';
import { overrunsAreCounted } from '../../ftrace/overruns-are-counted.ts';
import { probesFireExactlyOnce } from '../../ftrace/probes-fire-exactly-once.ts';
import { replacedReturnAddressesAreRecoverable } from '../../ftrace/replaced-return-addresses-are-recoverable.ts';
import { returnHooksRunInReverseOrder } from '../../ftrace/return-hooks-run-in-reverse-order.ts';
import { tracedCallsReturn } from '../../ftrace/traced-calls-return.ts';
import { callOf } from '../../observed/sample-call.ts';
import { CALL_F1, F1, failing, fprobe, graph, kretprobe } from './actions.ts';
import { dropped, edit, followedBy, instead } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

const REC = tracedFunction('rec', 1, 'u64 -> u64');

/** Planted bugs in what runs at a hooked entry and a hooked return. */
export const PLANTED_RETURNS: readonly AttachPlanted[] = [
  {
    name: 'returned-frame-stays',
    sentence: 'Function graph does not pop the frame of a call that has returned.',
    history: undefined,
    law: replacedReturnAddressesAreRecoverable,
    profile: '6.12',
    edits: [edit('ftrace_return_to_handler', 'pop the frame', dropped)],
    smallest: [graph(1), kretprobe(1), CALL_F1, CALL_F1],
    finding:
      'the return address at 0xffffc90000103ef8 reaches every hook that replaced it / it points to 0xffffffff81001005, past 1 of the hooks',
  },
  {
    name: 'outermost-frame-is-popped',
    sentence: 'A return pops the frame of the outermost call instead of its own.',
    history: undefined,
    law: tracedCallsReturn,
    profile: '6.1',
    edits: [
      edit(
        'ftrace_return_to_handler',
        'pop the frame',
        instead((k) => {
          k.fgraph.retStack.shift();
        }),
      ),
    ],
    functions: [REC],
    smallest: [graph(1), callOf(REC, 1)],
    finding: 'rec returns to its caller / read of 8 bytes at 0x838383834343430b: unmapped, at rec+0x67',
  },
  {
    name: 'nodes-stay-on-the-list',
    sentence: "The nodes of a return go back to their pools but stay on the task's list.",
    history: undefined,
    law: replacedReturnAddressesAreRecoverable,
    profile: '6.12',
    edits: [edit('arch_rethook_trampoline_callback', 'take the nodes off the list', dropped)],
    smallest: [kretprobe(1), kretprobe(2), CALL_F1, CALL_F1],
    finding:
      'the return address at 0xffffc90000103ef8 reaches every hook that replaced it / it points to 0xffffffff81001005, past 2 of the hooks',
  },
  {
    name: 'oldest-return-hook-runs-first',
    sentence: 'The handlers of one return run in the order in which they hooked it.',
    history: undefined,
    law: returnHooksRunInReverseOrder,
    profile: '6.12',
    edits: [
      edit('arch_rethook_trampoline_callback', 'each handler', (part) =>
        part.kind === 'each' ? [{ ...part, list: (k, locals) => part.list(k, locals).toReversed() }] : [part],
      ),
    ],
    smallest: [kretprobe(1, 'f1', true), kretprobe(2, 'f1', true), CALL_F1],
    finding: 'kretprobe#1 sees the return from f1 before kretprobe#2 / kretprobe#2 (kretprobe) sees it first',
  },
  {
    name: 'entry-data-of-the-newest-call',
    sentence: 'An fprobe has one entry-data buffer in total, not one per call.',
    history: undefined,
    law: entryDataReachesItsExit,
    profile: '6.12',
    edits: [
      edit(
        'fprobe_handler',
        'hook the return',
        followedBy(({ probes }, locals) => {
          const { left } = locals as { left?: string };
          const own = probes.hooked.at(-1)?.rethook;
          if (left === undefined || left === '') return;
          probes.hooked = probes.hooked.map((node) =>
            node.rethook === own ? { ...node, data: left } : node,
          );
        }),
      ),
    ],
    functions: [REC],
    smallest: [{ ...fprobe(1, true, true, 'rec'), entryDataSize: 8 }, callOf(REC, 1)],
    finding:
      'the exit handler of fprobe#1 gets 0x1, which its entry handler stored in this call of rec / it gets 0x3',
  },
  {
    name: 'returns-to-the-trampoline',
    sentence:
      'A return resumes at the address its newest hook found: the trampoline, if another hook had replaced it first.',
    history: undefined,
    law: tracedCallsReturn,
    profile: '6.12',
    edits: [
      edit(
        'arch_rethook_trampoline_callback',
        'give the return address',
        instead((_, locals) => {
          const [newest] = locals['nodes'] as readonly RethookNode[];
          (locals['cpu'] as Cpu).setRegister(RAX, fromHex(newest!.retAddr));
        }),
      ),
    ],
    smallest: [kretprobe(1), kretprobe(2), CALL_F1],
    finding: 'f1 returns to its caller / panic: no return address is known',
  },
  {
    name: 'exit-handlers-ignore-the-frame-bitmap',
    sentence: 'The bitmap of a frame has the bits of all users, whether they followed the call or not.',
    history: undefined,
    law: exitsMatchAcceptedEntries,
    profile: '6.12',
    edits: [
      edit(
        'function_graph_enter_regs',
        'mark those that accepted',
        instead((k: Kernel, _: Locals) => {
          last(k.fgraph.retStack).bitmap = 0xffff;
        }),
      ),
    ],
    smallest: [
      { do: 'ftrace_set_notrace', ops: 'gops#1.ops', ip: 'f1', reset: false },
      graph(2),
      graph(1),
      CALL_F1,
    ],
    finding: 'gops#1 sees no return from f1 whose entry it did not see / graph exit without an entry',
  },
  {
    name: 'refused-frame-stays',
    sentence: 'The frame of a call that no user follows stays on the shadow stack.',
    history: undefined,
    law: callsLeaveNothingBehind,
    profile: '7.2',
    edits: [edit('function_graph_enter_regs', 'pop the frame', dropped)],
    functions: [F1],
    smallest: [
      fprobe(1, false, true),
      failing('poke', 'ftrace_replace_code'),
      { do: 'unregister_fprobe', fprobe: 'fprobe#1' },
      CALL_F1,
    ],
    finding: 'the shadow stack is empty / it holds 1 frames in 4 words',
  },
  {
    name: 'overrun-is-not-counted',
    sentence: 'A call that finds the shadow stack full is not counted.',
    history: undefined,
    law: overrunsAreCounted,
    profile: '6.12, shadowStackWords = 36',
    edits: [
      edit('function_graph_enter_regs', 'there is space', (part) =>
        part.kind === 'when' ? [{ ...part, otherwise: [] }] : [part],
      ),
    ],
    functions: [REC],
    smallest: [graph(1), callOf(REC, 2)],
    finding:
      'gops#1 sees entry and return of 2 of 3 calls, and trace_overrun grows by 1 / it sees the entry of 2 and the return of 2, and trace_overrun grows by 0',
  },
  {
    name: 'last-frame-is-not-used',
    sentence: 'The shadow stack counts as full with one frame still free.',
    history: undefined,
    law: overrunsAreCounted,
    profile: '6.1, retfuncDepth = 2',
    edits: [
      edit('function_graph_enter', 'there is space', (part) =>
        part.kind === 'when'
          ? [{ ...part, when: (k: WorldView) => (k as KernelView).fgraph.retStack.length < 1 }]
          : [part],
      ),
    ],
    functions: [REC],
    smallest: [graph(1), callOf(REC, 1)],
    finding:
      'gops#1 sees entry and return of 2 of 2 calls, and trace_overrun grows by 0 / it sees the entry of 1 and the return of 1, and trace_overrun grows by 1',
  },
  {
    name: 'only-the-first-user-is-asked',
    sentence: 'Function graph calls the entry handler of one user of a function and skips the others.',
    history: undefined,
    law: probesFireExactlyOnce,
    profile: '6.12',
    edits: [
      edit('function_graph_enter_regs', 'a user', (part) =>
        part.kind === 'each' ? [{ ...part, list: (k, locals) => part.list(k, locals).slice(0, 1) }] : [part],
      ),
    ],
    smallest: [graph(1), graph(2), CALL_F1],
    finding: 'gops#2 sees f1 once (graph entry) / it never does',
  },
];
