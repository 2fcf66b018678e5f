import type { Profile } from '../../model/core/profile.ts';
import type { Design } from '../../model/trampoline/designs/design.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { profileFor } from './bound.ts';
import { hasImagesOfFunctions, meetsADirectCall, takesTwoLinks, whatIsMade } from './what-is-made.ts';

/** Why laws have nothing to say of some designs. A claim: where a premise is met after all, the table is refused. */
export interface Reason {
  readonly laws: readonly string[];
  readonly why: string;
  readonly of: (profile: Profile, design: Design) => boolean;
}

/** The first that fits counts. */
export const REASONS: readonly Reason[] = [
  {
    laws: ['trampoline/tail-call-counter-is-preserved'],
    why: 'a multi link has functions of the kernel for targets, and only a BPF program carries a tail-call counter; so nobody meets that the global trampoline would lose it (D6)',
    of: () => true,
  },
  {
    laws: IMAGE_LAWS.map(({ name }) => name),
    why: 'it has no images of programs: its code is judged by what calls show',
    of: (_, design) => !whatIsMade(profileFor(design), 'u64 -> u64').image,
  },
  {
    laws: ['trampoline/narrow-arguments-are-defined'],
    why: 'its images are made for words, whatever the types of the functions are',
    of: (_, design) => !hasImagesOfFunctions(profileFor(design)),
  },
  {
    laws: ['trampoline/programs-run-in-order'],
    why: 'each link has an image of its own, and no function has two of them',
    of: (_, design) => !takesTwoLinks(profileFor(design)),
  },
  {
    laws: ['trampoline/stack-is-aligned'],
    why: 'it takes no function with arguments on the stack',
    of: (_, design) => !whatIsMade(profileFor(design), 'u64 x7 -> u64').isTaken,
  },
  {
    laws: ['trampoline/session-cookies-are-separate'],
    why: 'it takes no sessions',
    of: ({ sessions }, { kinds }) => !sessions || !kinds.includes('fsession'),
  },
  {
    laws: ['task/image-references-are-returned'],
    why: 'its code is part of the kernel: nothing counts who is in it',
    of: (_, design) => !whatIsMade(profileFor(design), 'u64 -> u64').image,
  },
  {
    laws: ['task/hash-updates-do-not-wait-for-rcu-tasks'],
    why: 'its kernel has no update_ftrace_direct_add()',
    of: ({ directApi }) => directApi !== 'ops and hash',
  },
  {
    laws: ['ftrace/direct-trampoline-runs-exactly-once'],
    why: 'a function that has a direct call of a client takes no program, nor the other way round: EBUSY',
    of: (_, design) => !meetsADirectCall(profileFor(design)),
  },
];
