import { expect, test } from 'vitest';
import { allExamples } from '../model/client/examples.ts';
import { KERNELS } from '../model/core/profile.ts';
import { spacedAsPrinted } from './written-line.ts';

test('a line as it is printed stays as it is', () => {
  for (const line of KERNELS.flatMap((kernel) => allExamples(kernel)))
    expect(spacedAsPrinted(line)).toBe(line);
  for (const line of [
    'f2 [m1] = function(u64, ptr -> s32)',
    'task#1 (idle; interrupted by f2(0x1)): f1(0x1)',
    'register_kretprobe(kretprobe#1, f1, maxactive=0) = -EBUSY',
    'BPF_LINK_CREATE(prog#1, { })',
    'the next allocation in unregister_fprobe (fgraph) fails',
    'the 2nd allocation in register_fprobe_ips (fgraph) fails',
  ])
    expect(spacedAsPrinted(line)).toBe(line);
});

test.each([
  ['\tlink#1=BPF_LINK_CREATE( prog#1,{f1 ,f2} )=0', 'link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }) = 0'],
  ['f2 [ m1 ]=function (u64 ,ptr->s32)', 'f2 [m1] = function(u64, ptr->s32)'],
  ['register_kprobe (kprobe#1,\tf1)   =  -EBUSY', 'register_kprobe(kprobe#1, f1) = -EBUSY'],
  ['ops#1 = ftrace_ops(SAVE_REGS|IPMODIFY)', 'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY)'],
  [
    'update_ftrace_direct_add(direct#1,{f1:my_tramp1})',
    'update_ftrace_direct_add(direct#1, { f1: my_tramp1 })',
  ],
  ['task#1 ( idle ) : f1( 1 )', 'task#1 (idle): f1(1)'],
  ['client#1:close(link#1)', 'client#1: close(link#1)'],
  ['sysctl  kernel.ftrace_enabled=0', 'sysctl kernel.ftrace_enabled=0'],
])('%j is read as %j', (written, printed) => {
  expect(spacedAsPrinted(written)).toBe(printed);
});
