import { describe, expect, test } from 'vitest';
import type { Action } from '../client/all.ts';
import type { Kernel } from '../kernel.ts';
import { CLIENT, callInSteps, inFrontOf, seenBy, succeed, withClients } from '../testing/call-steps-rig.ts';

const { graph, kprobe, kretprobe, fprobe } = CLIENT;

/** Clients of a kernel, the part of a routine before which something is freed, and who finds out. */
type Freed = readonly [
  kernel: string,
  clients: readonly Action[],
  at: readonly [routine: string, id: string],
  free: (k: Kernel) => void,
  what: string,
  who: string,
];

const kprobeGone = (k: Kernel) => {
  delete k.probes.kprobeTable['f1'];
  delete k.probes.kprobes['kprobe#1'];
};
const gopsGone = (k: Kernel) => {
  delete k.fgraph.gops['gops#1'];
};
const fprobeGone = (k: Kernel) => {
  delete k.probes.fprobes['fprobe#1'];
};
const kretprobeGone = (k: Kernel) => {
  delete k.probes.kretprobes['kretprobe#1'];
};

const GRAPH = [graph('gops#1')];
const KPROBE = [kprobe('kprobe#1')];
const FPROBE = [fprobe('fprobe#1')];
const TWO_GRAPHS = [graph('gops#1'), graph('gops#2')];
const KRETPROBE = [kretprobe('kretprobe#1')];
const ENTRY_ONLY = [fprobe('fprobe#1', false)];
const ENTER_REGS = 'function_graph_enter_regs';
const RETURN = 'ftrace_return_to_handler';
const RETHOOK = 'arch_rethook_trampoline_callback';
const FTRACE_ENTRY = 'fprobe_ftrace_entry';
const KPROBES = 'kprobe_ftrace_handler';
const CALL_ENTRY = 'call the entry handler';

const FREED: readonly Freed[] = [
  ['6.1', GRAPH, ['function_graph_enter', 'ask the user'], gopsGone, 'gops#1', 'function_graph_enter'],
  ['7.2', TWO_GRAPHS, [ENTER_REGS, 'ask the user'], gopsGone, 'gops#1', ENTER_REGS],
  ['6.12', GRAPH, [RETURN, 'call fgraph_retfunc'], gopsGone, 'gops#1', RETURN],
  ['6.12', KPROBE, [KPROBES, 'there is one that is enabled'], kprobeGone, 'kprobe#1', KPROBES],
  ['7.2', KPROBE, [KPROBES, 'call its pre_handler'], kprobeGone, 'kprobe#1', KPROBES],
  [
    '6.1',
    KRETPROBE,
    [KPROBES, 'call its pre_handler'],
    kretprobeGone,
    'kretprobe#1',
    'pre_handler_kretprobe',
  ],
  ['6.12', FPROBE, ['fprobe_handler', CALL_ENTRY], fprobeGone, 'fprobe#1', '__fprobe_handler'],
  ['6.12', FPROBE, [RETHOOK, 'call its handler'], fprobeGone, 'fprobe#1', 'fprobe_exit_handler'],
  ['7.2', ENTRY_ONLY, [FTRACE_ENTRY, CALL_ENTRY], fprobeGone, 'fprobe#1', FTRACE_ENTRY],
  ['7.2', FPROBE, ['fprobe_fgraph_entry', CALL_ENTRY], fprobeGone, 'fprobe#1', 'fprobe_fgraph_entry'],
  ['7.2', FPROBE, ['fprobe_return', 'call the exit handler'], fprobeGone, 'fprobe#1', 'fprobe_return'],
];

describe('who follows a pointer to what was freed meanwhile crashes', () => {
  test.each(FREED)('in %s, %#', (kernel, clients, [routine, id], free, what, who) => {
    const { k } = withClients(kernel, ...clients);
    expect(() => callInSteps(k, 'f1', inFrontOf(routine, id, free))).toThrow(
      `use after free: ${what} has been freed (${who})`,
    );
  });

  const program = (k: Kernel) => {
    k.bpf.progs[1]!.freed = true;
  };
  const image = (k: Kernel) => {
    delete k.bpf.images['tramp#1'];
  };
  test.each([
    ['__bpf_prog_enter_recur', 'set the run context, and count', program, 'prog#1', '__bpf_prog_enter_recur'],
    ['__bpf_prog_enter_recur', 'return', program, 'prog#1', 'the program itself'],
    ['__bpf_prog_exit_recur', 'reset the run context, and count', program, 'prog#1', '__bpf_prog_exit_recur'],
    ['__bpf_prog_exit_recur', 'migrate_enable, rcu_read_unlock', image, 'tramp#1', '__bpf_tramp_exit'],
  ])('around a program: %s, %s', (routine, id, free, what, who) => {
    const rig = withClients('6.12');
    rig.load(1, 'fexit', 'f1');
    expect(rig.link(1)).toBe(0);
    expect(() => callInSteps(rig.k, 'f1', inFrontOf(routine, id, free))).toThrow(
      `use after free: ${what} has been freed (${who})`,
    );
  });
});

describe('an object that was unregistered before it is read is skipped', () => {
  test('a user of function graph', () => {
    const { k } = withClients('7.2', graph('gops#1'), graph('gops#2'));
    const leave = (state: Kernel) => {
      succeed(state, 'unregister_ftrace_graph', { gops: 'gops#2' });
    };
    expect(seenBy(k, inFrontOf('function_graph_enter_regs', 'read its slot', leave))).toEqual([
      'gops#1',
      'f1',
      'gops#1',
    ]);
  });

  test('an fprobe', () => {
    const { k } = withClients('7.2', fprobe('fprobe#1', false), fprobe('fprobe#2', false));
    const leave = (state: Kernel) => {
      succeed(state, 'unregister_fprobe', { fprobe: 'fprobe#1' });
    };
    expect(seenBy(k, inFrontOf('fprobe_ftrace_entry', 'read its fprobe', leave))).toEqual(['fprobe#2', 'f1']);
  });

  test('a kprobe that is disabled', () => {
    const { k } = withClients('6.12', kprobe('kprobe#1'), kprobe('kprobe#2'));
    const disable = (state: Kernel) => {
      state.probes.kprobes['kprobe#1']!.disabled = true;
    };
    expect(seenBy(k, inFrontOf('kprobe_ftrace_handler', 'call its pre_handler', disable))).toEqual([
      'kprobe#2',
      'f1',
    ]);
  });
});
