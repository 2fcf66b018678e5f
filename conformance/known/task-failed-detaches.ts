import type { CausePattern } from '../../checker/interleavings/cause/pattern.ts';
import type { Action } from '../../model/client/all.ts';
import { recordCountsMatchOps } from '../../properties/ftrace/record-counts-match-ops.ts';
import type { Scenario } from '../../properties/observed/scenario.ts';
import {
  close,
  open,
  register,
  scenario,
  tracer,
  unregister,
} from '../../properties/planted/interleavings/scenarios.ts';
import { load } from '../../properties/planted/sequences/actions.ts';
import { noFetchFromFreedMemory } from '../../properties/task/no-fetch-from-freed-memory.ts';
import { noHandlerAfterUnregister } from '../../properties/task/no-handler-after-unregister.ts';
import { noLookupInAFreedTable } from '../../properties/task/no-lookup-in-a-freed-table.ts';
import { noWarnAndNoOops } from '../../properties/task/no-warn-and-no-oops.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import { settledLaw } from '../../properties/task/settled-laws.ts';
import { imageMatchesAttachedPrograms } from '../../properties/trampoline/image-matches-attached-programs.ts';
import type { KnownTask } from './task-known.ts';
import { crash, found, usesFreed, warnsOf } from './task-shows.ts';

const TWO_PROGRAMS: readonly Action[] = [load(1), load(2), open(2), open(1)];
const DETACHES_WITHOUT_MEMORY: readonly Action[] = [
  { do: 'fail', fault: { what: 'allocation', where: 'bpf_trampoline_update' } },
  close(2),
];

/** Then a third program is loaded, whose target has a trampoline again. */
const LEAVES_BEFORE_THE_NEXT = scenario({
  setup: TWO_PROGRAMS,
  clients: [[...DETACHES_WITHOUT_MEMORY, load(3)], [close(1)]],
});

/** The only program is detached, and then the other ops of the function. */
const LEAVES_WITH_THE_OTHER_OPS = scenario({
  setup: [load(2), open(2), ...tracer('ops#1'), register('ops#1')],
  clients: [[...DETACHES_WITHOUT_MEMORY, unregister('ops#1')]],
});

/** Common fields: 7.2 needs no memory for a detach. */
const OF_A_FAILED_DETACH = {
  kernels: ['6.1', '6.12'],
  others: ['7.2'],
  restsOn: ['directApi', 'imageLifecycle'],
} as const;

/** What it leaves is seen at the end. */
const FAILS_BESIDE_ANOTHER: CausePattern = {
  stood: [
    {
      at: 'anywhere',
      did: [{ by: ['bpf_trampoline_update', 'bpf_trampoline_put'], within: 'bpf_link_release' }],
    },
  ],
};

/** The ops is freed while it is on the list. */
const LEAVES_ITS_OPS: CausePattern = {
  stood: [
    {
      at: 'anywhere',
      did: [{ by: ['bpf_trampoline_put', 'unregister_ftrace_direct'], within: 'bpf_link_release' }],
    },
  ],
};

const NEEDS_NO_WALK = 'as ops-is-freed-on-the-list, which needs no walk';

