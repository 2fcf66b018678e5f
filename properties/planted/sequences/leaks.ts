import type { Action } from '../../../model/client/all.ts';
import { TRACEPOINTS } from '../../../model/raw-tracepoint/tracepoints.ts';
import { plainProgram } from '../../../model/trampoline/program.ts';
import { ZERO } from '../../../model/x86/word.ts';
import { detachingEverythingRestoresBootState } from '../../ftrace/detaching-everything-restores-boot-state.ts';
import { kprobe, link, load } from './actions.ts';
import { dropped, edit } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

const TRACEPOINT = TRACEPOINTS.find(({ name }) => name === 'xdp_exception')!;

const LOADED: Action = {
  do: 'BPF_PROG_LOAD',
  program: { ...plainProgram(1), reads: 'direct' },
  target: '',
  probe: 'raw_tp',
  returns: ZERO,
};
const OPENED: Action = {
  do: 'BPF_RAW_TRACEPOINT_OPEN',
  link: 'link#1',
  prog: 1,
  tracepoint: TRACEPOINT.name,
};

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
    smallest: [LOADED, OPENED, { do: 'settle' }],
    finding: 'nothing is left after every client has detached / funcs#1, an array of probes is left',
  },
];
