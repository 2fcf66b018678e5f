import type { Action } from '../../../model/client/all.ts';
import { eventLinked } from '../../../model/client/bpf-link-create-perf-event.ts';
import { tracepointLoad } from '../../../model/client/bpf-prog-load.ts';
import { eventOn } from '../../../model/client/perf-event-open.ts';
import { TRACEPOINTS } from '../../../model/raw-tracepoint/tracepoints.ts';
import type { TracepointFunc } from '../../../model/tracepoint/tracepoint.ts';
import { DEFAULT_PRIO } from '../../../model/tracepoint/tracepoint.ts';
import { hitOf } from '../../observed/sample-call.ts';
import { hitsCallEachProbeOnce } from '../../tracepoint/hits-call-each-probe-once.ts';
import { probesGetTheArgumentsOfTheHit } from '../../tracepoint/probes-get-the-arguments-of-the-hit.ts';
import { dropped, edit, instead } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

const TRACEPOINT = TRACEPOINTS.find(({ name }) => name === 'xdp_exception')!;
const HIT: Action = hitOf(TRACEPOINT, 0);

/** The arguments that a hit passes. */
const WORDS = '(0x5100000071000000, 0x5201010172030507, 0x5302020273060a0e)';

/** One function of a client's, distinguished by its data. */
const probe = (n: number, func = 'my_probe1') => ({ tracepoint: TRACEPOINT.name, func, data: `data#${n}` });

function registered(n: number, func?: string): Action {
  return { do: 'tracepoint_probe_register_prio', ...probe(n, func), prio: DEFAULT_PRIO };
}

function unregistered(n: number): Action {
  return { do: 'tracepoint_probe_unregister', ...probe(n) };
}

/** Changes the new array before it is published. */
function changing(routine: string, id: string, change: (array: TracepointFunc[]) => void) {
  return edit(
    routine,
    id,
    instead((_, locals, own) => {
      own();
      const array = locals['array'] as TracepointFunc[] | undefined;
      if (array !== undefined) change(array);
    }),
  );
}

/** Planted bugs in the array of probes that show in a later hit. */
export const PLANTED_HITS: readonly AttachPlanted[] = [
  {
    name: 'probe-comes-before-its-equals',
    sentence: 'func_add() inserts a new probe before all others of the same priority.',
    history: undefined,
    law: hitsCallEachProbeOnce,
    profile: '6.12',
    edits: [
      changing('tracepoint_add_func', 'func_add', (array) => {
        array.reverse().sort((a, b) => b.prio - a.prio);
      }),
    ],
    functions: [],
    tracepoints: [TRACEPOINT],
    smallest: [registered(1), registered(2), HIT],
    finding:
      'a hit calls my_probe1(data#1), my_probe1(data#2) / it calls my_probe1(data#2), my_probe1(data#1)',
  },
  {
    name: 'removed-probe-stays-in-the-array',
    sentence: 'func_remove() leaves the probe in the array as long as there are others.',
    history: undefined,
    law: hitsCallEachProbeOnce,
    profile: '6.12',
    edits: [
      edit(
        'tracepoint_remove_func',
        'func_remove',
        instead((_, locals, own) => {
          own();
          const [old, array] = [locals['old'], locals['array']] as (TracepointFunc[] | undefined)[];
          array?.splice(0, array.length, ...old!);
        }),
      ),
    ],
    functions: [],
    tracepoints: [TRACEPOINT],
    smallest: [registered(1), registered(2), unregistered(1), HIT],
    finding: 'a hit calls my_probe1(data#2) / it calls my_probe1(data#1), my_probe1(data#2)',
  },
  {
    name: 'new-probe-has-the-data-of-the-first',
    sentence: 'func_add() gives a new probe the data of the first one in the array.',
    history: undefined,
    law: probesGetTheArgumentsOfTheHit,
    profile: '6.12',
    edits: [
      changing('tracepoint_add_func', 'func_add', (array) => {
        const [first] = array;
        array.splice(
          0,
          array.length,
          ...array.map((tracepointFunc) => ({ ...tracepointFunc, data: first!.data })),
        );
      }),
    ],
    functions: [],
    tracepoints: [TRACEPOINT],
    smallest: [registered(1), registered(2, 'my_probe2'), HIT],
    finding: `my_probe2 gets data#2 ${WORDS} / it gets data#1 ${WORDS}`,
  },
  {
    name: 'detached-program-stays-in-the-array',
    sentence: 'perf_event_detach_bpf_prog() does not replace the array of programs.',
    history: undefined,
    law: hitsCallEachProbeOnce,
    profile: '6.12',
    edits: [edit('perf_event_detach_bpf_prog', 'publish prog_array', dropped)],
    functions: [],
    tracepoints: [TRACEPOINT],
    smallest: [
      eventOn(1, TRACEPOINT.name),
      tracepointLoad(1, 'tp'),
      eventLinked(1),
      { do: 'close(link)', link: 'link#1' },
      HIT,
    ],
    finding: 'a hit calls nothing / it calls prog#1',
  },
];
