import { crashLaw } from '../observed/crash-law.ts';

/** What a client may free: an ops (BPF trampolines have theirs), a user of function graph, a kprobe, a kretprobe, an fprobe. */
const OBJECT = /^((ops|direct|gops|kprobe|kretprobe|fprobe|link)#|tr\()/;

/** I-21. That a handler runs at all after its client has left is for `probes-see-old-or-new` to see. */
export const nobodyUsesWhatClientsFreed = crashLaw({
  name: 'task/nobody-uses-what-clients-freed',
  sentence:
    'When a client has unregistered, nobody is in its handler or will come there: it may free its object.',
  source:
    'kernel/trace/ftrace.c ftrace_shutdown; kernel/kprobes.c unregister_kprobe; kernel/trace/fprobe.c unregister_fprobe',
  witness: 'a client freed its object while a call was under way',
  expected: 'an object that a call uses is there',
  isBreach: (kind, text) =>
    (kind === 'use after free' && OBJECT.test(text.replace(/^use after free: /, ''))) ||
    kind === 'fprobe_handler' ||
    (kind === 'NULL pointer' && /has no (func|exit handler)/.test(text)),
  isPremise: (happening) => happening.is === 'freed' && OBJECT.test(happening.what),
});
