import { entry } from '../../../model/core/present.ts';
import type { Kernel } from '../../../model/kernel.ts';
import type { Cpu } from '../../../model/text/cpu.ts';
import type { BpfProg } from '../../../model/trampoline/world.ts';
import { programOfStruct } from '../../../model/trampoline/world.ts';
import { RAX, RDI } from '../../../model/x86/register.ts';
import { fromNumber } from '../../../model/x86/word.ts';
import { callerRegistersArePreserved } from '../../task/caller-registers-are-preserved.ts';
import { noRecursionOnOneCpu } from '../../task/no-recursion-on-one-cpu.ts';
import { probesSeeOldOrNew } from '../../task/probes-see-old-or-new.ts';
import { programActiveCountsReturnToZero } from '../../task/program-active-counts-return-to-zero.ts';
import { returnValueIsOldOrNew } from '../../task/return-value-is-old-or-new.ts';
import { load } from '../sequences/actions.ts';
import { dropped, edit, followedBy, giving, instead, OWNER_IS_NOT_ASKED } from '../sequences/edits.ts';
import type { TaskPlanted } from './planted.ts';
import {
  asleepIn,
  calls,
  close,
  directCall,
  livePatchOn,
  modifyDirect,
  open,
  register,
  registerDirect,
  scenario,
  THROUGH_THE_LIST,
} from './scenarios.ts';

/** Two tasks on one CPU, which call the same function. */
const TWO_CALLS = scenario({ setup: [load(1), open(1)], callers: [calls('f1'), calls('f1')] });

/** The program is entered, whatever it is counted. */
const ENTERS_AGAIN = edit(
  '__bpf_prog_enter_recur',
  'set the run context, and count',
  followedBy((_, locals) => (locals['cpu'] as Cpu).setRegister(RAX, fromNumber(1))),
);

function programIn(k: Kernel, cpu: unknown): BpfProg {
  return entry(k.bpf.progs, programOfStruct((cpu as Cpu).register(RDI)));
}

/** Planted bugs that show in a call that overlaps operations or other calls. */
export const PLANTED_TASK_CALLS: readonly TaskPlanted[] = [
  {
    name: 'recursion-is-not-detected',
    sentence: '__bpf_prog_enter_recur() lets a task enter a program that already runs on the CPU.',
    history: 'bpf: Prevent bpf program recursion for raw tracepoint probes (6.1; 6.0.10)',
    law: noRecursionOnOneCpu,
    profile: '6.12',
    edits: [ENTERS_AGAIN],
    scenario: TWO_CALLS,
    finding: 'at most one task runs prog#1 on a CPU / 2 do',
    moves: 12,
  },
  {
    name: 'interrupt-runs-its-program-again',
    sentence: '__bpf_prog_enter_recur() lets an interrupt enter the program that it has interrupted.',
    history: undefined,
    law: noRecursionOnOneCpu,
    profile: '6.12',
    edits: [ENTERS_AGAIN],
    scenario: scenario({
      setup: [load(1), open(1)],
      callers: [calls('f1', { interrupt: calls('f1').call })],
    }),
    finding: 'at most one task runs prog#1 on a CPU / 2 do',
    moves: 11,
  },
  {
    name: 'skipped-program-stays-active',
    sentence: 'A program that is skipped because it already runs stays counted as active.',
    history: 'bpf: Invoke __bpf_prog_exit_sleepable_recur() on recursion in kern_sys_bpf() (6.6; 6.1.55)',
    law: programActiveCountsReturnToZero,
    profile: '6.12',
    edits: [
      edit(
        '__bpf_prog_exit_recur',
        'reset the run context, and count',
        instead((k, { cpu }, own) => {
          const busy = programIn(k, cpu).active > 1;
          own();
          if (busy) programIn(k, cpu).active++;
        }),
      ),
    ],
    scenario: { ...TWO_CALLS, clients: [[close(1)]] },
    finding: 'no program is active when no call is in progress / prog#1 on CPU 0',
    moves: 66,
  },
  {
    name: 'modify-without-the-detour',
    sentence: "A site's direct call changes while the site still calls the old trampoline directly.",
    history: undefined,
    law: probesSeeOldOrNew,
    profile: '6.12',
    edits: [
      edit('__modify_ftrace_direct', 'register_ftrace_function_nolock', dropped),
      edit('__modify_ftrace_direct', 'unregister_ftrace_function', dropped),
    ],
    scenario: scenario({ setup: [...directCall(1), registerDirect(1)], clients: [[modifyDirect(1, 2)]] }),
    finding: 'my_tramp2 sees f1 once (direct) / my_tramp2 never sees f1 (direct)',
    moves: 7,
  },
  {
    name: 'table-is-emptied-first',
    sentence:
      "A registration empties direct_functions and refills it: a lookup in between misses the site's direct call.",
    history: 'ftrace: Fix modification of direct_function hash while in use (6.7; 6.6.10)',
    law: probesSeeOldOrNew,
    profile: '7.2',
    edits: [
      edit('register_ftrace_direct', 'publish direct_functions', (part) => [
        {
          kind: 'step',
          id: 'empty the table',
          run: (k, locals) => {
            locals['held'] = (k as Kernel).ftrace.directFunctions;
            (k as Kernel).ftrace.directFunctions = {};
          },
        },
        {
          kind: 'step',
          id: 'fill the table',
          run: (k, locals) => {
            (k as Kernel).ftrace.directFunctions = locals['held'] as Record<string, string>;
          },
        },
        part,
      ]),
    ],
    scenario: THROUGH_THE_LIST,
    finding: 'my_tramp1 sees f1 once (direct) / my_tramp1 never sees f1 (direct)',
    moves: 21,
  },
  {
    name: 'live-patch-is-bypassed',
    sentence:
      'A direct call is changed to an image that calls the original, although a live patch replaces it.',
    history: 'ftrace: bpf: Fix IPMODIFY + DIRECT in modify_ftrace_direct() (6.18)',
    law: returnValueIsOldOrNew,
    profile: '6.12',
    edits: [OWNER_IS_NOT_ASKED],
    scenario: scenario({
      setup: [...livePatchOn('ops#1'), load(1), load(2, 'fexit'), register('ops#1'), open(1)],
      clients: [[open(2)]],
    }),
    finding: 'f1 returns 0xaaaa000055550000 / its caller gets 0x81081000db40b34',
    moves: 39,
  },
  {
    name: 'retired-image-keeps-rbx',
    sentence: 'The jump patched into a retired image lands after the instruction that restores rbx.',
    history: undefined,
    law: callerRegistersArePreserved,
    profile: '6.12',
    edits: [
      edit(
        'bpf_tramp_image_put',
        'bpf_arch_text_poke',
        giving((args) => ({ ...args, to: leadingOn(String(args['to']), EPILOGUE_TO_LEAVE) })),
      ),
    ],
    scenario: scenario({
      setup: [load(1, 'fexit'), load(2, 'fexit'), load(3), open(1), open(3)],
      clients: [[open(2)]],
      callers: [asleepIn('body_hook')],
    }),
    finding: 'the callee-saved registers are preserved / rbx changed',
    moves: 42,
  },
];

/** Bytes from __bpf_tramp_exit()'s argument to `leave`. */
const EPILOGUE_TO_LEAVE = 23;

/** A near jump, as hexadecimal text, with a displacement that is larger by some bytes. */
function leadingOn(jump: string, bytes: number): string {
  const rel32 = Buffer.from(jump.slice(2), 'hex');
  rel32.writeInt32LE(rel32.readInt32LE() + bytes);
  return jump.slice(0, 2) + rel32.toString('hex');
}
