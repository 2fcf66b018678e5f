import type { Action, ActionOf } from '../../model/client/all.ts';
import { callOf } from '../../model/client/all.ts';
import type { Footprint } from '../../model/contract/footprint.ts';
import { GRAPH_INDEX, isOnGraph } from '../../model/contract/footprint.ts';
import type { Promises } from '../../model/contract/promises.ts';
import type { KernelView } from '../../model/kernel.ts';
import { isTracepoint } from '../../model/tracepoint/tracepoint.ts';
import { allCalls, expectedCall } from './expectation.ts';

/** Whether two actions are independent: no function and no object is touched by both. */
export function areIndependent(a: Footprint, b: Footprint): boolean {
  if (a.functions === undefined || b.functions === undefined) return false;
  const shared = a.functions.some((fn) => b.functions!.includes(fn));
  return !shared && !a.objects.some((object) => b.objects.includes(object));
}

/** Whether two actions may share an ops, whose position on the list of ops is that of its first user. */
export function shareOps(a: Action, b: Action): boolean {
  const { sharesOps } = callOf(a);
  return sharesOps !== undefined && sharesOps === callOf(b).sharesOps;
}

/** What an action touches, by the contracts before it; undefined if it concerns no functions. */
export function footprintOf(p: Promises, k: KernelView, action: Action): Footprint | undefined {
  return action.do === 'call' ? ofCall(p, k, action) : callOf(action).touched(p, k, action);
}

function ofCall(p: Promises, k: KernelView, action: ActionOf<'call'>): Footprint {
  // A hit runs no traced function.
  if (isTracepoint(k, action.fn)) return { functions: [], objects: [] };
  const calls = allCalls(expectedCall(k, p, action));
  const followed = calls.some(({ clients }) => clients.some((client) => isOnGraph(k, client)));
  return { functions: calls.map(({ fn }) => fn), objects: followed ? [GRAPH_INDEX] : [] };
}
