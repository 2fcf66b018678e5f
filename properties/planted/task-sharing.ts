import type { Kernel } from '../../model/kernel.ts';
import type { Cpu } from '../../model/text/cpu.ts';
import { noreturnFunction } from '../../model/trampoline/traced-function.ts';
import { programOfStruct } from '../../model/trampoline/world.ts';
import { RAX, RDI } from '../../model/x86/register.ts';
import { fromNumber } from '../../model/x86/word.ts';
import { referencesAreCounted } from '../ftrace/references-are-counted.ts';
import { callersFindTheirRegisters } from '../task/callers-find-their-registers.ts';
import { callersGetAnOwedValue } from '../task/callers-get-an-owed-value.ts';
import { enteredImagesAreLeft } from '../task/entered-images-are-left.ts';
import { newestDirectCallsWaitForNoTasks } from '../task/newest-direct-calls-wait-for-no-tasks.ts';
import { objectsAreInitialisedOnce } from '../task/objects-are-initialised-once.ts';
import { oneBodyOfAProgramPerProcessor } from '../task/one-body-of-a-program-per-processor.ts';
import { probesSeeOldOrNew } from '../task/probes-see-old-or-new.ts';
import { programsAreLeft } from '../task/programs-are-left.ts';
import { retiredImagesAreFreed } from '../task/retired-images-are-freed.ts';
import { settled } from '../task/settled-laws.ts';
import { whoUsesAnObjectHoldsIt } from '../task/who-uses-an-object-holds-it.ts';
import { F1, F2, filter, load } from './attach-actions.ts';
import { bare, dropped, edit, followedBy, giving, instead } from './attach-edits.ts';
import type { TaskPlanted } from './task-planted.ts';
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
  tracer,
} from './task-scenarios.ts';
import { waitFor } from './task-waits.ts';

const LEAVES_AND_COMES_AGAIN = scenario({
  setup: [load(1), open(1)],
  clients: [[close(1)], [open(1, 2)]],
  callers: [],
});

/** Two tasks on one processor, which call the same function. */
const TWO_CALLS = scenario({ setup: [load(1), open(1)], callers: [calls('f1'), calls('f1')] });

function programIn(k: Kernel, cpu: unknown) {
  return k.bpf.progs[programOfStruct((cpu as Cpu).register(RDI))]!;
}

