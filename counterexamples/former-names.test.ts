import { describe, expect, test } from 'vitest';
import { ABI_LAWS } from '../properties/abi-laws.ts';
import { ATTACH_LAWS } from '../properties/attach-laws.ts';
import { IMAGE_LAWS } from '../properties/laws.ts';
import { ALL_PLANTED } from '../properties/planted/all.ts';
import { ALL_TASK_LAWS } from '../properties/task-laws.ts';
import { HIT_LAWS, STUB_LAWS } from '../properties/tracepoint-laws.ts';
import { FORMER_NAMES, renamedIn } from './former-names.ts';
import { parseAttachTrace } from './sequences/attach-trace.ts';
import { lawIn } from './trace-kind.ts';

const LAWS = [...IMAGE_LAWS, ...ATTACH_LAWS, ...HIT_LAWS, ...ALL_TASK_LAWS, ...STUB_LAWS, ...ABI_LAWS];
const NAMES = new Set([...LAWS, ...Object.values(ALL_PLANTED).flat()].map(({ name }) => name));

describe('former names', () => {
  test('refer to a law or a planted bug, and are none themselves', () => {
    for (const [former, current] of FORMER_NAMES) {
      expect(NAMES, current).toContain(current);
      expect(NAMES).not.toContain(former);
    }
  });

  const HEADER = `kernel   6.12
law      ftrace/calls-return
planted  live-patch-is-passed-by
found    by hand`;

  test('are read in the header of a trace, and reported', () => {
    expect(lawIn(HEADER)).toBe('ftrace/traced-calls-return');
    const text = `${HEADER}\n\nf1 = function(u64 -> u64)\nregister_kprobe(kprobe#1, f1) = 0\n${'-'.repeat(80)}\n  search     x\n`;
    const { law, planted } = parseAttachTrace(text);
    expect([law, planted]).toEqual(['ftrace/traced-calls-return', 'live-patch-is-bypassed']);
    expect(renamedIn(HEADER)).toEqual([
      'the law ftrace/calls-return is now called ftrace/traced-calls-return; former names are read until 0.2.0',
      'the planted bug live-patch-is-passed-by is now called live-patch-is-bypassed; former names are read until 0.2.0',
    ]);
  });
});
