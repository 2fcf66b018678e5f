import { describe, expect, test } from 'vitest';
import { explore } from '../../../checker/interleavings/search.ts';
import { Space } from '../../../checker/interleavings/space.ts';
import { searchToEnd } from '../../../checker/sequences/search.ts';
import { ATTACH_LAWS } from '../../../properties/attach-laws.ts';
import type { Scenario } from '../../../properties/observed/scenario.ts';
import { calls, kfree, scenario } from '../../../properties/planted/interleavings/scenarios.ts';
import { filter, graph, kretprobe } from '../../../properties/planted/sequences/actions.ts';
import { TASK_LAWS } from '../../../properties/task-laws.ts';
import { someOf, THOROUGH } from '../../../test/thorough.ts';
import { KNOWN_ATTACH } from '../attach-all.ts';

/** Laws that are often exercised where function graph calls programs, or saves the returns of kretprobes. */
const ASKED = [
  'ftrace/probes-fire-exactly-once',
  'ftrace/exit-handlers-see-the-return-value',
  'ftrace/callbacks-see-the-callers-arguments',
  'ftrace/calls-leave-nothing-behind',
  'ftrace/overruns-are-counted',
  'ftrace/replaced-return-addresses-are-recoverable',
  'ftrace/return-hooks-run-in-reverse-order',
  'ftrace/detaching-everything-restores-boot-state',
];

const CHANGED = ['6.12', '7.2'].flatMap((kernel) =>
  [
    'kretprobe = ret_stack, multiLinks = function graph, shadowStackWords = 60',
    'multiLinks = function graph',
    'kretprobe = ret_stack',
  ].map((override) => `${kernel}, ${override}`),
);

describe('random sequences', () => {
  test.each(someOf(CHANGED, 6))('on %s break no law in an unlisted way', (profile) => {
    const { found, witnesses } = searchToEnd({
      profile,
      // Each of these laws is exercised within the bound.
      seed: profile.startsWith('6.12') ? 4 : 3,
      sequences: THOROUGH ? 150 : 80,
      laws: ATTACH_LAWS,
      known: KNOWN_ATTACH,
    });
    expect(found?.breach.finding).toBeUndefined();
    for (const law of ASKED) expect([law, (witnesses.get(law) ?? 0) > 0]).toEqual([law, true]);
  });
});

const GONE = { do: 'unregister_kretprobe', kretprobe: 'kretprobe#1' } as const;
const PROBED = kretprobe(1, 'f1', true);
const CALL = calls('f1');

const KRETPROBES: Readonly<Record<string, Omit<Scenario, 'profile'>>> = {
  'is unregistered and freed': scenario({
    setup: [PROBED],
    clients: [[GONE, kfree('kretprobe#1')]],
    callers: [CALL],
  }),
  'is unregistered beside another one': scenario({
    setup: [PROBED, kretprobe(2, 'f1')],
    clients: [[GONE]],
    callers: [CALL],
  }),
  'comes where function graph is': scenario({
    setup: [filter('gops#1.ops'), graph(1)],
    clients: [[PROBED]],
    callers: [CALL],
  }),
  'is there when function graph comes': scenario({
    setup: [PROBED, filter('gops#1.ops')],
    clients: [[graph(1)]],
    callers: [CALL],
  }),
};

describe.each(someOf(['6.12, kretprobe = ret_stack', '7.2, kretprobe = ret_stack'], 2))(
  'a kretprobe on %s',
  (profile) => {
    test.each(Object.entries(KRETPROBES))('%s: every interleaving keeps all laws', (_, parts) => {
      const { complete, breaches, states } = explore(new Space({ profile, ...parts }, {}), {
        laws: TASK_LAWS,
      });
      expect(breaches.map(({ finding }) => finding)).toEqual([]);
      expect(complete).toBe(true);
      expect(states).toBeGreaterThan(400);
    });
  },
);
