import { detachingEverythingRestoresBootState } from '../../ftrace/detaching-everything-restores-boot-state.ts';
import { failedCallsHaveNoEffect } from '../../ftrace/failed-calls-have-no-effect.ts';
import { failing, kprobe, link, load, registered, TRACEPOINT } from './actions.ts';
import { dropped, edit, followedBy, instead } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

/** Memory that nothing points to any more, and that is never freed. */
export const PLANTED_LEAKS: readonly AttachPlanted[] = [
  {
    name: 'replaced-direct-functions-leaks',
    sentence: 'register_ftrace_direct() does not free the direct_functions that it replaces.',
    history: undefined,
    law: detachingEverythingRestoresBootState,
    profile: '6.12',
    edits: [edit('register_ftrace_direct', 'free the old direct_functions', dropped)],
    smallest: [load(1, 'fexit'), kprobe(1, true), link(1), { do: 'settle' }],
    finding:
      'nothing is left after every client has detached / table #3, an earlier direct_functions is left',
  },
  {
    name: 'descriptor-keeps-the-old-address',
    sentence:
      'modify_ftrace_direct() of one site leaves the descriptor with the old address: unregistering finds no descriptor of the new one.',
    history: 'ftrace: Fix modify_ftrace_direct. (5.12)',
    law: detachingEverythingRestoresBootState,
    profile: '6.1',
    edits: [
      edit(
        'modify_ftrace_direct(ip)',
        'change the descriptor',
        instead((k, _, own) => {
          const unchanged = k.ftrace.directFuncs.map((func) => ({ ...func }));
          own();
          k.ftrace.directFuncs = unchanged;
        }),
      ),
    ],
    smallest: [
      { do: 'register_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' },
      { do: 'modify_ftrace_direct(ip)', ip: 'f1', oldAddr: 'my_tramp1', newAddr: 'my_tramp2' },
      { do: 'settle' },
    ],
    finding: 'nothing is left after every client has detached / the descriptor of my_tramp1 is left',
  },
  {
    name: 'descriptor-is-not-restored',
    sentence: 'modify_ftrace_direct() of one site fails and leaves the descriptor with the new address.',
    history: "ftrace: Fix issue that 'direct->addr' not restored in modify_ftrace_direct() (6.3)",
    law: failedCallsHaveNoEffect,
    profile: '6.1',
    edits: [edit('modify_ftrace_direct(ip)', 'restore the descriptor', dropped)],
    smallest: [
      { do: 'register_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' },
      failing('allocation', 'ftrace_set_hash'),
      { do: 'modify_ftrace_direct(ip)', ip: 'f1', oldAddr: 'my_tramp1', newAddr: 'my_tramp2' },
    ],
    finding: 'ENOMEM, and ftrace/directFuncs/0/addr stays my_tramp1 / it is my_tramp2',
    rare: 'An allocation that fails in the change of a direct call: under one sequence in a thousand.',
  },
  {
    name: 'removed-direct-entry-is-never-freed',
    sentence:
      'unregister_ftrace_direct() of one site takes the entry out of direct_functions and does not free it.',
    history: 'ftrace: Fix memory leak caused by not freeing entry in unregister_ftrace_direct() (5.7)',
    law: detachingEverythingRestoresBootState,
    profile: '6.1',
    edits: [
      edit(
        'unregister_ftrace_direct(ip)',
        'remove the direct call',
        followedBy((k, locals) => {
          k.ftrace.lostEntries.push(String(locals['ip']));
        }),
      ),
    ],
    smallest: [{ do: 'register_ftrace_direct(ip)', ip: 'f1', addr: 'my_tramp1' }, { do: 'settle' }],
    finding: 'nothing is left after every client has detached / the removed entry of f1 is left',
  },
  {
    name: 'table-of-a-removed-direct-call-leaks',
    sentence: 'update_ftrace_direct_del() does not free the direct_functions that it replaces.',
    history: 'update_ftrace_direct_del() does not free the direct_functions that it replaces (7.0)',
    law: detachingEverythingRestoresBootState,
    profile: '7.2',
    edits: [edit('update_ftrace_direct_del', 'free the old direct_functions', dropped)],
    smallest: [
      { do: 'update_ftrace_direct_add', ops: 'direct#1', hash: { f1: 'my_tramp1' } },
      { do: 'settle' },
    ],
    finding:
      'nothing is left after every client has detached / table #1, an earlier direct_functions is left',
  },
  {
    name: 'array-of-probes-leaks',
    sentence: 'A tracepoint does not free the array of probes that it replaces.',
    history: undefined,
    law: detachingEverythingRestoresBootState,
    profile: '6.12',
    edits: [edit('release_probes', 'free it in the background', dropped)],
    functions: [],
    tracepoints: [TRACEPOINT],
    smallest: [registered(1), { do: 'settle' }],
    finding: 'nothing is left after every client has detached / funcs#1, an array of probes is left',
  },
];
