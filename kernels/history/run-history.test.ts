import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { parseAction } from '../../model/action-text.ts';
import { GuestLost } from '../boot/guest.ts';
import { ownLine, sayable } from './cast-history.ts';
import type { HistoryVerdict } from './history-verdict.ts';
import { RECORDED_HISTORY } from './recorded-history.ts';
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

  test('a kernel that crashes in an examination has answered the call before it', () => {
    const place = placeOf('"rax"', 9);
    const { difference, answers } = asked((text, i) => {
      if (i === place) throw new GuestLost('ended', ['Oops: 0000']);
      return text;
    });
    expect(difference).toMatchObject({ step: answers.length - 1, aspect: 'kernel lost', fn: 'f1' });
  });

  test('a kernel that crashes where the model does is no difference', () => {
    const { question } = sayable(parseSequence(RECORDED_HISTORY).case);
    const { actions, functions } = question!.case;
    const crash = ['ops#9 = ftrace_ops(IPMODIFY)', 'unregister_ftrace_function(ops#9)'].map((text) =>
      parseAction(text, { profile: '6.12', functions }),
    );
    const [made, gone] = crash.map((action) => ownLine(question!, action));
    const answers = new Map(ASKED.map(({ line, answer }) => [line, JSON.stringify(answer)]));
    let next = 0;
    const ask = (lines: readonly string[]) =>
      lines.map((line) => {
        if (line === gone) throw new GuestLost('ended', ['Oops: 0000']);
        if (line === made) return '{"r":0}';
        const place = ASKED.findIndex((other, i) => i >= next && other.line === line);
        if (place >= 0) next = place + 1;
        return place >= 0 ? JSON.stringify(ASKED[place]!.answer) : answers.get(line)!;
      });
    const c = { ...question!.case, actions: [...actions, ...crash] };
    const { difference, damaged } = runHistory({ ask }, { ...question!, case: c });
    expect([difference, damaged]).toEqual([undefined, true]);
  });

  test('what differed stays the difference, if the kernel crashes as everything is taken off', () => {
    const place = placeOf('"r":-16');
    const end = ASKED.length - 1;
    const wrong = asked((text, i) => {
      if (i === end) throw new GuestLost('ended', ['Oops: 0000']);
      return i === place ? '{"r":0}' : text;
    });
    expect([wrong.difference?.aspect, wrong.damaged]).toEqual(['errno', true]);
    const right = asked((text, i) => {
      if (i === end) throw new GuestLost('ended', ['Oops: 0000']);
      return text;
    });
    expect([right.difference, right.damaged, right.lostAtEnd]).toEqual([undefined, true, true]);
  });

  test('a site that stays patched is damage, and no difference', () => {
    const { difference, damaged } = asked((text) => text.replace('"left":[]', '"left":["security_ac_f1"]'));
    expect([difference, damaged]).toEqual([undefined, true]);
  });
});
