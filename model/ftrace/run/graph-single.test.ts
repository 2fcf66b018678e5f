import { expect, test } from 'vitest';
import { parseSequence } from '../../../counterexamples/sequences/attach-trace.ts';
import { bootKernel } from '../../kernel.ts';
import { apply } from '../../step.ts';

/** A call of f1, whose site still calls function graph: taking it off has failed, and ftrace is dead. */
function followed(kernel: string, others: string): boolean | undefined {
  const { case: c } = parseSequence(`kernel   ${kernel}

f1 = function(u64 -> u64)
f2 = function(u64 x2 -> u64)
${others}register_ftrace_graph(gops#1)
the next poke in ftrace_replace_code fails
echo f2 >> set_ftrace_filter
task#1 calls f1(0x1)
`);
  const k = bootKernel({ profile: c.profile, boot: 'default', functions: c.functions });
  const outcomes = c.actions.map((action) => apply(k, action));
  return outcomes.at(-1)?.call?.events.some(({ kind }) => kind === 'graph entry');
}

const KPROBE = 'register_kprobe(kprobe#1, f2, post_handler)\n';

/** Shown on 6.1.192. */
test('ftrace_graph_entry tests the filter of global_ops as long as another ops is on the list', () => {
  expect(followed('6.1', KPROBE)).toBe(false);
  expect(followed('6.1', '')).toBe(true);
});

test('once the other ops is gone, it is not tested', () => {
  expect(followed('6.1', `${KPROBE}unregister_kprobe(kprobe#1)\n`)).toBe(true);
});
