import { detachingEverythingRestoresBootState } from '../../ftrace/detaching-everything-restores-boot-state.ts';
import { kprobe, link, load, registered, TRACEPOINT } from './actions.ts';
import { dropped, edit, instead } from './edits.ts';
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
