import { crashLaw } from '../observed/crash-law.ts';

export const noFetchFromFreedMemory = crashLaw({
  name: 'task/no-fetch-from-freed-memory',
  sentence:
    'Executable memory is freed only after the last task has left it, whether it runs, waits or sleeps.',
  source: 'kernel/bpf/trampoline.c bpf_tramp_image_put; kernel/trace/ftrace.c ftrace_shutdown',
  witness: 'executable memory was freed while a call was under way',
  expected: 'code stays mapped until the last task has left it',
  isBreach: (kind, text) =>
    kind.startsWith('fetch: ') || (kind === 'use after free' && /(^|: )tramp#\d+ has been freed/.test(text)),
  isPremise: (happening) => happening.is === 'freed' && happening.what.startsWith('page of '),
});
