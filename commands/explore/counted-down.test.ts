import { expect, test } from 'vitest';
import { explore } from '../../checker/interleavings/search.ts';
import { Space } from '../../checker/interleavings/space.ts';
import { parseScenario } from '../../counterexamples/interleavings/task-trace.ts';
import { programActiveCountsReturnToZero } from '../../properties/task/program-active-counts-return-to-zero.ts';

/** In 7.2 a task can lose its CPU in the section of a tracepoint: only that of its program keeps it there. */
test.each(['6.12', '7.2'])('a program is counted down on the CPU on which it was counted, %s', (kernel) => {
  const { scenario } = parseScenario(
    `kernel ${kernel}
cpus 2

tp1 = tracepoint(u32)
prog#1 = BPF_PROG_LOAD(raw_tp)
prog#2 = BPF_PROG_LOAD(raw_tp)
link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1, tp1)
client#1: link#2 = BPF_RAW_TRACEPOINT_OPEN(prog#2, tp1)
task#1: tp1(0x1)
`,
  );
  const laws = [programActiveCountsReturnToZero];
  const { breaches, complete } = explore(new Space(scenario), { laws, nameOf: () => undefined });
  expect([breaches, complete]).toEqual([[], true]);
});
