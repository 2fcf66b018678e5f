import fc from 'fast-check';
import type { Action } from '../../../model/client/all.ts';
import type { Call } from '../../../model/client/call.ts';
import type { FunctionName } from '../../../model/core/ids.ts';
import { callOf, hitOf } from '../../../properties/observed/sample-call.ts';
import type { AttachCase } from '../attach-case.ts';
import { calledByTasks } from '../draw/devices.ts';
import { weighed } from '../draw/weighed.ts';
import { DEPTHS } from '../shrink/plain-types.ts';
import type { SearchedCall } from './searched-call.ts';
import { always, noObjects } from './searched-call.ts';

export const searchedTask: SearchedCall<Call> = {
  draw: ({ functions }) => [
    weighed(
      26,
      fc.tuple(fc.constantFrom(...calledByTasks(functions)), fc.nat(7)).map(([fn, salt]) => callOf(fn, salt)),
    ),
  ],
  drawHits: (tracepoints) => [
    weighed(
      20,
      fc
        .tuple(fc.constantFrom(...tracepoints), fc.nat(7))
        .map(([tracepoint, salt]) => hitOf(tracepoint, salt)),
    ),
  ],
  isLikely: always,
  effort: 0,
  plainer: ({ fn }, c) => plainerCalls(fn, c),
  lifeOf: () => undefined,
  objectsOf: noObjects,
};

/** A call with the simplest words; instead of a function that calls others, one that does not. */
function plainerCalls(fn: FunctionName, { functions, tracepoints = [] }: AttachCase): Action[] {
  const called = functions.find(({ name }) => name === fn);
  const hit = tracepoints.find(({ name }) => name === fn);
  if (hit !== undefined) return [hitOf(hit, 0)];
  if (called === undefined) return [];
  const leaves = called.nesting === 'none' ? [] : functions.filter(({ nesting }) => nesting === 'none');
  const salts = called.nesting === 'rec' ? DEPTHS : [0];
  return [
    ...leaves.map((tracedFunction) => callOf(tracedFunction, 0)),
    ...salts.map((salt) => callOf(called, salt)),
  ];
}
