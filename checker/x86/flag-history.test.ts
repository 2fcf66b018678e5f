import { expect, test } from 'vitest';
import { AF, CF, OF, PF, SF, ZF } from '../../model/x86/flags.ts';
import { CONDITION } from '../../model/x86/instruction.ts';
import { encodingOn } from './encodings.ts';
import { FlagHistory } from './flag-history.ts';
import type { Drawn } from './sequence.ts';

/** An instruction as far as its flags are concerned. */
function drawn(line: string, size: number, more: Partial<Drawn> = {}): Drawn {
  const nothing = {
    prefixes: [],
    body: [],
    fixup: undefined,
    condition: undefined,
    count: undefined,
    step: 0,
  };
  return { encoding: encodingOn(line), size, ...nothing, ...more };
}

const AND = drawn('21: AND Ev,Gv', 8);
const CMP = drawn('39: CMP Ev,Gv', 8);
const SHL_CL = drawn('d3 /4: SHL Ev,CL', 4);
const MUL = drawn('f7 /4: MUL Ev', 8);

/** The flags that are undefined after some instructions, `cl` being what shifts find there. */
function openAfter(instructions: readonly Drawn[], cl = 0): number {
  const history = new FlagHistory();
  for (const instruction of instructions) history.note(instruction, cl);
  return history.open;
}

test.each([
  ['a logical operation leaves AF open', [AND], 0, AF],
  ['a comparison closes what was open', [AND, CMP], 0, 0],
  ['a multiplication defines only CF and OF', [MUL], 0, SF | ZF | AF | PF],
  ['a shift by one leaves AF open', [SHL_CL], 1, AF],
  ['a shift by more leaves OF open too', [SHL_CL], 2, AF | OF],
  ['a shift by a masked count of zero changes nothing', [CMP, SHL_CL], 32, 0],
  ['a shift by a masked count of zero closes nothing', [MUL, SHL_CL], 32, SF | ZF | AF | PF],
  ['SHL past the width leaves CF open', [drawn('c0 /4: SHL Eb,Ib', 1, { count: 9 })], 0, AF | OF | CF],
  ['SAR past the width defines CF', [drawn('c0 /7: SAR Eb,Ib', 1, { count: 9 })], 0, AF | OF],
  ['a rotation keeps what was open', [MUL, drawn('d1 /0: ROL Ev,1', 8, { count: 1 })], 0, SF | ZF | AF | PF],
  [
    'INC keeps the carry open',
    [drawn('c0 /4: SHL Eb,Ib', 1, { count: 9 }), drawn('fe /0: INC Eb', 1)],
    0,
    CF,
  ],
])('%s', (_, instructions, cl, open) => {
  expect(openAfter(instructions, cl)).toBe(open);
});

test('a condition reads the flags that it is made of, and no other', () => {
  const history = new FlagHistory();
  history.note(MUL, 0);
  const jump = (condition: number) => drawn('70+cc: Jcc Jb (f64)', 8, { condition });
  expect(history.reads(jump(CONDITION.B))).toBe(false);
  expect(history.reads(jump(CONDITION.O + 1))).toBe(false);
  expect(history.reads(jump(CONDITION.BE))).toBe(true);
  expect(history.reads(jump(CONDITION.L + 1))).toBe(true);
});
