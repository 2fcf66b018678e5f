import { describe, expect, test } from 'vitest';
import { knownOneByOne } from '../../checker/interleavings/one-by-one.ts';
import { explore } from '../../checker/interleavings/search.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { parseScenario } from '../../counterexamples/interleavings/task-trace.ts';
import { KERNEL_PROGRAM, linkKernel } from '../../model/step.ts';
import { dropped, edit } from '../../properties/planted/sequences/edits.ts';
import { TASK_LAWS } from '../../properties/task-laws.ts';
import { KNOWN_ATTACH } from './attach-all.ts';
import { knownTaskName } from './task-name.ts';

/** All breaches of a scenario in which a task calls f1 meanwhile, with their listed names: `law: name`. */
function breachesOf(
  kernel: string,
  lines: readonly string[],
  { program = KERNEL_PROGRAM, nameOf = knownTaskName } = {},
): string[] {
  const text = [`kernel   ${kernel}`, '', 'f1 = function(u64 -> u64)', 'f2 = function(u64 -> u64)', ...lines];
  const { scenario } = parseScenario([...text, 'task#1: f1(0x1)'].join('\n'));
  const { breaches } = explore(new Space(scenario, { program }), {
    laws: TASK_LAWS,
    nameOf,
    stopsAt: () => false,
  });
  return [...new Set(breaches.map(({ law, known }) => `${law.name}: ${known ?? 'new'}`))].sort();
}

const failing = (where: string, then: string) => [
  `client#1: the next allocation in ${where} fails`,
  `client#1: ${then}`,
];

describe('a breach that needs no overlap is reported under its name as one of sequences:', () => {
  test.each<[string, string, readonly string[], readonly string[]]>([
    [
      'a kprobe that cannot be disarmed',
      '6.12',
      ['register_kprobe(kprobe#1, f1)', ...failing('ftrace_set_hash', 'unregister_kprobe(kprobe#1)')],
      [
        'ftrace/user-counts-match-users: kprobe-is-disarmed-by-another-ops',
        'task/probes-see-old-or-new: kprobe-that-failed-to-unregister-lost-its-address',
      ],
    ],
    [
      'a kprobe that another ops has disarmed, and that is registered again',
      '6.12',
      [
        'register_kprobe(kprobe#1, f1)',
        'register_kprobe(kprobe#2, f1, post_handler)',
        'client#1: unregister_kprobe(kprobe#1)',
        'client#1: register_kprobe(kprobe#1, f1)',
        'client#2: unregister_kprobe(kprobe#2)',
      ],
      [
        'ftrace/user-counts-match-users: kprobe-is-disarmed-by-another-ops',
        'task/no-warn-and-no-oops: kprobe-is-disarmed-by-another-ops-seen-by-only-requested-functions-are-traced',
        'task/no-warn-and-no-oops: kprobe-memory-is-reused',
        'task/probes-see-old-or-new: kprobe-is-disarmed-by-another-ops-seen-by-only-requested-functions-are-traced',
        'task/probes-see-old-or-new: kprobe-that-failed-to-unregister-lost-its-address',
      ],
    ],
    [
      'a kprobe that is not armed, and answered 0',
      '7.2',
      failing('ftrace_set_hash', 'register_kprobe(kprobe#1, f1)'),
      ['task/probes-see-old-or-new: kprobe-is-registered-and-dead'],
    ],
    [
      'a program whose next image cannot be made',
      '6.12',
      [
        'prog#1 = BPF_PROG_LOAD(fentry, f1)',
        'link#1 = BPF_LINK_CREATE(prog#1)',
        ...failing('bpf_trampoline_update', 'close(link#1)'),
      ],
      [
        'ftrace/record-counts-match-ops: freed-ops-seen-by-record-counts-match-ops',
        'task/probes-see-old-or-new: program-that-left-for-lack-of-memory-is-called',
      ],
    ],
    [
      'a direct call that cannot leave',
      '6.1',
      [
        'register_ftrace_direct(f1, my_tramp1)',
        ...failing('ftrace_set_hash', 'unregister_ftrace_direct(f1, my_tramp1)'),
      ],
      [
        'task/no-warn-and-no-oops: detaching-takes-memory',
        'task/probes-see-old-or-new: direct-call-that-failed-to-unregister-does-not-return-to-the-function',
      ],
    ],
    [
      'an image that is freed under its site, when a poke fails',
      '6.1',
      [
        'ops#1 = ftrace_ops(SAVE_REGS)',
        'ftrace_set_filter_ip(ops#1, f1)',
        'register_ftrace_function(ops#1)',
        'client#1: the next poke in ftrace_replace_code fails',
        'client#1: unregister_ftrace_function(ops#1)',
      ],
      [
        'ftrace/no-pointer-to-a-retired-image: image-is-put-although-its-site-calls-it',
        'task/no-fetch-from-freed-memory: site-of-a-dead-ftrace-calls-freed-memory',
      ],
    ],
    [
      'two users of function graph, of whom nothing fails',
      '6.12',
      [
        'ftrace_set_filter_ip(gops#1.ops, f2)',
        'register_ftrace_graph(gops#1)',
        'ftrace_set_filter_ip(gops#2.ops, f1)',
        'client#1: register_ftrace_graph(gops#2)',
      ],
      ['task/probes-see-old-or-new: graph-exit-without-entry'],
    ],
  ])('%s (%s)', (_, kernel, lines, told) => {
    expect(breachesOf(kernel, lines)).toEqual(told);
  });
});

describe('a breach by a planted bug alone, or by an overlap, has no name of sequences:', () => {
  const LEAVES = [
    'register_kprobe(kprobe#1, f1)',
    ...failing('ftrace_set_hash', 'unregister_kprobe(kprobe#1)'),
  ];

  test('a bug that shows beside the failure, which the kernel does not show', () => {
    const program = linkKernel([edit('__arm_kprobe_ftrace', 'count it', dropped)]);
    expect(breachesOf('6.12', LEAVES, { program })).toContain('ftrace/user-counts-match-users: new');
  });

  test('a race', () => {
    const nameOf = (breach: Parameters<typeof knownTaskName>[0]) =>
      knownOneByOne(KNOWN_ATTACH, breach)?.name ?? '';
    expect(breachesOf('6.12', LEAVES, { nameOf })).toContain('task/probes-see-old-or-new: ');
  });
});

test('the only user of function graph loses a call, or the return of one', () => {
  const lines = [
    'ftrace_set_filter_ip(gops#1.ops, f1)',
    'register_ftrace_graph(gops#1)',
    'ftrace_set_filter_ip(gops#2.ops, f1)',
    'client#1: register_ftrace_graph(gops#2)',
  ];
  for (const kernel of ['6.12', '7.2'])
    expect(breachesOf(kernel, lines)).toEqual([
      'task/probes-see-old-or-new: only-user-of-graph-loses-a-call',
      'task/probes-see-old-or-new: only-user-of-graph-loses-a-return',
    ]);
});
