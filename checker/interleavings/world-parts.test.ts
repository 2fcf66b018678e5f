import { expect, test } from 'vitest';
import { parseAction } from '../../model/action-text.ts';
import { allExamples, exampleSpelling } from '../../model/client/examples.ts';
import { forget } from '../../model/core/forget.ts';
import { KERNELS } from '../../model/core/profile.ts';
import type { KernelView } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { WorldParts } from './world-parts.ts';

function partNames(k: KernelView): readonly string[] {
  const parts = new WorldParts(k);
  return Array.from({ length: parts.count }, (_, number) => parts.nameOf(number));
}

test.each(KERNELS)(
  '%s has its parts from the boot on, whatever clients do: others would be lost',
  (profile) => {
    const spelling = exampleSpelling(profile);
    const k = bootKernel({ ...spelling, boot: 'default' });
    const names = partNames(k);
    for (const line of ['prog#1 = BPF_PROG_LOAD(raw_tp)', 'link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1, tp1)'])
      expect(apply(k, parseAction(line, spelling)).errno).toBe(0);
    for (const line of allExamples(profile)) apply(k, parseAction(line, spelling));
    expect(partNames(k)).toEqual(names);
  },
);

test('what a step adds to a kernel is kept, until a step takes it away', () => {
  const k = bootKernel({ profile: '6.1', boot: 'default', functions: [] });
  const parts = new WorldParts(k);
  const values = parts.split(k);
  const access = {
    get: (part: number) => values[part],
    set: (part: number, value: unknown) => {
      values[part] = value;
    },
  };
  const { ftrace, probes, bpf } = parts.facade(access);
  ftrace.graphEntryTests = true;
  probes.stalePools = ['kretprobe#1'];
  ftrace.staleOps = {};
  bpf.staleTrampolines = {};
  const later = parts.join(values);
  expect(later.ftrace).toEqual({ ...k.ftrace, graphEntryTests: true, staleOps: {} });
  expect(later.probes).toEqual({ ...k.probes, stalePools: ['kretprobe#1'] });
  expect(later.bpf).toEqual({ ...k.bpf, staleTrampolines: {} });
  forget(ftrace, 'graphEntryTests');
  forget(probes, 'stalePools');
  const { ftrace: own, probes: ownProbes } = parts.join(values);
  expect(['graphEntryTests' in own, 'stalePools' in ownProbes]).toEqual([false, false]);
});
