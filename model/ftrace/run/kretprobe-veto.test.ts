import { expect, test } from 'vitest';
import { parseAction } from '../../action-text.ts';
import type { Kernel } from '../../kernel.ts';
import { bootKernel } from '../../kernel.ts';
import { apply } from '../../step.ts';
import { tracedFunction } from '../../trampoline/traced-function.ts';

const functions = [tracedFunction('f1', 1, 'u64 -> u64')];

/** The events of the last action, a call. */
function eventsOf(k: Kernel, lines: readonly string[]): string[] {
  const outcomes = lines.map((line) => apply(k, parseAction(line, { profile: k.profile, functions })));
  expect(outcomes.map(({ errno }) => errno)).toEqual(lines.map(() => 0));
  return outcomes.at(-1)!.call!.events.map(({ kind }) => kind);
}

test.each(['6.1', '6.12', '7.2'])(
  'a kretprobe whose entry handler answers nonzero does not follow the call, and counts no miss: %s',
  (profile) => {
    const k = bootKernel({ profile, boot: 'default', functions });
    const lines = [
      'register_kretprobe(kretprobe#1, f1, maxactive=1, entry_handler, vetoes)',
      'task#1 calls f1(0x1)',
    ];
    expect(eventsOf(k, lines)).toEqual(['kretprobe entry', 'body']);
    expect(k.probes.rethooks['kretprobe#1']).toMatchObject({ free: 1, max: 1 });
    expect(k.probes.kretprobes['kretprobe#1']?.nmissed).toBe(0);
  },
);
