import type { Edit } from '../../../model/core/link.ts';
import type { Locals } from '../../../model/core/part.ts';
import type { Kernel } from '../../../model/kernel.ts';
import { bodyOrReplacementRunsOnce } from '../../ftrace/body-or-replacement-runs-once.ts';
import { callbacksRunInStageOrder } from '../../ftrace/callbacks-run-in-stage-order.ts';
import { callbacksSeeTheCallersArguments } from '../../ftrace/callbacks-see-the-callers-arguments.ts';
import { callerGetsTheReturnValue } from '../../ftrace/caller-gets-the-return-value.ts';
import { callerRegistersAndStackArePreserved } from '../../ftrace/caller-registers-and-stack-are-preserved.ts';
import { callsLeaveNothingBehind } from '../../ftrace/calls-leave-nothing-behind.ts';
import { directTrampolineRunsExactlyOnce } from '../../ftrace/direct-trampoline-runs-exactly-once.ts';
import { exitHandlersSeeTheReturnValue } from '../../ftrace/exit-handlers-see-the-return-value.ts';
import { missedReturnsAreCounted } from '../../ftrace/missed-returns-are-counted.ts';
import { newerClientsRunFirst } from '../../ftrace/newer-clients-run-first.ts';
import { noCallbacksWhileTracingIsOff } from '../../ftrace/no-callbacks-while-tracing-is-off.ts';
import { tracedCallsReturn } from '../../ftrace/traced-calls-return.ts';
import { attached, CALL_F1, direct, filter, fprobe, kprobe, link, livePatch, load } from './actions.ts';
import { dropped, edit, followedBy, instead, OWNER_IS_NOT_ASKED } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** An image whose bytes are changed after generation; hexadecimal text, for the images of 6.12. */
function image(from: RegExp, to: string): readonly Edit[] {
  return [
    edit(
      'bpf_trampoline_update',
      'generate the image',
      followedBy((k, locals) => {
        const page = k.text.pages[locals['image'] as string];
        if (page !== undefined) page.bytes = page.bytes.replace(from, to);
      }),
    ),
  ];
}

const NOP4 = '0f1f4000';
const NOP5 = '0f1f440000';

