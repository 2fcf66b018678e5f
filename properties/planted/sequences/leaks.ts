import { detachingEverythingRestoresBootState } from '../../ftrace/detaching-everything-restores-boot-state.ts';
import { kprobe, link, load, registered, TRACEPOINT } from './actions.ts';
import { dropped, edit } from './edits.ts';
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
