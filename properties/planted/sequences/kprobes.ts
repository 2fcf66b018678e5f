import { entry } from '../../../model/core/present.ts';
import { moduleFunction } from '../../../model/trampoline/traced-function.ts';
import { failedCallsHaveNoEffect } from '../../ftrace/failed-calls-have-no-effect.ts';
import { kprobeJumpsMatchKprobes } from '../../ftrace/kprobe-jumps-match-kprobes.ts';
import { userCountsMatchUsers } from '../../ftrace/user-counts-match-users.ts';
import { kprobe, kprobeInBody, kretprobe } from './actions.ts';
import { dropped, edit, followedBy } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** Planted bugs of kprobes and kretprobes that fixes in the kernel are known of. */
export const PLANTED_KPROBE_FIXES: readonly AttachPlanted[] = [
  {
    name: 'post-handler-of-the-address-is-cleared',
    sentence:
      'An aggregate whose last kprobe with a post_handler leaves has none any more, and is disarmed through another ops than it was armed with.',
    history: "kprobes: Skip clearing aggrprobe's post_handler in kprobe-on-ftrace case (6.0.10)",
    law: userCountsMatchUsers,
    profile: '6.12',
    edits: [
      edit(
        'unregister_kprobe',
        'leave the table',
        followedBy(({ probes: { kprobes, kprobeTable } }, locals) => {
          const site = kprobeTable[String(locals['ip'])];
          if (site !== undefined) site.post = site.probes.some((name) => entry(kprobes, name).post);
        }),
      ),
    ],
    smallest: [
      kprobe(1, true),
      kprobe(2),
      { do: 'unregister_kprobe', kprobe: 'kprobe#1' },
      { do: 'unregister_kprobe', kprobe: 'kprobe#2' },
    ],
    finding: 'kprobe_ftrace_enabled is 0 / it is -1',
  },
  {
    name: 'disabled-kprobe-is-disarmed-again',
    sentence: 'kill_kprobe() disarms an address whose kprobes are all disabled.',
    history: 'kprobes: Fix to check probe enabled before disarm_kprobe_ftrace() (5.8.13)',
    law: userCountsMatchUsers,
    profile: '6.12',
    edits: [
      edit('kill_kprobe', 'it is armed through ftrace', (part) =>
        part.kind === 'when' ? [{ ...part, when: () => true }] : [part],
      ),
    ],
    functions: [moduleFunction('f1', 1, 'u64 -> u64', 'm1')],
    smallest: [
      { do: 'register_kprobe', kprobe: 'kprobe#1', ip: 'f1', post: false, disabled: true },
      { do: 'delete_module', module: 'm1' },
    ],
    finding: 'kprobe_ftrace_enabled is 0 / it is -1',
  },
  {
    name: 'kretprobe-is-registered-twice',
    sentence:
      'register_kretprobe() makes a new pool before register_kprobe() notices that the kprobe is registered.',
    history: 'kretprobe: Avoid re-registration of the same kretprobe earlier (5.10.15)',
    law: failedCallsHaveNoEffect,
    profile: '6.12',
    edits: [edit('register_kretprobe', 'the kretprobe is registered', dropped)],
    smallest: [kretprobe(1), kretprobe(1)],
    finding: 'EINVAL, and probes/kretprobes/kretprobe#1/withoutPool stays absent / it is true',
  },
  {
    name: 'kprobe-keeps-itself-from-its-jump',
    sentence:
      'arch_check_optimized_kprobe() takes the kprobe itself for one among the replaced instructions.',
    history: undefined,
    law: kprobeJumpsMatchKprobes,
    profile: '6.12',
    edits: [
      edit('optimize_kprobe', 'a kprobe is armed among its instructions', (part) =>
        part.kind === 'finish' ? [{ ...part, when: () => true }] : [part],
      ),
    ],
    smallest: [kprobeInBody(1), { do: 'debug.kprobes-optimization', value: true }],
    finding: 'the kprobe at f1+0xa is a jump / it is an int3',
  },
];
