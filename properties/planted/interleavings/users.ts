import type { Action } from '../../../model/client/all.ts';
import { Oops } from '../../../model/core/oops.ts';
import { item } from '../../../model/core/present.ts';
import { filterOf, hashHas, notraceOf } from '../../../model/ftrace/ops.ts';
import { tracedFunction } from '../../../model/trampoline/traced-function.ts';
import { callSitesMatchRecords } from '../../ftrace/call-sites-match-records.ts';
import { noFetchFromFreedMemory } from '../../task/no-fetch-from-freed-memory.ts';
import { noWarnAndNoOops } from '../../task/no-warn-and-no-oops.ts';
import { probesSeeOldOrNew } from '../../task/probes-see-old-or-new.ts';
import { settled } from '../../task/settled-laws.ts';
import { F1, F2, failing, filter, fprobe, graph, link, load } from '../sequences/actions.ts';
import { dropped, edit, followedBy, instead } from '../sequences/edits.ts';
import type { TaskPlanted } from './planted.ts';
import { close, open, scenario } from './scenarios.ts';

const F3 = tracedFunction('f3', 3, 'u64 -> u64');

/** A user of function graph that traces the first functions, and leaves f2 out. */
function leavingF2Out(n: number, ...ips: readonly string[]): Action[] {
  const ops = `gops#${n}.ops`;
  return [...ips.map((ip) => filter(ops, ip)), { do: 'ftrace_set_notrace', ops, ip: 'f2', reset: false }];
}

/** Planted bugs in what several users share: hashes, walks of tables, the call site of a trampoline. */
export const PLANTED_USERS: readonly TaskPlanted[] = [
  {
    name: 'notrace-is-merged-from-the-filters',
    sentence:
      "The manager's notrace hash becomes the intersection of the filters, where both have a notrace hash.",
    history: 'ftrace: Properly merge notrace hashes (6.12.24)',
    law: probesSeeOldOrNew,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_startup_subops',
        'combine the hashes',
        followedBy((k, locals) => {
          const names = ['graph_ops', String(locals['subops'])] as const;
          if (names.some((name) => notraceOf(k, name).length === 0)) return;
          const [old, added] = [filterOf(k, names[0]), filterOf(k, names[1])];
          locals['notrace'] = old.filter((ip) => hashHas(added, ip));
        }),
      ),
    ],
    scenario: scenario({
      functions: [F1, F2, F3],
      setup: [
        ...leavingF2Out(1, 'f1', 'f2'),
        ...leavingF2Out(2, 'f2', 'f3'),
        ...leavingF2Out(3, 'f1'),
        graph(1),
        graph(2),
      ],
      clients: [[graph(3)]],
    }),
    finding: 'gops#1 sees f1 once (graph entry) / gops#1 never sees f1 (graph entry)',
    moves: 12,
  },
  {
    name: 'slot-of-a-user-is-read-twice',
    sentence: 'A return reads fgraph_array again after it has compared the user with the stub.',
    history: 'fgraph: Add READ_ONCE() when accessing fgraph_array[] (6.12.9)',
    law: noWarnAndNoOops,
    profile: '6.12',
    edits: [
      edit(
        'ftrace_return_to_handler',
        'tell the user',
        instead((k, locals, own) => {
          const isStub = item(k.fgraph.array, Number(locals['slot'])) === '';
          if (locals['user'] !== '' && isStub) throw new Oops({ is: 'fgraph_stub without hash' });
          own();
        }),
      ),
    ],
    scenario: scenario({
      setup: [graph(1), graph(2)],
      clients: [[{ do: 'unregister_ftrace_graph', gops: 'gops#2' }]],
    }),
    finding: 'no oops / NULL pointer: the ops of fgraph_stub has no func_hash',
    moves: 20,
  },
  {
    name: 'cleared-node-is-followed',
    sentence: 'fprobe_fgraph_entry() does not check whether the fprobe of a node has been unregistered.',
    history: 'fprobe_fgraph_entry() follows a NULL pointer (2025 or 2026)',
    law: noWarnAndNoOops,
    profile: '7.2',
    edits: [
      edit(
        'fprobe_fgraph_entry',
        'read its fprobe',
        followedBy((_, locals) => {
          if (locals['fprobe'] === '')
            throw new Oops({ is: 'node without fprobe', by: 'fprobe_fgraph_entry' });
        }),
      ),
    ],
    scenario: scenario({
      setup: [fprobe(1, true, true)],
      clients: [[{ do: 'unregister_fprobe', fprobe: 'fprobe#1' }]],
    }),
    finding: 'no oops / NULL pointer: a node whose fprobe has been unregistered (fprobe_fgraph_entry)',
    moves: 11,
  },
  {
    name: 'multi-link-does-not-mark-its-sites',
    sentence:
      'A multi link attaches through ftrace and does not mark the trampoline as managed by it: a later link writes to the call site itself.',
    history: 'an fentry link is attached to a function after a multi link (2025 or 2026)',
    law: settled(callSitesMatchRecords),
    profile: '7.2',
    edits: [
      edit(
        'register_fentry',
        'check ftrace_location()',
        instead((_, { multi }, own) => {
          if (multi === '') own();
        }),
      ),
    ],
    scenario: scenario({
      setup: [
        { ...load(1), target: '', program: { ...load(1).program, multi: true } },
        link(1, 1, ['f1']),
        load(2),
      ],
      clients: [[open(2)]],
      callers: [],
    }),
    finding: 'f1 holds a branch to tramp#1, as its record says / call tramp#2',
    moves: 20,
  },
  {
    name: 'image-is-put-although-its-site-stays',
    sentence:
      'A trampoline whose last program is detached puts its image, although the call site could not be changed.',
    history: 'a trampoline without programs frees its image although its call site could not change (7.x)',
    law: noFetchFromFreedMemory,
    profile: '7.2',
    edits: [edit('unregister_fentry', 'the call site still calls the image', dropped)],
    scenario: scenario({
      setup: [load(1), open(1), failing('allocation', 'update_ftrace_direct_del')],
      clients: [[close(1)]],
    }),
    finding:
      'code stays mapped until the last task has left it / fetch of 1 byte at page 0: unmapped, at f1+0x4',
    moves: 22,
  },
];
