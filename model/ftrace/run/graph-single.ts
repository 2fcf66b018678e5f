import type { Part } from '../../core/part.ts';
import { profileNamed } from '../../core/profile.ts';
import type { RoutineWords } from '../../core/routine.ts';
import { routine } from '../../core/routine.ts';
import { popFrame } from '../fgraph.ts';
import { loadHashes, testHashes } from '../filter-hash.ts';
import { GLOBAL_OPS } from '../ops.ts';
import type { ProbeWorld } from '../probes.ts';
import { readDirectGops } from './direct-gops.ts';
import type { GraphEntry } from './graph-entry.ts';
import { clientEntry, hookReturn, isRefused, pushFrame, whenRoom } from './graph-entry.ts';
import type { AtSite } from './regs.ts';

/** function_graph_enter() until 6.10: one user, by the global pointer `ftrace_graph_entry`. */
export const functionGraphEnter = routine<ProbeWorld, AtSite, GraphEntry>('function_graph_enter', (words) => {
  const { step, when } = words;
  return [
    whenRoom(words, (k) => k.fgraph.retStack.length < profileNamed(k.profile).retfuncDepth, [
      // Before the handlers: they may reserve words above it.
      step('push the frame', pushFrame),
      step('read ftrace_graph_entry', (k, locals) => {
        readDirectGops(k, locals);
        locals.only = k.ftrace.graphEntryTests !== true;
      }),
      when('it tests the filter', (_, { only, user }) => !only && user !== '', testFilter(words)),
      step('ask the user', (k, locals) => {
        locals.accepted = locals.user !== '' && clientEntry(k, locals, locals.user) ? 1 : 0;
      }),
      when('it refuses', isRefused, [step('pop the frame', popFrame)], [step('hook the return', hookReturn)]),
    ]),
  ];
});

/** ftrace_graph_entry_test(): the hashes are loaded, then read; then `__ftrace_graph_entry`. */
function testFilter({ step }: RoutineWords<ProbeWorld, GraphEntry>): Part[] {
  return [
    step('load the hashes of global_ops', (k, locals) => {
      locals.hashes = loadHashes(k, GLOBAL_OPS);
    }),
    step('read the hashes', (k, locals) => {
      locals.accepts = testHashes(k, locals.hashes, locals.hit.ip);
    }),
    step('read __ftrace_graph_entry', (k, locals) => {
      readDirectGops(k, locals);
      if (!locals.accepts) locals.user = '';
    }),
  ];
}
