import { crashLaw } from '../observed/crash-law.ts';

/** I-22. */
export const tablesStayWhileTheyAreRead = crashLaw({
  name: 'task/tables-stay-while-they-are-read',
  sentence: 'A table of call sites that was replaced is freed only when nobody is looking into it any more.',
  source:
    'kernel/trace/ftrace.c ftrace_find_rec_direct, ftrace_ops_test, free_ftrace_hash_rcu, register_ftrace_direct_cb',
  witness: 'a table was freed while a call was under way',
  expected: 'a table that is being read is there',
  isBreach: (kind, text) =>
    kind === 'use after free' && /direct_functions|(filter|notrace) hash of/.test(text),
  isPremise: (happening) => happening.is === 'freed' && happening.what.startsWith('table '),
});
