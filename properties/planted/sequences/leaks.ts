import { rawTracepointLoad } from '../../../model/client/bpf-prog-load.ts';
import { rawTracepointOpen } from '../../../model/client/bpf-raw-tracepoint-open.ts';
import { TRACEPOINTS } from '../../../model/raw-tracepoint/tracepoints.ts';
import { detachingEverythingRestoresBootState } from '../../ftrace/detaching-everything-restores-boot-state.ts';
import { kprobe, link, load } from './actions.ts';
import { dropped, edit } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

const TRACEPOINT = TRACEPOINTS.find(({ name }) => name === 'xdp_exception')!;

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
    smallest: [rawTracepointLoad(1), rawTracepointOpen(1, TRACEPOINT.name), { do: 'settle' }],
    finding: 'nothing is left after every client has detached / funcs#1, an array of probes is left',
  },
];