/** Planted bugs for the laws on calls. */
export const PLANTED_CALLS: readonly AttachPlanted[] = [
  {
    name: 'site-keeps-its-trampoline',
    sentence: 'Unregistering an ops frees its trampoline while its call sites still call it.',
    history: undefined,
    law: tracedCallsReturn,
    profile: '6.12',
    edits: [edit('ftrace_shutdown', 'text has to change', dropped)],
    smallest: [fprobe(1), { do: 'unregister_fprobe', fprobe: 'fprobe#1' }, CALL_F1],
    finding: 'f1 returns to its caller / fetch of 1 byte at page 0: unmapped, at f1+0x4',
  },
  {
    name: 'rbx-is-not-restored',
    sentence: 'The image does not reload rbx from its frame before it returns.',
    history: undefined,
    law: callerRegistersAndStackArePreserved,
    profile: '6.12',
    edits: image(/488b5d..(?=c9)/, NOP4),
    smallest: [...attached('fentry'), CALL_F1],
    finding: 'the callee-saved registers are preserved / rbx changed',
  },
  {
    name: 'return-value-is-not-loaded',
    sentence: 'After __bpf_tramp_exit the image returns whatever that left in rax.',
    history: undefined,
    law: callerGetsTheReturnValue,
    profile: '6.12',
    edits: image(/488b45f8(?=488b5d)/, NOP4),
    smallest: [...attached('fexit'), CALL_F1],
    finding: 'f1 returns 0xab0080c01098d981 / its caller gets 0xbadc0de0badc0de0',
  },
  {
    name: 'first-argument-from-rsi',
    sentence: 'The image stores the second argument in the slot of the first.',
    history: undefined,
    law: callbacksSeeTheCallersArguments,
    profile: '6.12',
    edits: image(/48897d/, '488975'),
    smallest: [...attached('fentry'), CALL_F1],
    finding: 'prog#1 sees f1(0x5100000071000000) / it sees f1(0x0)',
  },
  {
    name: 'original-return-is-not-stored',
    sentence: 'The image does not store the return value of the original.',
    history: undefined,
    law: exitHandlersSeeTheReturnValue,
    profile: '6.12',
    edits: image(/488945f8(?=0f1f44)/, NOP4),
    smallest: [...attached('fexit'), CALL_F1],
    finding: 'prog#1 sees f1 return 0xab0080c01098d981 / it sees 0x5a5a5a5a5a5a5a5a',
  },
  {
    name: 'modify-does-not-ask-for-ipmodify',
    sentence:
      'A direct call is changed to another trampoline despite a live patch, without querying its owner.',
    history: 'ftrace: bpf: Fix IPMODIFY + DIRECT in modify_ftrace_direct() (6.18)',
    law: bodyOrReplacementRunsOnce,
    profile: '6.12',
    edits: [OWNER_IS_NOT_ASKED],
    smallest: [
      livePatch('ops#1'),
      filter('ops#1'),
      load(1),
      load(2, 'fexit'),
      { do: 'register_ftrace_function', ops: 'ops#1' },
      link(1),
      link(2),
      CALL_F1,
    ],
    finding: 'a call of f1 runs the replacement / it runs the body of f1',
    rare: 'A live patch, then an entry program and an exit program of one function: one sequence in ten thousand.',
  },
  {
    name: 'modify-without-the-temporary-ops',
    sentence:
      'A direct call changes its address only in the hash: the flags are unchanged, so no text is patched.',
    history: undefined,
    law: directTrampolineRunsExactlyOnce,
    profile: '6.12',
    edits: [
      edit('__modify_ftrace_direct', 'register_ftrace_function_nolock', dropped),
      edit('__modify_ftrace_direct', 'unregister_ftrace_function', dropped),
    ],
    smallest: [
      filter('direct#1'),
      direct(1),
      { do: 'modify_ftrace_direct', ops: 'direct#1', addr: 'my_tramp2' },
      CALL_F1,
    ],
    finding: 'my_tramp2 runs once and returns to f1+0x9 / it does not run',
  },
  {
    name: 'tramp-exit-is-not-called',
    sentence: 'The image does not call __bpf_tramp_exit: its reference count never returns to zero.',
    history: undefined,
    law: callsLeaveNothingBehind,
    profile: '6.12',
    edits: image(/e8.{8}(?=488b45f8488b5d)/, NOP5),
    smallest: [...attached('fexit'), CALL_F1],
    finding: 'no task is in tramp#1 / its reference count is 1',
  },
  {
    name: 'sites-stay-when-tracing-goes-off',
    sentence: 'kernel.ftrace_enabled is cleared, and no call site becomes a nop.',
    history: undefined,
    law: noCallbacksWhileTracingIsOff,
    profile: '6.12',
    edits: [edit('ftrace_enable_sysctl', 'ops are registered', dropped)],
    smallest: [kprobe(1), { do: 'kernel.ftrace_enabled', value: false }, CALL_F1],
    finding: 'no client sees a call of f1 / kprobe#1 does',
  },
  {
    name: 'exit-program-in-the-entry-list',
    sentence: 'An fexit program is put on the list of the fentry programs.',
    history: undefined,
    law: callbacksRunInStageOrder,
    profile: '6.12',
    edits: [edit('bpf_trampoline_update', 'generate the image', instead(asEntryPrograms))],
    smallest: [...attached('fexit'), CALL_F1],
    finding: 'in a call of f1, f1 (body) runs before prog#1 (exit) / prog#1 (exit) runs first',
  },
  {
    name: 'ops-at-the-end-of-the-list',
    sentence: 'A registered ops is appended to the end of ftrace_ops_list.',
    history: undefined,
    law: newerClientsRunFirst,
    profile: '6.12',
    edits: [
      edit(
        '__register_ftrace_function',
        'publish the ops',
        followedBy((k) => {
          k.ftrace.opsList.push(k.ftrace.opsList.shift()!);
        }),
      ),
    ],
    smallest: [kprobe(1), fprobe(1), CALL_F1],
    finding: 'fprobe#1, newer than kprobe#1, sees a call of f1 first / kprobe#1 (kprobe) sees it first',
  },
  {
    name: 'no-active-retprobes',
    sentence: 'The pool of an fprobe has no nodes: its exit handler never runs.',
    history: 'fprobe: Fix to ensure the number of active retprobes is not zero (6.6)',
    law: missedReturnsAreCounted,
    profile: '6.12',
    edits: [
      edit(
        'register_fprobe_ips (rethook)',
        'make the pool',
        followedBy((k, locals) => {
          if (locals['prog'] === 0)
            k.probes.rethooks[locals['fprobe'] as string] = {
              free: 0,
              max: 0,
              handler: true,
              drained: false,
            };
        }),
      ),
    ],
    smallest: [fprobe(1, false, true), CALL_F1],
    finding:
      'fprobe#1, with 2 nodes for 1 calls, sees 1 returns and counts 0 misses / it sees 0 and counts 1',
  },
];

/** The image is planned as if all programs were entry programs. */
function asEntryPrograms(k: Kernel, _: Locals, own: () => void): void {
  const { progs } = k.bpf;
  k.bpf.progs = Object.fromEntries(
    Object.entries(progs).map(([number, prog]) => {
      const kind = prog.program.kind === 'fexit' ? ('fentry' as const) : prog.program.kind;
      return [number, { ...prog, program: { ...prog.program, kind } }];
    }),
  );
  own();
  k.bpf.progs = progs;
}
