import type { Action } from '../../../model/client/all.ts';
import { eventLinked } from '../../../model/client/bpf-link-create-perf-event.ts';
import { tracepointLoad } from '../../../model/client/bpf-prog-load.ts';
import { eventOn } from '../../../model/client/perf-event-open.ts';
import type { TracepointFunc } from '../../../model/tracepoint/tracepoint.ts';
import { hitOf } from '../../observed/sample-call.ts';
import { hitsCallEachProbeOnce } from '../../tracepoint/hits-call-each-probe-once.ts';
import { probesGetTheArgumentsOfTheHit } from '../../tracepoint/probes-get-the-arguments-of-the-hit.ts';
import { probeOf, registered, TRACEPOINT } from './actions.ts';
import { dropped, edit, instead } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

const HIT: Action = hitOf(TRACEPOINT, 0);

/** The arguments that a hit passes. */
const WORDS = '(0x5100000071000000, 0x5201010172030507, 0x5302020273060a0e)';

function unregistered(n: number): Action {
  return { do: 'tracepoint_probe_unregister', ...probeOf(n) };
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
    smallest: [{ do: 'perf_event_open', event: 'perf#1', tracepoint: TRACEPOINT.name }, registered(1), HIT],
    finding: `my_probe1 gets data#1 ${WORDS} / it gets call#0 ${WORDS}`,
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