/** Breaches of a program that is detached with no memory for the next image, while another one is detached. */
export const KNOWN_FAILED_DETACHES: readonly KnownTask[] = [
  {
    ...OF_A_FAILED_DETACH,
    name: 'image-of-a-trampoline-that-failed-to-detach',
    sentence:
      'Two programs are detached at once, one with no memory for an image, and a third one is loaded: the trampoline stays, with an image that calls one of them.',
    evidence: 'as ops-is-freed-on-the-list',
    law: settledLaw(imageMatchesAttachedPrograms),
    shows: found(
      'image-is-for-others',
      ({ programs, image }, scenario) => programs.length === 0 && image !== null && detachTwo(scenario),
    ),
    cause: FAILS_BESIDE_ANOTHER,
    scenario: scenario({
      setup: TWO_PROGRAMS,
      clients: [[...DETACHES_WITHOUT_MEMORY, load(3)], [close(1)]],
      callers: [],
    }),
    moves: [55, 55],
  },
  {
    ...OF_A_FAILED_DETACH,
    name: 'record-of-a-trampoline-that-failed-to-detach',
    sentence: 'Where ftrace dies in the other one, the record of the function still counts the freed ops.',
    evidence: 'as ops-is-freed-on-the-list',
    law: settledLaw(recordCountsMatchOps),
    shows: found(
      'record-count-differs',
      ({ observed, tracing }, scenario) => observed > tracing.length && detachTwo(scenario),
    ),
    cause: FAILS_BESIDE_ANOTHER,
    scenario: scenario({
      setup: TWO_PROGRAMS,
      clients: [
        DETACHES_WITHOUT_MEMORY,
        [{ do: 'fail', fault: { what: 'poke', where: 'ftrace_replace_code' } }, close(1)],
      ],
      callers: [],
    }),
    moves: [54, 54],
  },
  {
    ...OF_A_FAILED_DETACH,
    name: 'program-that-failed-to-detach-runs',
    sentence:
      'A program is detached, and there is no memory for a new image: a call that comes to the old one while another ops leaves the function runs it.',
    evidence: 'as program-that-left-for-lack-of-memory-is-called',
    law: probesSeeOldOrNew,
    restsOn: ['imageLifecycle'],
    shows: found(
      'unpromised-event',
      ({ event }, scenario) => event.kind === 'program' && detachesAnother(scenario),
    ),
    cause: {
      stood: [
        {
          at: 'anywhere',
          did: [{ by: 'bpf_trampoline_update', within: 'bpf_link_release', refused: 'ENOMEM' }],
        },
      ],
    },
    scenario: LEAVES_WITH_THE_OTHER_OPS,
    moves: [29, 26],
  },
  {
    ...OF_A_FAILED_DETACH,
    name: 'ftrace-dies-of-a-trampoline-that-failed-to-detach',
    sentence:
      'Two programs are detached at once, one with no memory for an image: the trampoline is freed with its ops, which a walk of the list is at. The ops of the next trampoline takes that memory and has no func yet: ftrace warns and disables itself.',
    evidence: `shown on 6.12.117, where the freed memory was overwritten, and the walk faults without end; ${NEEDS_NO_WALK}`,
    law: noWarnAndNoOops,
    shows: warnsOf('ops without func', ({ ops }) => ops.startsWith('tr(')),
    cause: LEAVES_ITS_OPS,
    scenario: LEAVES_BEFORE_THE_NEXT,
    moves: [55, 55],
  },
  {
    ...OF_A_FAILED_DETACH,
    name: 'next-trampoline-has-no-func-under-a-walk',
    sentence:
      'The same for a walk that has tested the freed ops: it calls the func of the next one, which is NULL.',
    evidence: NEEDS_NO_WALK,
    law: noHandlerAfterUnregister,
    shows: crash('ops without func', ({ ops }) => ops.startsWith('tr(')),
    cause: LEAVES_ITS_OPS,
    scenario: LEAVES_BEFORE_THE_NEXT,
    moves: [56, 56],
  },
  {
    ...OF_A_FAILED_DETACH,
    name: 'filter-of-a-trampoline-that-failed-to-detach-is-freed-while-it-is-read',
    sentence:
      'The same for a walk that has loaded the hashes of the freed one: it looks up its function in memory that was freed.',
    evidence: NEEDS_NO_WALK,
    law: noLookupInAFreedTable,
    shows: usesFreed('hash', ({ which, ops }) => which === 'filter' && ops.startsWith('tr(')),
    cause: LEAVES_ITS_OPS,
    scenario: LEAVES_BEFORE_THE_NEXT,
    moves: [55, 55],
  },
  {
    ...OF_A_FAILED_DETACH,
    name: 'func-of-a-trampoline-that-failed-to-detach-is-called',
    sentence:
      'The only program is detached, with no memory for an image: the trampoline is freed with its ops, which is on the list. Where the other ops there leaves, calls go to the func of the freed one, which is NULL.',
    evidence: NEEDS_NO_WALK,
    law: noFetchFromFreedMemory,
    shows: crash('fault', ({ access, place }) => access === 'execute' && place.in === 'nothing'),
    cause: LEAVES_ITS_OPS,
    scenario: LEAVES_WITH_THE_OTHER_OPS,
    moves: [49, 34],
  },
];

/** Two clients detach a program: where there is one, sequences show the breach. */
function detachTwo({ clients }: Scenario): boolean {
  return clients.filter((script) => script.some(({ do: name }) => name === 'close(link)')).length > 1;
}

/** An ops is unregistered as well: without that, sequences show the breach. */
function detachesAnother({ clients }: Scenario): boolean {
  return clients.flat().some(({ do: name }) => name === 'unregister_ftrace_function');
}
