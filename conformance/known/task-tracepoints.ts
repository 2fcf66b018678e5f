import { added, FAULTABLE, hitBeside, taken } from '../../properties/planted/interleavings/tracepoints.ts';
import { probesGetTheirOwnData } from '../../properties/tracepoint/probes-get-their-own-data.ts';
import type { KnownTask } from './task-known.ts';
import { found } from './task-shows.ts';

const EVIDENCE =
  'kernel/tracepoint.c of 7.2  tp_rcu_get_state, tp_rcu_cond_sync: RCU and tracepoint_srcu; include/linux/tracepoint.h  __DECLARE_TRACE_SYSCALL: guard(rcu_tasks_trace)() alone. A kernel without preemption does not show it: there RCU waits for the task';

const SHOWS = found('data-of-another', ({ own, data }) => !own.includes(data));

/** Known breaches of tracepoints: hits that overlap registrations and removals of probes. */
export const KNOWN_TRACEPOINTS: readonly KnownTask[] = [
  {
    name: 'faultable-hit-gets-the-data-of-a-removed-probe',
    sentence:
      'A task is preempted in a hit of a faultable tracepoint after it has read the data of the first of two probes. That probe is removed; the static call switches to the other one after grace periods of RCU and tracepoint_srcu, and the hit is in a section of neither: the other probe gets the wrong data.',
    evidence: EVIDENCE,
    law: probesGetTheirOwnData,
    kernels: ['7.2'],
    others: ['6.1', '6.12'],
    restsOn: ['faultableTracepoints', 'tracepointSection'],
    shows: SHOWS,
    cause: {
      stood: [
        {
          at: { holds: 'rcu trace', lacks: ['rcu', 'preemption off'] },
          did: [
            { by: 'tracepoint_remove_func', part: 'publish tp->funcs' },
            { by: 'text_poke_bp_batch', within: 'tracepoint_remove_func' },
          ],
        },
      ],
    },
    scenario: hitBeside([added(1, FAULTABLE), added(2, FAULTABLE)], [taken(1, FAULTABLE)], FAULTABLE),
    moves: [17],
  },
  {
    name: 'faultable-hit-gets-the-data-of-the-previous-probe',
    sentence:
      'The same when the only probe is removed and another added: it gets the data of the previous one.',
    evidence: EVIDENCE,
    law: probesGetTheirOwnData,
    kernels: ['7.2'],
    others: ['6.1', '6.12'],
    restsOn: ['faultableTracepoints', 'tracepointSection'],
    shows: SHOWS,
    cause: {
      stood: [
        {
          at: { holds: 'rcu trace', lacks: ['rcu', 'preemption off'] },
          did: [
            { by: 'tracepoint_remove_func', part: 'publish tp->funcs' },
            { by: 'text_poke_bp_batch', within: 'tracepoint_add_func' },
          ],
        },
      ],
    },
    scenario: hitBeside([added(1, FAULTABLE)], [taken(1, FAULTABLE), added(2, FAULTABLE)], FAULTABLE),
    moves: [38],
  },
];
