import { crashLaw } from '../observed/crash-law.ts';

export const noFetchFromFreedMemory = crashLaw({
  name: 'task/no-fetch-from-freed-memory',
  sentence:
    'Executable memory is freed only after the last task has left it, whether the task runs, is preempted or sleeps.',
  source: 'kernel/bpf/trampoline.c bpf_tramp_image_put; kernel/trace/ftrace.c ftrace_shutdown',
  witness: 'executable memory freed during a call',
  unmet: 'code stays',
  isBreach: (crash) =>
    (crash.is === 'fault' && crash.access === 'execute') ||
    (crash.is === 'use after free' && crash.object.is === 'image'),
  isPremise: (happening) => happening.is === 'freed' && happening.object.is === 'code',
});
