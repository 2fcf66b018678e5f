import type { Sequence } from 'attachcheck';
import { act, boot, printSequence, sequences, shrink } from 'attachcheck';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** Whether a call that was refused has changed the bytes of a call site. */
function changesSitesWhenRefused({ profile, functions, tracepoints, actions }: Sequence): boolean {
  let kernel = boot(profile, functions, tracepoints);
  return actions.some((action) => {
    const before = JSON.stringify(kernel.state.text.sites);
    const acted = act(kernel, action);
    kernel = acted.kernel;
    return acted.outcome.errno !== 0 && JSON.stringify(kernel.state.text.sites) !== before;
  });
}

/** Whether a program is attached while a kprobe is registered. */
function hasBoth({ profile, functions, tracepoints, actions }: Sequence): boolean {
  let kernel = boot(profile, functions, tracepoints);
  return actions.some((action) => {
    kernel = act(kernel, action).kernel;
    const { bpf, probes } = kernel.state;
    return Object.keys(bpf.images).length > 0 && Object.keys(probes.kprobes).length > 0;
  });
}

test('a refused call leaves every call site as it was', () => {
  fc.assert(
    fc.property(sequences('6.12'), (sequence) => !changesSitesWhenRefused(sequence)),
    { seed: 1, numRuns: 10 },
  );
});

test('the plainest way to a program beside a kprobe is three calls', () => {
  const { counterexample } = fc.check(
    fc.property(sequences('6.12'), (sequence) => !hasBoth(sequence)),
    { seed: 9, numRuns: 20 },
  );
  expect(printSequence(shrink(counterexample![0], hasBoth))).toBe(`kernel   6.12

f1 = function(u64 -> u64)
prog#1 = BPF_PROG_LOAD(fentry, f1)
link#1 = BPF_LINK_CREATE(prog#1)
register_kprobe(kprobe#1, f1)
`);
});
