import { describe, expect, it } from 'vitest';
import type { Action } from '../../model/client/all.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { tracedFunction } from '../../model/trampoline/traced-function.ts';
import { callbacksRunInStageOrder } from '../../properties/ftrace/callbacks-run-in-stage-order.ts';
import { callerRegistersAndStackArePreserved } from '../../properties/ftrace/caller-registers-and-stack-are-preserved.ts';
import { callsLeaveNothingBehind } from '../../properties/ftrace/calls-leave-nothing-behind.ts';
import { probesFireExactlyOnce } from '../../properties/ftrace/probes-fire-exactly-once.ts';
import { tracedCallsReturn } from '../../properties/ftrace/traced-calls-return.ts';
import { callOf } from '../../properties/observed/sample-call.ts';
import { imageMatchesAttachedPrograms } from '../../properties/trampoline/image-matches-attached-programs.ts';
import { someOf } from '../../test/thorough.ts';
import { runSequence } from './run-sequence.ts';
import { searchToEnd } from './search.ts';

const FN = tracedFunction('f2', 1, 'u64 x2 -> u64');
const GRAPH_BESIDE_DIRECT: readonly Action[] = [
  { do: 'set_ftrace_filter', glob: 'f2', remove: false },
  { do: 'register_ftrace_graph', gops: 'gops#1' },
  { do: 'register_ftrace_direct(ip)', ip: 'f2', addr: 'my_tramp1' },
  callOf(FN, 0),
];

const LAWS_OF_IMAGES = [
  tracedCallsReturn,
  callerRegistersAndStackArePreserved,
  callsLeaveNothingBehind,
  imageMatchesAttachedPrograms,
  callbacksRunInStageOrder,
];

function run(profile: string) {
  const c = { profile, functions: [FN], actions: GRAPH_BESIDE_DIRECT };
  return runSequence(c, { laws: [probesFireExactlyOnce] });
}

describe('function graph that skips direct sites', () => {
  it('is not followed where a direct call is, which the contract does not allow', () => {
    const { outcomes, breach } = run('6.1, graphSkipsDirectSites = true');
    expect(outcomes.map(({ errno }) => errno)).toEqual([0, 0, 0, 0]);
    expect(outcomes.at(-1)!.call!.events.map(({ kind }) => kind)).toEqual(['direct', 'body']);
    expect(breach?.law).toBe(probesFireExactlyOnce);
    expect(breach?.finding).toMatchObject({ is: 'hits-differ', who: 'gops#1' });
  });

  it('is not the kernel that we have', () => {
    const { outcomes, breach } = run('6.1');
    expect(outcomes.at(-1)!.call!.events.map(({ kind }) => kind)).toEqual([
      'graph entry',
      'direct',
      'body',
      'graph exit',
    ]);
    expect(breach).toBeUndefined();
  });

  it('is found by the search', () => {
    const { found } = searchToEnd({
      profile: '6.12, graphSkipsDirectSites = true',
      seed: 1,
      sequences: 400,
      laws: [probesFireExactlyOnce],
    });
    expect(found?.case.actions.map((action) => action.do).sort()).toEqual(
      expect.arrayContaining(['call', 'register_ftrace_graph']),
    );
  });
});

describe.each(someOf(['6.1', '6.12', '7.2'], 3))(
  'images of %s that share a page, as before Linux 5.12',
  (kernel) => {
    it('show no difference to who calls them', () => {
      const { found, witnesses, sequences } = searchToEnd({
        profile: `${kernel}, imageLifecycle = A`,
        seed: 1,
        sequences: 60,
        laws: LAWS_OF_IMAGES,
      });
      expect(found).toBeUndefined();
      expect(sequences).toBe(60);
      expect([...witnesses.keys()].sort()).toEqual(LAWS_OF_IMAGES.map(({ name }) => name).sort());
    });
  },
);

describe('a bound', () => {
  it('may be any number up to the largest that a kernel has', () => {
    expect(profileNamed('7.2, linksMax = 2').linksMax).toBe(2);
    expect(profileNamed('6.12, shadowStackWords = 36').shadowStackWords).toBe(36);
  });

  it.each(['linksMax = 39', 'shadowStackWords = lots', 'longestNop = 2'])('and not %s', (override) => {
    expect(() => profileNamed(`6.12, ${override}`)).toThrow(/linksMax|shadowStackWords|longestNop/);
  });
});
