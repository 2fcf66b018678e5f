import { DIRECT_HYPOTHESES } from './direct-calls.ts';
import { GRAPH_HYPOTHESES } from './function-graph.ts';
import type { Hypothesis } from './hypothesis.ts';
import { TRAMPOLINE_HYPOTHESES } from './trampoline.ts';

/** All of them: those on ftrace, then those on trampolines, each in numeric order. */
export const HYPOTHESES: readonly Hypothesis[] = [
  ...[...DIRECT_HYPOTHESES, ...GRAPH_HYPOTHESES].sort((a, b) => numberOf(a) - numberOf(b)),
  ...TRAMPOLINE_HYPOTHESES,
];

function numberOf({ id }: Hypothesis): number {
  return Number(id.slice(1));
}
