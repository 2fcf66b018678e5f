import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { parseAction } from '../../model/action-text.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { moduleFunction, tracedFunction } from '../../model/trampoline/traced-function.ts';

/*
 * Multi links that have some of their functions in common: what a design splits, shares, and takes back when a step of it
 * fails. A search draws few of them.
 */

const FUNCTIONS = ['u64', 'u64', 'u64', 'u64', 'u64 x2'].map((args, i) =>
  tracedFunction(`f${i + 1}`, i + 1, `${args} -> u64`),
);

const LOADS = [
  'prog#1 = BPF_PROG_LOAD(fentry multi)',
  'prog#2 = BPF_PROG_LOAD(fexit multi)',
  'prog#3 = BPF_PROG_LOAD(fentry multi)',
  'prog#4 = BPF_PROG_LOAD(fentry, f2)',
];

const WORD = '0x5100000071000000';
const CALLS = FUNCTIONS.map(
  ({ name }) => `task#1 calls ${name}(${name === 'f5' ? `${WORD}, 0x5201010172030507` : WORD})`,
);

/**
 * Some functions of a set; more than it; the set and a program of its own; one after the other, and away in another
 * order; beside other clients; the same program again.
 */
const HISTORIES: readonly (readonly string[])[] = [
  [
    'link#1 = BPF_LINK_CREATE(prog#1, { f1, f2, f3 })',
    'link#2 = BPF_LINK_CREATE(prog#2, { f2, f4 })',
    ...CALLS,
    'link#4 = BPF_LINK_CREATE(prog#4)',
    'close(link#1)',
    ...CALLS,
    'close(link#4)',
    'close(link#2)',
  ],
  [
    'link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 })',
    'link#2 = BPF_LINK_CREATE(prog#2, { f1, f2, f3, f5 })',
    'link#3 = BPF_LINK_CREATE(prog#3, { f2, f3 })',
    ...CALLS,
    'close(link#2)',
    ...CALLS,
    'close(link#3)',
    'close(link#1)',
  ],
  [
    'link#4 = BPF_LINK_CREATE(prog#4)',
    'link#1 = BPF_LINK_CREATE(prog#1, { f1, f2, f5 })',
    'link#2 = BPF_LINK_CREATE(prog#2, { f1, f2, f5 })',
    'close(link#4)',
    ...CALLS,
    'close(link#1)',
    'link#3 = BPF_LINK_CREATE(prog#3, { f1 })',
    ...CALLS,
    'close(link#2)',
    'close(link#3)',
  ],
  [
    'ftrace_set_filter_ip(ops#1, f3)',
    'link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 })',
    'register_kprobe(kprobe#1, f2)',
    'link#2 = BPF_LINK_CREATE(prog#2, { f2, f3 })',
    ...CALLS,
    'close(link#2)',
    'link#2 = BPF_LINK_CREATE(prog#2, { f1, f2, f3, f4 })',
    'unregister_kprobe(kprobe#1)',
    'close(link#1)',
    ...CALLS,
    'close(link#2)',
  ],
  [
    'link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 })',
    ...CALLS,
    'close(link#1)',
    'link#2 = BPF_LINK_CREATE(prog#1, { f1, f2, f3 })',
    ...CALLS,
    'link#3 = BPF_LINK_CREATE(prog#1, { f4 })',
    'close(link#2)',
  ],
];

/** A module cannot go while a link has its functions. */
const IN_A_MODULE = moduleFunction('f6', 6, 'u64 -> u64', 'm1');
const WITH_A_MODULE: readonly string[] = [
  'link#1 = BPF_LINK_CREATE(prog#1, { f1, f6 })',
  `task#1 calls f6(${WORD})`,
  'delete_module(m1)',
  'close(link#1)',
  'delete_module(m1)',
  'link#2 = BPF_LINK_CREATE(prog#2, { f1, f6 })',
];

/** In a kernel with a design: what it refuses is refused, and the rest follows. */
export function overlappingLinks(profile: string): AttachCase[] {
  const holdsModules = designOf(profileNamed(profile))?.modulesHeldBy === 'link';
  return [
    ...HISTORIES.map((history) => caseOf(profile, FUNCTIONS, history)),
    ...(holdsModules ? [caseOf(profile, [...FUNCTIONS, IN_A_MODULE], WITH_A_MODULE)] : []),
  ];
}

function caseOf(
  profile: string,
  functions: readonly TracedFunction[],
  history: readonly string[],
): AttachCase {
  const spelling = { profile, functions };
  return {
    profile,
    functions,
    actions: [...LOADS, ...history].map((line) => parseAction(line, spelling)),
  };
}
