import type { Part } from '../../../model/core/part.ts';
import { entry } from '../../../model/core/present.ts';
import { fails } from '../../../model/core/world.ts';
import { removeIps, userOf } from '../../../model/ftrace/fprobe-users.ts';
import { ftraceSetHash } from '../../../model/ftrace/set-filter.ts';
import type { Kernel } from '../../../model/kernel.ts';
import { moduleFunction, tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { fromNumber } from '../../../model/x86/word.ts';
import { emptyFilterDoesNotTraceEverything } from '../../ftrace/empty-filter-does-not-trace-everything.ts';
import { entryDataReachesItsExit } from '../../ftrace/entry-data-reaches-its-exit.ts';
import { exitsMatchAcceptedEntries } from '../../ftrace/exits-match-accepted-entries.ts';
import { failedCallsHaveNoEffect } from '../../ftrace/failed-calls-have-no-effect.ts';
import { callOf } from '../../observed/sample-call.ts';
import { CALL_F1, fprobe, link, probeLoad } from './actions.ts';
import { edit, followedBy, instead, PLANTED_PART } from './edits.ts';
import type { AttachPlanted } from './planted.ts';

const REC = tracedFunction('rec', 1, 'u64 -> u64');

/** rhltable_insert(), which may need memory for a larger table. */
const INSERTED: Part = {
  kind: 'allocate',
  id: 'insert the nodes',
  lacks: (k) => fails(k, 'allocation', 'register_fprobe_ips (fgraph)'),
};

/** delete_fprobe_node() for each function, as before the fix: `fprobe_table` is forgotten. */
const NODES_DELETED: readonly Part[] = [
  {
    kind: 'step',
    id: 'delete the nodes',
    run: (k, locals) => {
      const { fprobeTable, fprobeNodes } = (k as Kernel).probes;
      const { fprobe, ips, exit } = locals as { fprobe: string; ips: readonly string[]; exit: boolean };
      for (const ip of ips) {
        const left = entry(fprobeTable, ip).filter((name) => name !== fprobe);
        if (left.length > 0) fprobeTable[ip] = left;
        else delete fprobeTable[ip];
      }
      const user = userOf({ exit });
      fprobeNodes[user] = entry(fprobeNodes, user) - ips.length;
    },
  },
  {
    kind: 'call',
    id: 'fprobe_remove_ips',
    routine: removeIps as never,
    give: (_, { ips, exit }) => ({ user: userOf({ exit: exit === true }), ips }),
    take: () => {},
  },
];

/** Planted bugs of fprobes. */
export const PLANTED_FPROBES: readonly AttachPlanted[] = [
  {
    name: 'registered-fprobe-is-initialised',
    sentence: 'register_fprobe_ips() initialises the fprobe before it checks whether that is registered.',
    history: 'tracing/fprobe: Reject registration of a registered fprobe before init (7.1)',
    law: failedCallsHaveNoEffect,
    profile: '7.2',
    edits: [
      edit('register_fprobe_ips (fgraph)', 'the fprobe is registered', (part) => [
        {
          kind: 'step',
          id: PLANTED_PART,
          run: (k, locals) => {
            const { fprobes } = (k as Kernel).probes;
            const name = String(locals['fprobe']);
            const found = fprobes[name];
            if (found !== undefined) fprobes[name] = { ...found, ips: [] };
          },
        },
        part,
      ]),
    ],
    smallest: [fprobe(1), fprobe(1)],
    finding: 'EEXIST, and probes/fprobes/fprobe#1/ips/0 stays f1 / it is absent',
  },
  {
    name: 'failed-fprobe-stays-in-the-table',
    sentence:
      'A node cannot be inserted into fprobe_ip_table: the functions leave the ops again, and the fprobe stays in fprobe_table.',
    history: 'tracing/fprobe: Remove fprobe from hash in failure path (7.1)',
    law: failedCallsHaveNoEffect,
    profile: '7.2',
    edits: [
      edit('register_fprobe_ips (fgraph)', 'enter the tables', (part) => [
        part,
        { kind: 'attempt', id: PLANTED_PART, parts: [INSERTED], rollback: NODES_DELETED },
      ]),
    ],
    smallest: [
      { do: 'fail', fault: { what: 'allocation', where: 'register_fprobe_ips (fgraph)', nth: 2 } },
      fprobe(1),
    ],
    finding: 'ENOMEM, and probes/fprobes/fprobe#1 stays absent / it is present',
  },
  {
    name: 'headers-are-not-terminated',
    sentence:
      'The words of an fprobe that refuses the call stay on the shadow stack as an earlier call has left them: with a header.',
    history: 'fprobe: Terminate the fgraph_data list when the reservation is not filled (2025 or 2026)',
    law: exitsMatchAcceptedEntries,
    profile: '7.2',
    edits: [
      edit(
        'fprobe_fgraph_entry',
        'note which want the return',
        instead((k, locals, own) => {
          const { hit, used, words } = locals as { hit?: { ip: string }; used?: number; words?: number };
          const { fprobeTable, fprobes } = k.probes;
          if (hit !== undefined && used !== words)
            locals['wanting'] = fprobeTable[hit.ip]?.filter((name) => fprobes[name]?.exit === true) ?? [];
          own();
        }),
      ),
    ],
    smallest: [
      { ...probeLoad({ reads: 'direct' }), probe: 'session', returns: fromNumber(1) },
      link(1, 1, ['f1']),
      CALL_F1,
    ],
    finding:
      'prog#1 sees no return from f1 whose entry it did not see / kprobe.multi return without an entry',
  },
  {
    name: 'fprobes-of-a-module-leave-the-filter',
    sentence:
      'fprobe_module_callback() removes the functions from the filter of the ops, and does not unregister it when none is left.',
    history: 'tracing/fprobe: Fix to unregister ftrace_ops if it is empty on module unloading (7.1)',
    law: emptyFilterDoesNotTraceEverything,
    profile: '7.2',
    edits: [
      edit('fprobe_module_callback', 'fprobe_remove_ips', (part) =>
        part.kind === 'call'
          ? [
              {
                ...part,
                routine: ftraceSetHash as never,
                give: (k, locals) => {
                  const { user, ips } = part.give(k, locals);
                  const ops = user === 'fprobe_graph_ops' ? 'fprobe_graph_ops.ops' : user;
                  return { ops, which: 'filter', ips, remove: true, reset: false };
                },
              },
            ]
          : [part],
      ),
    ],
    functions: [moduleFunction('f1', 1, 'u64 -> u64', 'm1')],
    smallest: [fprobe(1), { do: 'delete_module', module: 'm1' }],
    finding:
      'fprobe_ftrace_ops traces the functions of its filter / its filter is empty: it traces everything',
  },
  {
    name: 'entry-data-overflows-its-node',
    sentence:
      'The nodes of the pool of an fprobe have no space for its entry data, which is written over that of the next node.',
    history: 'fprobe: Fix to allocate entry_data_size buffer with rethook instances (6.8)',
    law: entryDataReachesItsExit,
    profile: '6.12',
    edits: [
      edit(
        'fprobe_handler',
        'hook the return',
        followedBy(({ probes: { hooked } }, locals) => {
          const data = locals['left'] as string | undefined;
          const own = hooked.at(-1);
          const next = hooked.findLastIndex((node) => node !== own && node.rethook === own?.rethook);
          const node = hooked[next];
          if (node !== undefined && data !== undefined && data !== '') hooked[next] = { ...node, data };
        }),
      ),
    ],
    functions: [REC],
    smallest: [{ ...fprobe(1, true, true, 'rec'), entryDataSize: 8 }, callOf(REC, 1)],
    finding:
      'the exit handler of fprobe#1 gets 0x1, which its entry handler stored in this call of rec / it gets 0x3',
  },
];
