import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { GuestLost } from '../boot/guest.ts';
import { sayable } from '../history/cast-history.ts';
import { RECORDED_HISTORY } from '../history/recorded-history.ts';
import { OP } from '../wire/numbers.ts';
import { saidOfObserved } from './finding.ts';
import type { ContractVerdict } from './judge-history.ts';
import { isNewBreach, judgeHistory } from './judge-history.ts';

/** What 6.12.117 answered. */
const ASKED: readonly { readonly line: string; readonly answer: object }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../history/recorded-6.12.json'), 'utf8'),
);

type Edit = (text: string, place: number) => string;

/** The verdict on the recorded kernel, some of whose answers are others. */
function judged(edit: Edit = (text) => text, taken = '{"r":0}'): ContractVerdict {
  let next = 0;
  const { question } = sayable(parseSequence(RECORDED_HISTORY).case);
  const ask = (lines: readonly string[]) =>
    lines.map((line) => {
      if (isFreeLine(line)) return line.startsWith(`x ${OP.DIRECT} `) ? taken : '{"r":0}';
      const place = ASKED.findIndex((other, i) => i >= next && other.line === line);
      next = place + 1;
      return edit(JSON.stringify(ASKED[place]!.answer), place);
    });
  return judgeHistory({ ask }, question!);
}

/** The lines after everything was taken off: the recording has none. */
function isFreeLine(line: string): boolean {
  return line === `x ${OP.RESET}` || / 16( |$)/.test(line);
}

/** The place of the n-th answer that has a text. */
function placeOf(text: string, n = 0): number {
  return ASKED.flatMap(({ answer }, i) => (JSON.stringify(answer).includes(text) ? [i] : []))[n]!;
}

/** Edits one answer. */
function at(place: number, edit: (text: string) => string): Edit {
  return (text, i) => (i === place ? edit(text) : text);
}

/** The law that is broken, the call, and what is said of it. */
function brokenBy(edit: Edit, taken?: string) {
  const verdict = judged(edit, taken);
  const { breach } = verdict;
  expect(breach).toBeDefined();
  expect(isNewBreach(verdict)).toBe(true);
  const { expected, observed } = saidOfObserved(breach!.finding);
  return { law: breach!.law.name, step: breach!.step, look: breach!.look?.fn.name, expected, observed };
}

test('a sound kernel breaks no law, and answers as its profile', () => {
  const verdict = judged();
  expect(verdict.breach).toBeUndefined();
  expect(verdict.difference).toBeUndefined();
  expect(verdict.answers).toEqual(['0', '0', '0', '0', '0', '0', '0', '-EBUSY', '', '0']);
  expect([verdict.calls, verdict.looks, verdict.damaged]).toEqual([10, 10, false]);
  expect(verdict.judged).toBeGreaterThan(150);
});

