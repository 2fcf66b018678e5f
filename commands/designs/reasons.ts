import type { Profile } from '../../model/core/profile.ts';
import type { Design } from '../../model/trampoline/designs/design.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { profileFor } from './bound.ts';
import { hasImagesOfFunctions, meetsADirectCall, takesTwoLinks, whatIsMade } from './what-is-made.ts';

/** Why laws do not apply to some designs. A claim: where a premise is met after all, the table is refused. */
export interface Reason {
  readonly laws: readonly string[];
  readonly why: string;
  readonly of: (profile: Profile, design: Design) => boolean;
}

/** The first that matches counts. */
export const REASONS: readonly Reason[] = [
  {
    laws: ['trampoline/tail-call-counter-is-preserved'],
    why: 'a multi link targets kernel functions, and only a BPF program carries a tail-call counter, so the global trampoline has none to lose (D6)',
    of: () => true,
  },
  {
    laws: IMAGE_LAWS.map(({ name }) => name),
    why: 'it has no images of programs: its code is judged by the events of calls',
    of: (_, design) => !whatIsMade(profileFor(design), 'u64 -> u64').image,
  },
  {
    laws: ['trampoline/narrow-arguments-are-defined'],
    why: 'its images are generated for words, whatever the types of the functions',
    of: (_, design) => !hasImagesOfFunctions(profileFor(design)),
  },
  {
    laws: ['trampoline/programs-run-in-order'],
    why: 'each link has its own image, and no function has two of them',
    of: (_, design) => !takesTwoLinks(profileFor(design)),
  },
  {
    laws: ['trampoline/stack-is-aligned'],
    why: 'it refuses functions with arguments on the stack',
    of: (_, design) => !whatIsMade(profileFor(design), 'u64 x7 -> u64').isTaken,
  },
  {
    laws: ['trampoline/session-cookies-are-separate'],
    why: 'it does not support sessions',
    of: ({ sessions }, { kinds }) => !sessions || !kinds.includes('fsession'),
  },
  {
    laws: ['task/image-references-are-returned'],
    why: 'its code is part of the kernel: no reference count tracks the tasks in it',
    of: (_, design) => !whatIsMade(profileFor(design), 'u64 -> u64').image,
  },
  {
    laws: ['task/hash-updates-do-not-wait-for-rcu-tasks'],
    why: 'its kernel has no update_ftrace_direct_add()',
    of: ({ directApi }) => directApi !== 'ops and hash',
  },
  {
    laws: ['ftrace/direct-trampoline-runs-exactly-once'],
    why: "a function with a client's direct call refuses a program, and vice versa: EBUSY",
    of: (_, design) => !meetsADirectCall(profileFor(design)),
  },
];
