/*
 * Faults in the source of the model that were made without a law in mind: a reader of the kernel chose them, and the
 * searches had not been written for them. Each is a change of a few words of one file.
 */

/** A fault in the source of the model. */
export interface UnplannedFault {
  readonly name: string;
  /** The fault in one sentence. */
  readonly sentence: string;
  readonly path: string;
  /** The words that are replaced: they are there once. */
  readonly from: string;
  readonly to: string;
  /** Why the searches of a default run do not show it. */
  readonly missed?: string;
}

const RELEASE = 'model/trampoline/release.ts';
const UPDATE = 'model/trampoline/update.ts';

export const UNPLANNED_FAULTS: readonly UnplannedFault[] = [
  {
    name: 'freed-program-is-not-waited-for',
    sentence: 'A program of an image is freed without a grace period of RCU-tasks.',
    path: RELEASE,
    from: "imageLifecycle === 'C' && entry(k.bpf.progs, prog).trampLinked,",
    to: "imageLifecycle === 'C' && entry(k.bpf.progs, prog).trampLinked && entry(k.bpf.progs, prog).program.multi !== true,",
    missed:
      'It needs a task in an image of 7.2 while its program is freed: a default run explores 6.12; see no-rcu-tasks-before-program-free.',
  },
  {
    name: 'skipped-in-the-current-image-only',
    sentence:
      'A program that leaves is skipped in the newest image of its trampoline, not in those that are still in use.',
    path: 'model/trampoline/link.ts',
    from: 'images: trOf(k, target).images,',
    to: 'images: trOf(k, target).images.slice(0, 1),',
    missed:
      'It needs a task in an older image of 7.2: a default run explores 6.12; see detached-program-is-not-skipped.',
  },
  {
    name: 'direct-mode-before-the-user',
    sentence: 'Function graph enters direct mode before it remembers its only user.',
    path: 'model/ftrace/graph-direct.ts',
    from: "step('publish the only user', (k, { gops }) => {\n      k.fgraph.directGops = gops;\n    }),",
    to: "step('publish the only user', (k) => {\n      k.fgraph.doDirect = true;\n    }),\n    step('remember it', (k, { gops }) => {\n      k.fgraph.directGops = gops;\n    }),",
  },
  {
    name: 'second-probe-before-the-iterator',
    sentence: 'The array with a second probe is published before the static call calls the iterator.',
    path: 'model/tracepoint/register.ts',
    from: '[callIterator(words), publish(words)]',
    to: '[publish(words), callIterator(words)]',
  },
  {
    name: 'only-the-first-breakpoint-of-a-batch',
    sentence: 'Of the sites of a batch only the first becomes a breakpoint.',
    path: 'model/text/poke.ts',
    from: "for (const { place } of pokes) write(k, place, 'heads', INT3);",
    to: "for (const { place } of pokes.slice(0, 1)) write(k, place, 'heads', INT3);",
  },
  {
    name: 'one-frame-too-many',
    sentence: 'The shadow stack takes a frame more than it holds.',
    path: 'model/ftrace/fgraph.ts',
    from: 'profileNamed(k.profile).fgraphFrameWords + 1 < shadowStackMax(k)',
    to: 'profileNamed(k.profile).fgraphFrameWords + 1 < shadowStackMax(k) + 6',
  },
  {
    name: 'overrun-is-forgotten',
    sentence: 'A call that finds the shadow stack full is not counted.',
    path: 'model/ftrace/run/graph-entry.ts',
    from: 'k.fgraph.overrun++;',
    to: 'k.fgraph.overrun += 0;',
  },
  {
    name: 'notrace-of-users-is-the-union',
    sentence: 'The notrace hash of the manager of function graph is the union of those of its users.',
    path: 'model/ftrace/subops-hashes.ts',
    from: 'return a.filter((ip) => hashHas(b, ip));',
    to: 'return withIps(a, b);',
  },
  {
    name: 'last-user-sees-no-return',
    sentence: 'The user with the last of sixteen indices does not see returns.',
    path: 'model/ftrace/run/graph-return.ts',
    from: 'slot < FGRAPH_ARRAY_SIZE; slot++',
    to: 'slot < FGRAPH_ARRAY_SIZE - 1; slot++',
  },
  {
    name: 'cookie-of-the-program',
    sentence: 'An image has the cookie with which a program was loaded, not that of its link.',
    path: UPDATE,
    from: '({ ...entry(k.bpf.progs, prog).program, cookie })',
    to: '({ ...entry(k.bpf.progs, prog).program, ...(cookie && {}) })',
  },
  {
    name: 'new-sites-keep-the-old-ones',
    sentence: 'A multi link with new sites does not change those that call an image already.',
    path: 'model/trampoline/designs/tracing-multi.ts',
    from: "when('sites change', hasChangedSites, [\n      attempt(",
    to: "when('sites change', (k, locals) => hasChangedSites(k, locals) && !hasNewSites(k, locals), [\n      attempt(",
    missed:
      'It needs two multi links, the second with functions of the first and others: drawn in one of 1,274 sequences of 7.2.',
  },
  {
    name: 'wrong-errno-of-direct-add',
    sentence: 'update_ftrace_direct_add() answers EBUSY where a site has a direct call.',
    path: 'model/ftrace/direct-hash.ts',
    from: "refuse('EINVAL', 'a site has a direct call'",
    to: "refuse('EBUSY', 'a site has a direct call'",
  },
  {
    name: 'registers-close-after-the-stack',
    sentence: 'After an argument on the stack, all others are there: in the ABI and in the images alike.',
    path: 'model/abi/slots.ts',
    from: "else if (whatIsLeft === 'closed') registers = convention.registers;",
    to: 'else registers = convention.registers;',
  },
  {
    name: 'sessions-count-once',
    sentence: 'A session counts as one program of a trampoline.',
    path: 'model/trampoline/program.ts',
    from: "(kind === 'fsession' ? 2 : 1)",
    to: "(kind === 'fsession' ? 1 : 1)",
  },
  {
    name: 'flags-of-a-failed-update',
    sentence: 'A trampoline whose update failed keeps the flags of the image that it has not.',
    path: UPDATE,
    from: 'trOf(k, target).flags = origFlags;',
    to: 'void [k, target, origFlags];',
    missed:
      'It needs a second allocation that fails in the update of a trampoline with programs: two of six seeds break ftrace/failed-calls-have-no-effect within 1,000 sequences of 6.12.',
  },
  {
    name: 'fprobe-of-either-kind-keeps-the-function',
    sentence: 'A function leaves the filter of fprobes when no fprobe of either kind is left.',
    path: 'model/ftrace/fprobe-graph.ts',
    from: 'return !left.some((name) => entry(k.probes.fprobes, name).exit === exit);',
    to: 'return left.length === 0 || (exit && false);',
  },
  {
    name: 'classes-by-the-number-of-words',
    sentence: 'Program sets take functions with the same number of words of arguments for one class.',
    path: 'model/trampoline/designs/program-sets.ts',
    from: "return slots.map(({ place }) => Object.values(place).join(' ')).join(', ');",
    to: 'return String(slots.length);',
    missed:
      'A default run has no design. In that of program sets, functions with one number of words in other places are not drawn.',
  },
  {
    name: 'kprobe-joins-unarmed',
    sentence: 'A kprobe on a second function is counted as armed without being in the filter.',
    path: 'model/ftrace/arm-kprobe.ts',
    from: 'call(ftraceSetFilterIp, (_, { ip, ops }) => ({ ops, ip, remove: false, reset: false })),',
    to: "when('it is the first of the ops', (k, { ops }) => k.probes.armed[ops] === 0, [\n      call(ftraceSetFilterIp, (_, { ip, ops }) => ({ ops, ip, remove: false, reset: false })),\n    ]),",
  },
  {
    name: 'regs-are-never-cleared',
    sentence: 'REGS stays in a record after the last ops that needs the registers has left.',
    path: 'model/ftrace/accounting.ts',
    from: 'if (!testRecOpsNeedsRegs(k, ip)) rec.flags &= ~FTRACE_FL_REGS;',
    to: 'if (!testRecOpsNeedsRegs(k, ip)) rec.flags |= FTRACE_FL_REGS;',
  },
  {
    name: 'image-goes-although-its-site-stays',
    sentence: '7.2 puts an image although its call site could not be changed.',
    path: 'model/trampoline/site.ts',
    from: 'errno === 0 || !profileNamed(k.profile).imageKeptIfUnregisterFails ? undefined : errno,',
    to: "errno === 0 || profileNamed(k.profile).kernel === '7.2' ? undefined : errno,",
    missed:
      'It needs an unregistration that fails in 7.2: memory or text that lacks in the last close of a link.',
  },
  {
    name: 'failed-program-stays-in-the-list',
    sentence: 'A program whose attach failed stays in the list of its trampoline.',
    path: 'model/trampoline/link.ts',
    from: '[call(removeProg, (_, { target, node }) => ({ target, node }))],\n    ),\n  ],\n);\n\n/** `BPF_TRAMP_REPLACE`',
    to: '[],\n    ),\n  ],\n);\n\n/** `BPF_TRAMP_REPLACE`',
  },
];
