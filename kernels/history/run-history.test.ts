import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { GuestLost } from '../boot/guest.ts';
import { sayable } from './cast-history.ts';
import { RECORDED_HISTORY } from './recorded-history.ts';
import type { HistoryVerdict } from './run-history.ts';
import { runHistory } from './run-history.ts';

interface Asked {
  readonly line: string;
  readonly answer: object;
}

const ASKED: readonly Asked[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded-6.12.json'), 'utf8'),
);

/** Runs the recorded kernel, some of whose answers are others. */
function asked(edit: (text: string, place: number) => string = (text) => text): HistoryVerdict {
  let next = 0;
  const { question } = sayable(parseSequence(RECORDED_HISTORY).case);
  const ask = (lines: readonly string[]) =>
    lines.map((line) => {
      const place = ASKED.findIndex((other, i) => i >= next && other.line === line);
      expect(place, line).toBeGreaterThanOrEqual(0);
      next = place + 1;
      return edit(JSON.stringify(ASKED[place]!.answer), place);
    });
  return runHistory({ ask }, question!);
}

/** The place of the n-th answer that has a text. */
function placeOf(text: string, n = 0): number {
  return ASKED.flatMap(({ answer }, i) => (JSON.stringify(answer).includes(text) ? [i] : []))[n]!;
}

describe('a history that was run of 6.12.117', () => {
  test('agrees with the model in every call, and nothing is left', () => {
    const { difference, answers, damaged, compared } = asked();
    expect(difference).toBeUndefined();
    expect(answers).toEqual(['0', '0', '0', '0', '0', '0', '0', '-EBUSY', '', '0']);
    expect(damaged).toBe(false);
    expect(compared).toBe(71);
  });

  test('differs where another errno is returned, and the rest is not run', () => {
    const place = placeOf('"r":-16');
    const { difference, answers, damaged } = asked((text, i) => (i === place ? '{"r":0}' : text));
    expect(difference).toEqual({ step: 7, aspect: 'errno', fn: '', kernel: ['0'], model: ['EBUSY'] });
    expect(answers).toHaveLength(8);
    expect(damaged).toBe(false);
  });

  test('differs where an event is missing', () => {
    const place = placeOf('"p":1');
    const { difference } = asked((text, i) => (i === place ? text.replace(/,?\{"p":1[^}]*\}/, '') : text));
    expect(difference).toMatchObject({ step: 4, aspect: 'events', fn: 'f1' });
    expect(difference?.model).toHaveLength(difference!.kernel.length + 1);
  });

  test('differs where an argument is another one', () => {
    const place = placeOf('"p":1');
    const { difference } = asked((text, i) =>
      i === place ? text.replace(/("p":1.*"a":\[")0x5101/, '$10x5102') : text,
    );
    expect(difference).toMatchObject({ step: 4, aspect: 'events' });
  });

  test('differs where the entry goes elsewhere, or its line says so', () => {
    const place = placeOf('ftrace_regs_caller');
    const nop = asked((text, i) => (i === place ? text.replace(/ftrace_regs_caller[^"]*/, 'nop') : text));
    expect(nop.difference).toMatchObject({
      aspect: 'entry',
      kernel: ['nop'],
      model: ['call ftrace_regs_caller'],
    });
    const line = asked((text, i) => (i === place ? text.replace('(2) R', '(3) R') : text));
    expect(line.difference).toMatchObject({ aspect: 'enabled_functions' });
  });

  test('differs where a register is not preserved, or rax is another', () => {
    const place = placeOf('"rax"');
    const lost = asked((text, i) => (i === place ? text.replace('"lost":0', '"lost":2') : text));
    expect(lost.difference).toMatchObject({ aspect: 'preserved registers', kernel: ['r12'], model: [''] });
    const rax = asked((text, i) => (i === place ? text.replace(/"rax":"0x./, '"rax":"0x1') : text));
    expect(rax.difference).toMatchObject({ aspect: 'rax' });
  });

  test('a kernel that crashes answers too: which call it was, and what its console says', () => {
    const place = placeOf('"r":-16');
    const { difference, damaged } = asked((text, i) => {
      if (i === place) throw new GuestLost('ended', ['Oops: 0000']);
      return text;
    });
    expect(difference).toEqual({
      step: 7,
      aspect: 'kernel lost',
      fn: '',
      kernel: ['crashes', 'Oops: 0000'],
      model: ['continues'],
    });
    expect(damaged).toBe(true);
  });

  test('a site that stays patched is damage, and no difference', () => {
    const { difference, damaged } = asked((text) => text.replace('"left":[]', '"left":["security_ac_f1"]'));
    expect([difference, damaged]).toEqual([undefined, true]);
  });
});
