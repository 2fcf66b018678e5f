import { expect, test } from 'vitest';
import { searchToEnd } from '../checker/sequences/search.ts';
import { KERNELS, profileNamed } from '../model/core/profile.ts';
import { KERNEL_PROGRAM, linkKernel } from '../model/step.ts';
import { DESIGNS } from '../model/trampoline/designs/all.ts';
import { someOf } from './thorough.ts';
import { notingUnassigned } from './unassigned-locals.ts';

/** Their types say that they may not be there: arguments that a caller leaves out, and what is assigned only where it is so. */
const OPTIONAL = [
  '__ftrace_hash_move_and_update_ops: command',
  '__ftrace_hash_move_and_update_ops: made',
  '__ftrace_hash_update_ipmodify: fromAll',
  '__ftrace_hash_update_ipmodify: toAll',
  'arch_ftrace_ops_list_func: left',
  'bpf_prog_load: btf',
  'bpf_tracing_prog_attach: got',
  'bpf_tramp_ftrace_ops_func: found',
  'bpf_trampoline_multi_get: intersects',
  'bpf_trampoline_skip_prog (multi): serial',
  'bpf_trampoline_split: inOrder',
  'ftrace_replace_code: only',
  'ftrace_replace_code: passed',
  'link_create: opens',
  'register_ftrace_direct(ip): grown',
  'register_ftrace_direct(ip): replaced',
  'register_ftrace_direct: grown',
  'register_ftrace_direct: replaced',
  'register_kprobe: code',
  'register_kprobe: errno',
  'register_kprobe: event',
  'register_kretprobe: disabled',
  'register_kretprobe: event',
  'register_kretprobe: vetoes',
  'tracepoint_remove_func: array',
  'tracepoint_remove_func: failed',
  'unregister_fprobe: async',
  'unregister_ftrace_function: errno',
  'unregister_kprobe: optprobe',
  'unregister_kprobe: stays',
  'unregister_kretprobe: stays',
  'update_ftrace_direct_add: failed',
  'update_ftrace_direct_add: replaced',
];

/** Every kernel, and every design of multi links on the oldest kernel that supports it. */
const PROFILES = [
  ...KERNELS,
  ...DESIGNS.flatMap(({ name, needs }) =>
    KERNELS.filter((kernel) => needs?.(profileNamed(kernel)) === undefined)
      .slice(0, 1)
      .map((kernel) => `${kernel}, multiLinks = ${name}`),
  ),
];

test.each(someOf(PROFILES, 7))(
  'no routine reads a local that is not there yet, in random sequences on %s',
  (profile) => {
    const { read, program } = notingUnassigned(KERNEL_PROGRAM);
    searchToEnd({ profile, seed: 3, sequences: 30, laws: [], program });
    expect([...read].filter((local) => !OPTIONAL.includes(local))).toEqual([]);
  },
);

test('a step that is dropped leaves its locals unassigned, and who reads them is named', () => {
  const dropped = { routine: 'bpf_trampoline_multi_attach', id: 'start', replace: () => [] };
  const { read, program } = notingUnassigned(linkKernel([dropped]));
  const { found } = searchToEnd({ profile: '7.2', seed: 3, sequences: 60, laws: [], program });
  expect(found?.breach.finding).toMatchObject({ died: { is: 'exception' } });
  expect(read).toContain('bpf_trampoline_multi_attach: got');
});
