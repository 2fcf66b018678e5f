import { expect, test } from 'vitest';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { nothingPromised } from '../../model/contract/promises.ts';
import { bootKernel } from '../../model/kernel.ts';
import { promised } from '../../model/promised.ts';
import { expectedCall } from '../../properties/observed/expectation.ts';
import { lookAt } from '../history/cast-history.ts';
import { eventsOf } from './events.ts';

const { case: c } = parseSequence(`kernel   6.12

f1 = function(u64 -> u64)
prog#1 = BPF_PROG_LOAD(kprobe)
perf#1 = perf_event_open(kprobe, f1)
link#1 = BPF_LINK_CREATE(prog#1, perf#1)
perf#2 = perf_event_open(kprobe, f1)
PERF_EVENT_IOC_SET_BPF(perf#2, prog#1)
`);

test('a program on two events of a function runs for the newer one first', () => {
  const declared = bootKernel({ ...c, boot: 'default' });
  const promises = c.actions.reduce(
    (p, action) => promised(p, action, { errno: 0, warnings: [] }),
    nothingPromised(c.profile, c.functions),
  );
  const expected = expectedCall(declared, promises, lookAt(c.functions[0]!));
  const run = { kind: 'program', who: 'prog#1', fn: '' };
  const seen = eventsOf(declared, expected, [run, run]);
  expect(seen.map(({ kind, who, fn }) => `${kind} ${who} ${fn}`)).toEqual([
    'kprobe perf#2 f1',
    'kprobe perf#1 f1',
  ]);
});