/** Planted bugs of what operations and calls share: references, counters, tables, what is initialised once. */
export const PLANTED_SHARING: readonly TaskPlanted[] = [
  {
    name: 'trampoline-is-put-without-the-lock',
    sentence:
      'bpf_trampoline_put() takes no lock: who finds the trampoline meanwhile holds one that is being freed.',
    history: 'bpf: Fix a UAF issue in bpf_trampoline_link_cgroup_shim (6.12.85)',
    law: whoUsesAnObjectHoldsIt,
    profile: '6.12',
    edits: [edit('bpf_trampoline_put', 'lock trampoline_mutex', bare)],
    scenario: LEAVES_AND_COMES_AGAIN,
    finding:
      'an object that an operation works on is there / use after free: the trampoline of f1 has been freed',
    moves: 48,
  },
  {
    name: 'second-link-takes-no-reference',
    sentence: 'A program that is attached once more finds its trampoline and takes no reference.',
    history: undefined,
    law: whoUsesAnObjectHoldsIt,
    profile: '6.12',
    edits: [edit('bpf_trampoline_get', 'take a reference', dropped)],
    scenario: LEAVES_AND_COMES_AGAIN,
    finding:
      'an object that an operation works on is there / use after free: the trampoline of f1 has been freed',
    moves: 15,
  },
  {
    name: 'image-does-not-hold-its-trampoline',
    sentence:
      'An image is listed with its trampoline and does not hold it, and gives the reference back all the same.',
    history: undefined,
    law: settled(referencesAreCounted),
    profile: '7.2',
    edits: [
      edit(
        'bpf_trampoline_update',
        'track the image',
        followedBy((k, at) => {
          k.bpf.trampolines[String(at['target'])]!.refcnt--;
        }),
      ),
    ],
    scenario: scenario({ setup: [load(1), load(2), open(1)], clients: [[open(2)]], callers: [] }),
    finding: 'the trampoline of f1 has 3 references / it has 1',
    moves: 68,
  },
  {
    name: 'ops-is-initialised-twice',
    sentence:
      'Who registers an ops and who sets its filter both find it fresh, and the second empties its hashes.',
    history: 'ftrace: Synchronize the initialization of ftrace_ops (6.12.110)',
    law: objectsAreInitialisedOnce,
    profile: '6.12',
    edits: [
      edit('register_ftrace_function_nolock', 'ftrace_ops_init', (part) => [
        {
          kind: 'step',
          label: 'look whether it is fresh',
          run: (k, at) => {
            at['fresh'] = (k as Kernel).ftrace.ops[String(at['ops'])]!.filter.length === 0;
          },
        },
        part,
        {
          kind: 'step',
          label: 'empty its hashes',
          run: (k, at) => {
            if (at['fresh'] === true) (k as Kernel).ftrace.ops[String(at['ops'])]!.filter = [];
          },
        },
      ]),
    ],
    scenario: scenario({
      functions: [F1, F2],
      setup: [{ do: 'ftrace_ops', ops: 'ops#1', flags: 0, direct: false }],
      clients: [[filter('ops#1')], [register('ops#1')]],
      callers: [],
    }),
    finding: 'the filter of ops#1 is f1 / it is empty',
    moves: 34,
  },
  {
    name: 'recursion-is-not-noticed',
    sentence: '__bpf_prog_enter_recur() lets a task into a program that runs on the processor already.',
    history: 'bpf: Prevent bpf program recursion for raw tracepoint probes (6.1; 6.0.10)',
    law: oneBodyOfAProgramPerProcessor,
    profile: '6.12',
    edits: [
      edit(
        '__bpf_prog_enter_recur',
        'set the run context, and count',
        followedBy((_, at) => (at['cpu'] as Cpu).setRegister(RAX, fromNumber(1))),
      ),
    ],
    scenario: TWO_CALLS,
    finding: 'one task is in prog#1 on a processor / 2 are',
    moves: 12,
  },
  {
    name: 'missed-program-is-not-left',
    sentence: 'A program that was passed over, because it runs already, stays counted as running.',
    history: 'bpf: Invoke __bpf_prog_exit_sleepable_recur() on recursion in kern_sys_bpf() (6.6; 6.1.55)',
    law: programsAreLeft,
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
    finding: 'no program runs when no call is under way / prog#1 on processor 0 does',
    moves: 64,
  },
  {
    name: 'image-is-never-left',
    sentence:
      'A task that ends in a function which does not return has entered an image and never leaves it.',
    history: 'bpf: Reject attaching fexit/fmod_ret to __noreturn functions (6.15; 6.12.27)',
    law: enteredImagesAreLeft,
    profile: '6.12, noreturnRefused = false',
    sound: '6.12',
    edits: [],
    scenario: scenario({
      functions: [noreturnFunction(F1)],
      clients: [[load(1, 'fexit'), open(1), close(1)]],
    }),
    finding: 'nobody is in tramp#1 / its reference counter is 1',
    moves: 97,
  },
  {
    name: 'replaced-image-is-never-freed',
    sentence: 'What waits for the users of an image forgets the image when the last has left.',
    history: undefined,
    law: retiredImagesAreFreed,
    profile: '6.12',
    edits: [edit('bpf_tramp_image_free', 'its trampoline knows it', dropped)],
    scenario: scenario({
      setup: [load(1, 'fexit'), load(2, 'fexit'), open(1)],
      clients: [[open(2)]],
      callers: [asleepIn('body_hook')],
    }),
    finding: 'tramp#1 is freed when nobody is in it / it stays for ever',
    moves: 48,
  },
  {
    name: 'adding-waits-for-tasks',
    sentence:
      'update_ftrace_direct_add() waits itself for those who look into the table that it has replaced.',
    history: undefined,
    law: newestDirectCallsWaitForNoTasks,
    profile: '7.2',
    edits: [
      edit('update_ftrace_direct_add', 'free the old direct_functions', (part) => [
        ...waitFor('rcu_tasks'),
        part,
      ]),
    ],
    scenario: scenario({ setup: [load(1)], clients: [[open(1)]], callers: [] }),
    finding: 'BPF_RAW_TRACEPOINT_OPEN waits for no grace period of RCU-tasks / it waits for rcu_tasks',
    moves: 47,
  },
  {
    name: 'modify-without-the-detour',
    sentence: 'The direct call of a site changes while the site still calls the old trampoline itself.',
    history: undefined,
    law: probesSeeOldOrNew,
    profile: '6.12',
    edits: [
      edit('__modify_ftrace_direct', 'register_ftrace_function_nolock', dropped),
      edit('__modify_ftrace_direct', 'unregister_ftrace_function', dropped),
    ],
    scenario: scenario({ setup: [...directCall(1), registerDirect(1)], clients: [[modifyDirect(1, 2)]] }),
    finding: 'my_tramp2 sees f1 (direct) once / my_tramp2 sees f1 (direct) never',
    moves: 7,
  },
  {
    name: 'table-is-emptied-first',
    sentence:
      'A registration empties direct_functions and fills it again: who looks a site up meanwhile misses its direct call.',
    history: 'ftrace: Fix modification of direct_function hash while in use (6.7; 6.6.10)',
    law: probesSeeOldOrNew,
    profile: '7.2',
    edits: [
      edit('register_ftrace_direct', 'publish direct_functions', (part) => [
        {
          kind: 'step',
          label: 'empty the table',
          run: (k, at) => {
            at['held'] = (k as Kernel).ftrace.directFunctions;
            (k as Kernel).ftrace.directFunctions = {};
          },
        },
        {
          kind: 'step',
          label: 'fill the table',
          run: (k, at) => {
            (k as Kernel).ftrace.directFunctions = at['held'] as Record<string, string>;
          },
        },
        part,
      ]),
    ],
    scenario: scenario({
      functions: [F1, F2],
      setup: [
        ...directCall(1),
        registerDirect(1),
        ...tracer('ops#1'),
        register('ops#1'),
        ...directCall(2, 'f2'),
      ],
      clients: [[registerDirect(2)]],
    }),
    finding: 'my_tramp1 sees f1 (direct) once / my_tramp1 sees f1 (direct) never',
    moves: 19,
  },
  {
    name: 'live-patch-is-passed-by',
    sentence:
      'A direct call is changed to an image that calls the original, although a live patch replaces it.',
    history: 'ftrace: bpf: Fix IPMODIFY + DIRECT in modify_ftrace_direct() (6.18)',
    law: callersGetAnOwedValue,
    profile: '6.12',
    edits: [
      edit(
        '__modify_ftrace_direct',
        '__ftrace_hash_update_ipmodify',
        instead((_, at) => {
          at['errno'] = 0;
        }),
      ),
    ],
    scenario: scenario({
      setup: [...livePatchOn('ops#1'), load(1), load(2, 'fexit'), register('ops#1'), open(1)],
      clients: [[open(2)]],
    }),
    finding: 'f1 returns 0xaaaa000055550000 / its caller gets 0x81081000db40b34',
    moves: 36,
  },
  {
    name: 'retired-image-keeps-rbx',
    sentence: 'The jump that is put into a retired image leads behind the instruction that restores rbx.',
    history: undefined,
    law: callersFindTheirRegisters,
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
    finding: 'the callee-saved registers are as before / rbx changed',
    moves: 33,
  },
];

/** Bytes from __bpf_tramp_exit()'s argument to `leave`. */
const EPILOGUE_TO_LEAVE = 23;

/** A near jump, as hexadecimal text, that leads further. */
function leadingOn(jump: string, bytes: number): string {
  const rel32 = Buffer.from(jump.slice(2), 'hex');
  rel32.writeInt32LE(rel32.readInt32LE() + bytes);
  return jump.slice(0, 2) + rel32.toString('hex');
}
