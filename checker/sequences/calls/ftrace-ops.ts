import fc from 'fast-check';
import type { FtraceOpsCall } from '../../../model/client/ftrace-ops.ts';
import {
  FTRACE_OPS_FL_IPMODIFY,
  FTRACE_OPS_FL_PERMANENT,
  FTRACE_OPS_FL_RECURSION,
  FTRACE_OPS_FL_SAVE_REGS,
  LIVE_PATCH_FLAGS,
} from '../../../model/ftrace/ops.ts';
import { actions, weighed } from '../draw/weighed.ts';
import { DIRECT, OPS } from './drawn-names.ts';
import { opsObject, ownerOfOps } from './ops-life.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';

const OTHER_IPMODIFY = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY;
const FLAGS = [0, 0, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_RECURSION, OTHER_IPMODIFY];

/** The third ops always sets IPMODIFY, half of the time as a live patch does, so that there often is one. */
const WITH_FLAGS = fc.oneof(
  fc.record({ ops: OPS, flags: fc.constantFrom(...FLAGS) }),
  fc.record({
    ops: fc.constant('ops#3'),
    flags: fc.constantFrom(OTHER_IPMODIFY, LIVE_PATCH_FLAGS),
  }),
);

export const searchedFtraceOps: SearchedCall<FtraceOpsCall> = {
  draw: () => [
    weighed(
      6,
      WITH_FLAGS.map((made) => ({ do: 'ftrace_ops', ...made, direct: false })),
    ),
    actions(1, 'ftrace_ops', { ops: DIRECT, flags: fc.constant(0), direct: fc.constant(true) }),
  ],
  isLikely: (p, { ops }) => !isLive(p, ops) && p.flags[ops] === undefined,
  effort: 4,
  optionEffort: ({ flags }) => flags,
  plainer: (action) => plainerFlags(action.flags).map((flags) => ({ ...action, flags })),
  lifeOf: ownerOfOps,
  objectsOf: opsObject,
};

/** Flags of an ops that may be dropped. */
const FLAGS_LESS = [FTRACE_OPS_FL_PERMANENT, FTRACE_OPS_FL_RECURSION];

function plainerFlags(flags: number): number[] {
  const fewer = [0, FTRACE_OPS_FL_SAVE_REGS, ...FLAGS_LESS.map((bit) => flags & ~bit)];
  return fewer.filter((other) => other < flags);
}