describe('a breach is found by what the kernel shows', () => {
  const withProgram = placeOf('"p":1');
  const patched = placeOf('ftrace_regs_caller');

  test('an errno that no reason allows', () => {
    expect(brokenBy(at(placeOf('"r":-16'), () => '{"r":-17}'))).toMatchObject({
      law: 'ftrace/refusals-have-their-errno',
      step: 7,
    });
  });

  test('a call that has to be refused, and is accepted', () => {
    const { law, observed } = brokenBy(at(placeOf('"r":-16'), () => '{"r":0}'));
    expect([law, observed]).toEqual(['ftrace/refusals-have-their-errno', 'it returns 0']);
  });

  test('a call that nothing is wrong with, and is refused', () => {
    const registers = ASKED.findIndex(({ line }) => line.startsWith(`x ${OP.REGISTER} `));
    const { law, step } = brokenBy(at(registers, () => '{"r":-16}'));
    expect([law, step]).toEqual(['ftrace/refusals-have-their-errno', 2]);
  });

  test('a program that does not see a call, and one that sees it twice', () => {
    const missing = brokenBy(at(withProgram, (text) => text.replace(/,?\{"p":1[^}]*\}/, '')));
    expect(missing).toMatchObject({ law: 'ftrace/probes-fire-exactly-once', step: 4, look: 'f1' });
    const twice = brokenBy(at(withProgram, (text) => text.replace(/(\{"p":1[^}]*\})/, '$1,$1')));
    expect(twice.law).toBe('ftrace/probes-fire-exactly-once');
  });

  test('a client that was never attached', () => {
    const edit = at(withProgram, (text) => text.replace(/"o":1(?=[,}])/, '"o":2'));
    expect(brokenBy(edit).law).toBe('ftrace/probes-fire-exactly-once');
  });

  test('a body that does not run', () => {
    const edit = at(withProgram, (text) => text.replace(/,?\{"w":1,[^}]*\}/, ''));
    expect(brokenBy(edit).law).toBe('ftrace/body-or-replacement-runs-once');
  });

  test('an argument, a cookie, and a return value that a program sees', () => {
    const argument = at(withProgram, (text) => text.replace(/("p":1.*"a":\[")0x5101/, '$10x5102'));
    expect(brokenBy(argument).law).toBe('ftrace/callbacks-see-the-callers-arguments');
    const cookie = at(withProgram, (text) => text.replace('"c":"0x5"', '"c":"0x6"'));
    expect(brokenBy(cookie).law).toBe('ftrace/programs-get-their-cookie-and-function-ip');
    const returned = at(withProgram, (text) => text.replace(/("p":1,"r":")0x./, '$10x1'));
    expect(brokenBy(returned).law).toBe('ftrace/exit-handlers-see-the-return-value');
  });

  test('a return value that the caller gets, and a register that is not preserved', () => {
    const place = placeOf('"rax"');
    expect(brokenBy(at(place, (text) => text.replace(/"rax":"0x./, '"rax":"0x1'))).law).toBe(
      'ftrace/caller-gets-the-return-value',
    );
    expect(brokenBy(at(place, (text) => text.replace('"lost":0', '"lost":2'))).law).toBe(
      'ftrace/caller-registers-and-stack-are-preserved',
    );
  });

  test('a function that is patched without a client', () => {
    const edit = at(placeOf('"e":"nop"'), (text) => text.replace('"nop"', '"ftrace_caller"'));
    const { law, expected } = brokenBy(edit);
    expect(law).toBe('ftrace/only-requested-functions-are-traced');
    expect(expected).toBe('f1 has the nop of the boot, as no client has asked for it');
  });

  test('a refused call that changes the line of a function', () => {
    const lines = ASKED.flatMap(({ answer }, i) => (JSON.stringify(answer).includes('"n":') ? [i] : []));
    const refused = placeOf('"r":-16');
    const after = lines.find((place) => place > refused)!;
    const { law, step } = brokenBy(at(after, (text) => text.replace(/\((\d)\)/, '(9)')));
    expect([law, step]).toEqual(['ftrace/failed-calls-have-no-effect', 7]);
  });

  test('a WARN of an operation, and of a call', () => {
    const warn = (text: string) => text.replace(/\}$/, ',"warn":["WARNING: CPU: 0 PID: 1 at ftrace.c"]}');
    for (const place of [placeOf('"r":0', 4), patched + 1]) {
      const { law, observed } = brokenBy(at(place, warn));
      expect([law, observed]).toEqual([
        'ftrace/no-warning-without-misuse',
        'WARNING: CPU: 0 PID: 1 at ftrace.c',
      ]);
    }
  });

  test('a message that is no WARN is none', () => {
    const said = (text: string) => text.replace(/\}$/, ',"warn":["kprobes: Failed to arm"]}');
    expect(judged(at(placeOf('"r":0', 4), said)).breach).toBeUndefined();
  });

  test('what is left after everything was taken off', () => {
    const { law, step, observed } = brokenBy(
      at(ASKED.length - 1, () => '{"left":["security_ac_f1"],"direct":-16}'),
    );
    expect([law, step]).toEqual(['ftrace/detaching-everything-restores-boot-state', 10]);
    expect(observed).toBe('patched: security_ac_f1; a direct call answers EBUSY');
  });

  test('not what is left where detaching everything has warned', () => {
    const warn = '{"left":[],"direct":-19,"warn":["WARNING: CPU: 0 PID: 1 at ftrace_shutdown"]}';
    const { breach, unjudgedEnd, damaged } = judged(at(ASKED.length - 1, () => warn));
    expect([breach, unjudgedEnd, damaged]).toEqual([undefined, true, true]);
  });

  test('a direct call that a function still refuses then', () => {
    const { law, observed } = brokenBy((text) => text, '{"r":-16}');
    expect(law).toBe('ftrace/detaching-everything-restores-boot-state');
    expect(observed).toBe('patched: none; a direct call of f1 answers EBUSY');
  });

  test('a kernel that crashes, by its console, and one that hangs in a traced call', () => {
    const lose = (place: number, end: 'ended' | 'hangs'): Edit =>
      at(place, () => {
        throw new GuestLost(end, ['BUG: kernel NULL pointer dereference']);
      });
    const crash = brokenBy(lose(placeOf('"r":-16'), 'ended'));
    expect(crash).toMatchObject({ law: 'ftrace/operations-neither-oops-nor-hang', step: 7 });
    expect(crash.observed).toBe('it crashes: BUG: kernel NULL pointer dereference');
    const hang = lose(withProgram, 'hangs');
    expect(brokenBy(hang)).toMatchObject({ law: 'ftrace/traced-calls-return' });
    expect(judged(hang).answers).toHaveLength(brokenBy(hang).step + 1);
  });
});

test('after an answer that the client did not expect, the history ends', () => {
  const { calls, difference } = judged(at(placeOf('"r":-16'), () => '{"r":-17}'));
  expect(calls).toBe(8);
  expect(difference).toMatchObject({ step: 7, aspect: 'errno', kernel: ['EEXIST'], model: ['EBUSY'] });
});
