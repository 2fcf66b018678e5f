import { describe, expect, test } from 'vitest';
import type { GraphOpsId } from '../../core/ids.ts';
import type { Kernel } from '../../kernel.ts';
import {
  CLIENT,
  callInSteps,
  inFrontOf,
  seenBy,
  succeed,
  withClients,
} from '../../testing/call-steps-rig.ts';

const { graph } = CLIENT;

const ENTER = 'function_graph_enter_regs';
const RETURN = 'ftrace_return_to_handler';
const READ_AGAIN = 'read fgraph_direct_gops again';

function joins(gops: GraphOpsId) {
  return (k: Kernel) => succeed(k, 'register_ftrace_graph', { gops });
}

function leaves(gops: GraphOpsId) {
  return (k: Kernel) => succeed(k, 'unregister_ftrace_graph', { gops });
}

/** The only user of function graph, with index 0 or, after another one has left, with index 1. */
function withOnlyUser(kernel: string, idx: 0 | 1): Kernel {
  if (idx === 0) return withClients(kernel, graph('gops#1')).k;
  const { k } = withClients(kernel, graph('gops#9'), graph('gops#1'));
  leaves('gops#9')(k);
  return k;
}

describe.each(['6.12', '7.2'])('in direct mode, %s', (kernel) => {
  test('the bit of a call whose user has index 0 is set by the stub as well', () => {
    const k = withOnlyUser(kernel, 0);
    expect(seenBy(k, inFrontOf(ENTER, READ_AGAIN, joins('gops#2')))).toEqual(['gops#1', 'f1', 'gops#1']);
  });

  test('a user with another index loses the return when a second one registers during its entry handler', () => {
    const k = withOnlyUser(kernel, 1);
    expect(seenBy(k, inFrontOf(ENTER, READ_AGAIN, joins('gops#2')))).toEqual(['gops#1', 'f1']);
  });

  const replaced = (k: Kernel) => {
    joins('gops#2')(k);
    leaves('gops#1')(k);
  };

  test.each([
    [ENTER, READ_AGAIN],
    [RETURN, READ_AGAIN],
  ])('a user that replaces the only one before %s: %s sees the return alone', (routine, part) => {
    const k = withOnlyUser(kernel, 0);
    expect(seenBy(k, inFrontOf(routine, part, replaced))).toEqual(['gops#1', 'f1', 'gops#2']);
  });

  test.each([
    [ENTER, 'call fgraph_func', [['gops#2', 'gops#1'], ['f1'], ['gops#2']]],
    [RETURN, 'call fgraph_retfunc', [['gops#1'], ['f1'], ['gops#2', 'gops#1']]],
  ])('in %s a user that replaces the only one before its static call gets the gops of that', (...row) => {
    const [routine, part, seen] = row;
    const k = withOnlyUser(kernel, 0);
    const { events } = callInSteps(k, 'f1', inFrontOf(routine, part, replaced));
    expect(events.map(({ who, data }) => (data === undefined ? [who] : [who, data]))).toEqual(seen);
  });

  test('the bit is that of a user that was freed: a crash', () => {
    const k = withOnlyUser(kernel, 0);
    const free = (state: Kernel) => {
      delete state.fgraph.gops['gops#1'];
    };
    expect(() => callInSteps(k, 'f1', inFrontOf(RETURN, 'test the bit of its index', free))).toThrow(
      `use after free: gops#1 has been freed (${RETURN})`,
    );
  });
});

test('in 6.1 the return goes to the user of that time', () => {
  const k = withOnlyUser('6.1', 0);
  const replaced = (state: Kernel) => {
    leaves('gops#1')(state);
    joins('gops#2')(state);
  };
  expect(seenBy(k, inFrontOf(RETURN, 'read ftrace_graph_return', replaced))).toEqual([
    'gops#1',
    'f1',
    'gops#2',
  ]);
});
