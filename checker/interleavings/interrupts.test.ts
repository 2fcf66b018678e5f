import { describe, expect, test } from 'vitest';
import type { Action } from '../../model/client/all.ts';
import { kprobeLoad } from '../../model/client/bpf-prog-load.ts';
import { kprobeEvent } from '../../model/client/perf-event-open-kprobe.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { fromNumber } from '../../model/x86/word.ts';
import type { TaskLaw } from '../../properties/law/interleaving-law.ts';
import type { CallerScript, Scenario } from '../../properties/observed/scenario.ts';
import {
  calls,
  loadSleepable,
  register,
  scenario,
  tracer,
} from '../../properties/planted/interleavings/scenarios.ts';
import { F1, link, load, probeLoad } from '../../properties/planted/sequences/actions.ts';
import { missesAreCountedOnceInTasks } from '../../properties/task/each-missed-call-is-counted-once.ts';
import { noRecursionOnOneCpu } from '../../properties/task/no-recursion-on-one-cpu.ts';
import { noWarnAndNoOops } from '../../properties/task/no-warn-and-no-oops.ts';
import { probesSeeOldOrNew } from '../../properties/task/probes-see-old-or-new.ts';
import { explore } from './search.ts';
import { Space } from './space.ts';

const f2 = calls('f2').call;

/** A task calls f1, and something comes on top and calls f2: what that call shows, and the laws that break. */
function seen(
  setup: Scenario['setup'],
  profile: string,
  more: Partial<CallerScript>,
  clients: Scenario['clients'] = [],
) {
  const found = new Set<string>();
  const laws: TaskLaw[] = [
    probesSeeOldOrNew,
    missesAreCountedOnceInTasks,
    noRecursionOnOneCpu,
    noWarnAndNoOops,
    watching(found),
  ];
  const space = new Space({
    ...scenario({ functions: [F1, tracedFunction('f2', 2, 'u64 -> u64')], setup }),
    profile,
    clients,
    callers: [calls('f1', more)],
  });
  const { breaches, complete } = explore(space, { laws });
  expect(complete).toBe(true);
  return { calls: [...found].sort(), laws: breaches.map(({ law }) => law.name) };
}

function watching(found: Set<string>): TaskLaw {
  return {
    name: 'task/seen-of-interrupts',
    sentence: '',
    source: '',
    witness: '',
    judge: ({ happening }) => {
      if (happening.is === 'call over' && happening.by !== 'task')
        found.add(`${happening.by}: ${happening.run.events.map(eventText).join(', ')}`);
      return 'not applicable';
    },
  };
}

const eventText = ({ kind, who }: CallEvent) => (kind === 'body' ? kind : who);

const kprobe = (name: string, ip: string): Action => ({
  do: 'register_kprobe',
  kprobe: name,
  ip,
  post: false,
});
const KPROBES = [kprobe('kprobe#1', 'f1'), kprobe('kprobe#2', 'f2')];
/** Two ops on each function: calls come through the walk of the list. */
const LISTED = ['f1', 'f2'].flatMap((fn, i) =>
  [`ops#${2 * i + 1}`, `ops#${2 * i + 2}`].flatMap((ops) => [...tracer(ops, fn), register(ops)]),
);

describe.each(['6.1', '6.12', '7.2'])('on %s', (profile) => {
  test('a call from an interrupt in a kprobe handler calls no kprobe, and is counted', () => {
    expect(seen(KPROBES, profile, { interrupt: f2 })).toEqual({
      calls: ['interrupt: body', 'interrupt: kprobe#2, body'],
      laws: [],
    });
  });

  test('an interrupt in the walk of ftrace_ops_list makes its own walk', () => {
    const all = { calls: ['interrupt: ops#4, ops#3, body'], laws: [] };
    expect(seen(LISTED, profile, { interrupt: f2 })).toEqual(all);
  });

  test('one that preempt_count does not count yet makes it with the bit of transition', () => {
    const all = { calls: ['earlyInterrupt: ops#4, ops#3, body'], laws: [] };
    expect(seen(LISTED, profile, { earlyInterrupt: f2 })).toEqual(all);
  });
});

test('a kprobe that is unregistered meanwhile is counted for as long as that call is under way', () => {
  const leaves: Action = { do: 'unregister_kprobe', kprobe: 'kprobe#2' };
  expect(seen(KPROBES, '6.12', { interrupt: f2 }, [[leaves]])).toEqual({
    calls: ['interrupt: body', 'interrupt: kprobe#2, body'],
    laws: [],
  });
});

test('the program of a perf event in that of a link is skipped and counted, and not run after its event is closed', () => {
  const f1 = calls('f1').call;
  const setup: Action[] = [
    probeLoad({ id: 2 }),
    link(1, 2, ['f1']),
    kprobeLoad(1),
    kprobeEvent(1, 'f2'),
    { do: 'PERF_EVENT_IOC_SET_BPF', event: 'perf#1', prog: 1 },
  ];
  const close: Action = { do: 'close(perf_event)', event: 'perf#1' };
  expect(seen(setup, '6.12', { interrupt: f2 }, [[close]])).toEqual({
    calls: ['interrupt: body', 'interrupt: perf#1, body'],
    laws: [],
  });
  expect(seen(setup, '6.12', { call: f1, interrupt: f2 })).toEqual({
    calls: ['interrupt: body', 'interrupt: perf#1, body'],
    laws: [],
  });
});

test('a session that wants no return misses it as well if its entry is missed', () => {
  const session: Action = { ...probeLoad({}), probe: 'session', returns: fromNumber(1) };
  expect(seen([session, link(1, 1, ['f1'])], '6.12', { interrupt: calls('f1').call })).toEqual({
    calls: ['interrupt: body', 'interrupt: prog#1, body'],
    laws: [],
  });
});

test('a modify-return program that stops the function does not stop itself: it misses the call of an interrupt', () => {
  const stops: Action = { ...load(2, 'fmod_ret'), returns: fromNumber(0x5eed) };
  expect(seen([stops, link(1, 2)], '6.12', { interrupt: calls('f1').call })).toEqual({
    calls: ['interrupt: body', 'interrupt: prog#2'],
    laws: [],
  });
});

test.each(['interrupt', 'earlyInterrupt'] as const)(
  'what an %s calls does not sleep in its programs',
  (kind) => {
    const setup = [loadSleepable(1, 'fentry', 'f2'), link(1, 1)];
    expect(seen(setup, '6.12', { [kind]: f2 })).toEqual({ calls: [`${kind}: prog#1, body`], laws: [] });
  },
);

test('an NMI on top of an interrupt is a context of its own', () => {
  const ofInterrupts = LISTED.slice(LISTED.length / 2);
  expect(seen(ofInterrupts, '6.12', { interrupt: f2, nmi: f2 })).toEqual({
    calls: ['interrupt: ops#4, ops#3, body', 'nmi: ops#4, ops#3, body'],
    laws: [],
  });
});

test('a soft interrupt is one as well, and an interrupt comes into it', () => {
  const ofInterrupts = LISTED.slice(LISTED.length / 2);
  for (const onTop of ['interrupt', 'earlyInterrupt'] as const)
    expect(seen(ofInterrupts, '6.12', { softInterrupt: f2, [onTop]: f2 })).toEqual({
      calls: [`${onTop}: ops#4, ops#3, body`, 'softInterrupt: ops#4, ops#3, body'],
      laws: [],
    });
});
