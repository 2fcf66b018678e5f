import type { Profile } from '../../model/core/profile.ts';
import type { Design } from '../../model/trampoline/designs/design.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { profileFor } from './bound.ts';
import { meetsADirectCall, whatIsMade } from './what-is-made.ts';

/** Why laws have nothing to say of some designs. A claim: where a premise is met after all, the table is refused. */
export interface Reason {
  readonly laws: readonly string[];
  readonly why: string;
  readonly of: (profile: Profile, design: Design) => boolean;
}

/** The first that fits counts. */
export const REASONS: readonly Reason[] = [
  {
    laws: ['trampoline/tail-call-counter-survives'],
    why: 'a multi link has functions of the kernel for targets, and only a BPF program carries a tail-call counter',
    of: () => true,
  },
  {
    laws: IMAGE_LAWS.map(({ name }) => name),
    why: 'its images are not made for one function of one type: each is judged by what calls of its functions show',
    of: (_, design) => !whatIsMade(profileFor(design), 'u64 -> u64').ownImage,
  },
  {
    laws: ['trampoline/stack-is-aligned'],
    why: 'it takes no function with arguments on the stack',
    of: (_, design) => !whatIsMade(profileFor(design), 'u64 x7 -> u64').isTaken,
  },
  {
    laws: ['trampoline/session-cookie-is-its-own'],
    why: 'it takes no sessions',
    of: ({ sessions }, { kinds }) => !sessions || !kinds.includes('fsession'),
  },
  {
    laws: ['task/entered-images-are-left'],
    why: 'its code is part of the kernel: nothing counts who is in it',
    of: (_, design) => !whatIsMade(profileFor(design), 'u64 -> u64').image,
  },
  {
    laws: ['task/newest-direct-calls-wait-for-no-tasks'],
    why: 'its kernel has no update_ftrace_direct_add()',
    of: ({ directApi }) => directApi !== 'ops and hash',
  },
  {
    laws: ['ftrace/direct-calls-go-on-in-the-function'],
    why: 'a function that has a direct call of a client takes no program, nor the other way round: EBUSY',
    of: (_, design) => !meetsADirectCall(profileFor(design)),
  },
];
