import type { Action } from '../../../model/client/all.ts';
import type { CodeName, OpsId } from '../../../model/core/ids.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import type { NextNumber } from './searched-call.ts';

interface DirectCall {
  readonly ops: OpsId;
  readonly addr: CodeName;
}

/** The part common to every call that attaches, changes or detaches the direct calls of an ops: the ops' life. */
export const DIRECT_LIFE = { effort: 4, lifeOf: ownerOfOps, objectsOf: opsObject };

/** An object with a direct call is unregistered, and its filter freed with it. */
export function unregisterNext({ ops, addr }: DirectCall): NextNumber {
  const action: Action = { do: 'unregister_ftrace_direct', ops, addr, freeFilters: true };
  return { word: 'unregister', action };
}
