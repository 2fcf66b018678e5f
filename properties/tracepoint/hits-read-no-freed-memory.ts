import type { TaskLaw } from '../law/interleaving-law.ts';
import { crashLaw } from '../observed/crash-law.ts';

export const hitsReadNoFreedMemory: TaskLaw = crashLaw({
  name: 'tracepoint/hits-read-no-freed-memory',
  sentence:
    "A tracepoint's array of probes and a program's link are freed only after the last hit that may read them.",
  source: 'kernel/tracepoint.c  release_probes; kernel/bpf/syscall.c  bpf_link_free',
  witness: 'a hit that ends while an operation runs',
  unmet: 'arrays of probes stay',
  isBreach: ({ is }) => is === 'read of freed data' || is === 'use after free',
  isAbout: ({ tracepoints = [] }) => tracepoints.length > 0,
  isPremise: (happening) => happening.is === 'call over' && happening.during.length > 0,
});
