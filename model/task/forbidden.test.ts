import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { DO } from '../core/instruction.ts';
import type { Kernel } from '../kernel.ts';
import { CLIENT, callInSteps, withClients } from '../testing/call-steps-rig.ts';
import { nothingForbidden } from './current.ts';

const { ops, graph, kprobe, kretprobe, fprobe } = CLIENT;

/** What a call forbids while its routines run: one line for a routine, and for each section of it. */
function forbidden(k: Kernel): string[] {
  const lines: string[] = [];
  let last = '';
  callInSteps(
    k,
    'f1',
    ({ current: { preemptOff, rcu, rcuTrace, migrateOff } }, { do: what, routine, id }) => {
      if (what !== DO.STEP) return;
      const counts = { preempt: preemptOff, rcu, rcuTrace, migrate: migrateOff };
      const now = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${name} ${count}`] : []));
      const section = `${routine} [${now.join(', ')}]`;
      if (section === last) lines.push(`${lines.pop()}, ${id}`);
      else lines.push(`${section} ${id}`);
      last = section;
    },
  );
  expect(k.current).toEqual(nothingForbidden());
  return [...new Set(lines)];
}

const DIRECT = 'call_direct_funcs [preempt 1]';
const SET = 'arch_ftrace_set_direct_caller';

describe('what a call forbids', () => {
  test('in 6.1', () => {
    const { k } = withClients(
      '6.1',
      ...ops('ops#1'),
      graph('gops#1'),
      kretprobe('kretprobe#1'),
      kprobe('kprobe#1'),
    );
    expect(forbidden(k)).toMatchInlineSnapshot(`
      [
        "arch_ftrace_ops_list_func [] preempt_disable",
        "arch_ftrace_ops_list_func [preempt 1] read the head of the list, load the hashes of the ops, read the hashes",
        "kprobe_ftrace_handler [preempt 1] preempt_disable",
        "kprobe_ftrace_handler [preempt 2] get_kprobe, set ip after the int3, call its pre_handler, call its pre_handler, put the instruction pointer back, preempt_enable",
        "arch_ftrace_ops_list_func [preempt 1] load the hashes of the ops, read the hashes",
        "ftrace_graph_func [preempt 1] preempt_disable",
        "function_graph_enter [preempt 2] push the frame, read ftrace_graph_entry, load the hashes of global_ops, read the hashes, read __ftrace_graph_entry, ask the user, hook the return",
        "ftrace_graph_func [preempt 2] preempt_enable",
        "ftrace_callback [preempt 1] tell the client",
        "arch_ftrace_ops_list_func [preempt 1] preempt_enable",
        "ftrace_return_to_handler [] find the frame, read ftrace_graph_return, call it, give the return address, pop the frame",
        "arch_rethook_trampoline_callback [] find the nodes of the return, preempt_disable",
        "arch_rethook_trampoline_callback [preempt 1] read the handler of its pool, call its handler, give the return address, take the nodes off the list, give it back to its pool, preempt_enable",
      ]
    `);
  });

  test('in 6.12', () => {
    const { k } = withClients(
      '6.12',
      graph('gops#1'),
      graph('gops#2'),
      kprobe('kprobe#1', true),
      fprobe('fprobe#1'),
    );
    expect(forbidden(k)).toMatchInlineSnapshot(`
      [
        "arch_ftrace_ops_list_func [] preempt_disable",
        "arch_ftrace_ops_list_func [preempt 1] read the head of the list, load the hashes of the ops, read the hashes",
        "fprobe_handler [preempt 1] preempt_disable",
        "fprobe_handler [preempt 2] take a node, call the entry handler, hook the return, preempt_enable",
        "arch_ftrace_ops_list_func [preempt 1] load the hashes of the ops, read the hashes",
        "kprobe_ftrace_handler [preempt 1] preempt_disable",
        "kprobe_ftrace_handler [preempt 2] get_kprobe, set ip after the int3, call its pre_handler, set ip after the nop, call its post_handler, put the instruction pointer back, preempt_enable",
        "ftrace_graph_func [preempt 1] preempt_disable",
        "function_graph_enter_regs [preempt 2] push the frame, read its slot, ask the user, read its slot, ask the user, mark those that accepted, hook the return",
        "ftrace_graph_func [preempt 2] preempt_enable",
        "arch_ftrace_ops_list_func [preempt 1] preempt_enable",
        "ftrace_return_to_handler [] find the frame, read its slot, tell the user, read its slot, tell the user, give the return address, pop the frame",
        "arch_rethook_trampoline_callback [] find the nodes of the return, preempt_disable",
        "arch_rethook_trampoline_callback [preempt 1] read the handler of its pool, call its handler, give the return address, take the nodes off the list, give it back to its pool, preempt_enable",
      ]
    `);
  });

  test('in 7.2', () => {
    const { k } = withClients(
      '7.2',
      graph('gops#1'),
      fprobe('fprobe#1'),
      fprobe('fprobe#2', false),
      kretprobe('kretprobe#1'),
    );
    expect(forbidden(k)).toMatchInlineSnapshot(`
      [
        "arch_ftrace_ops_list_func [] preempt_disable",
        "arch_ftrace_ops_list_func [preempt 1] read the head of the list, load the hashes of the ops, read the hashes",
        "kprobe_ftrace_handler [preempt 1] preempt_disable",
        "kprobe_ftrace_handler [preempt 2] get_kprobe, set ip after the int3, call its pre_handler, put the instruction pointer back, preempt_enable",
        "arch_ftrace_ops_list_func [preempt 1] load the hashes of the ops, read the hashes",
        "fprobe_ftrace_entry [preempt 1] preempt_disable",
        "fprobe_ftrace_entry [preempt 2] read its fprobe, call the entry handler, read its fprobe, call the entry handler, preempt_enable",
        "ftrace_graph_func [preempt 1] preempt_disable",
        "function_graph_enter_regs [preempt 2] push the frame, read its slot, ask the user, read its slot, ask the user",
        "fprobe_fgraph_entry [preempt 2] preempt_disable",
        "fprobe_fgraph_entry [preempt 3] reserve the words, read its fprobe, call the entry handler, read its fprobe, call the entry handler, note which want the return, preempt_enable",
        "function_graph_enter_regs [preempt 2] mark those that accepted, hook the return",
        "ftrace_graph_func [preempt 2] preempt_enable",
        "arch_ftrace_ops_list_func [preempt 1] preempt_enable",
        "ftrace_return_to_handler [] find the frame, preempt_disable",
        "ftrace_return_to_handler [preempt 1] read its slot, tell the user, read its slot, tell the user",
        "fprobe_return [preempt 1] preempt_disable",
        "fprobe_return [preempt 2] check whether it is registered, call the exit handler, preempt_enable",
        "ftrace_return_to_handler [preempt 1] preempt_enable",
        "ftrace_return_to_handler [] give the return address, pop the frame",
        "arch_rethook_trampoline_callback [] find the nodes of the return, preempt_disable",
        "arch_rethook_trampoline_callback [preempt 1] read the handler of its pool, call its handler, give the return address, take the nodes off the list, give it back to its pool, preempt_enable",
      ]
    `);
  });

  test.each([
    ['6.1', [`${DIRECT} load direct_functions, look the site up, ${SET}`]],
    ['6.12', [`${DIRECT} read ops->direct_call, ${SET}`]],
    [
      '7.2',
      [
        `${DIRECT} preempt_disable`,
        'call_direct_funcs [preempt 2] load direct_functions, look the site up, preempt_enable',
        `${DIRECT} ${SET}`,
      ],
    ],
  ])('in %s, where a direct call is looked up, and around programs', (kernel, direct) => {
    const rig = withClients(kernel, ...ops('ops#1'));
    rig.load(1, 'fentry', 'f1');
    rig.load(2, 'fexit', 'f1', { sleepable: kernel !== '6.1' });
    for (const prog of [1, 2]) expect(rig.link(prog)).toBe(0);
    const around = ['_', ...(kernel === '6.1' ? [] : ['_sleepable_'])];
    expect(forbidden(rig.k).filter((line) => /^call_direct|^__bpf/.test(line))).toEqual([
      ...direct,
      ...around.flatMap((kind) => {
        const [section, trace] = kind === '_' ? ['rcu', ''] : ['rcuTrace', '_trace'];
        return [
          `__bpf_prog_enter${kind}recur [] rcu_read_lock${trace}, migrate_disable`,
          `__bpf_prog_enter${kind}recur [${section} 1, migrate 1] set the run context, and count`,
          `__bpf_prog_exit${kind}recur [${section} 1, migrate 1] reset the run context, and count, migrate_enable, rcu_read_unlock${trace}`,
        ];
      }),
    ]);
  });
});

/** Lines that say of a local that it is no plain data. */
function notPlain(k: Kernel): string[] {
  const found = new Set<string>();
  callInSteps(k, 'f1', (_, { routine }, frames) => {
    for (const { locals, loops } of frames)
      for (const [name, value] of Object.entries({ ...locals, loops: Object.values(loops ?? {}) }))
        if (name !== 'cpu' && !isPlain(value)) found.add(`${name} in ${routine}`);
  });
  return [...found];
}

/** A value that is printed and parsed is the same. */
function isPlain(value: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify({ value })), { value });
}

test('data that is not plain is reported', () => {
  expect([isPlain({ ip: 'f1', words: [1] }), isPlain({ ip: undefined }), isPlain([() => 1])]).toEqual([
    true,
    false,
    false,
  ]);
});

test.each([
  ['6.1', [...ops('ops#1'), graph('gops#1'), kretprobe('kretprobe#1'), kprobe('kprobe#1', true)]],
  ['6.12', [graph('gops#1'), graph('gops#2'), kretprobe('kretprobe#1'), fprobe('fprobe#1')]],
  ['7.2', [...ops('ops#1'), graph('gops#1'), fprobe('fprobe#1'), fprobe('fprobe#2', false)]],
])(
  'in %s, the locals of a routine that a call runs are plain data, except for the CPU',
  (kernel, clients) => {
    const rig = withClients(kernel, ...clients);
    rig.load(1, 'fexit', 'f1');
    expect(rig.link(1)).toBe(0);
    expect(notPlain(rig.k)).toEqual([]);
  },
);
