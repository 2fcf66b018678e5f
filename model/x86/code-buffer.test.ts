import { describe, expect, it } from 'vitest';
import { Assembler } from './assemble.ts';
import { OutOfRange } from './assembled.ts';
import { isByte } from './code-buffer.ts';
import { FAMILY } from './instruction.ts';
import { hexBytes } from './listing.ts';
import { R11, RAX } from './register.ts';
import { START, textOf } from './rig.ts';
import { sweep } from './sweep.ts';
import type { Word } from './word.ts';
import { fromBigInt, fromHex, plus } from './word.ts';

const BASE = fromBigInt(START);

function finished(write: (a: Assembler) => void, symbols: Readonly<Record<string, Word>> = {}) {
  const a = new Assembler(BASE, (name) => symbols[name]);
  write(a);
  return a.finish();
}

const assembled = (write: (a: Assembler) => void) => textOf(finished(write).bytes);

describe('labels', () => {
  it('may come before the branch, after it, or at it', () => {
    const text = assembled((a) => {
      a.label('start');
      a.jump('end');
      a.jump('start');
      a.label('here');
      a.jumpIfZeroShort('here');
      a.jumpIfNonzeroNear('start');
      a.jumpIfAboveNear('end');
      a.label('end');
      a.call('start');
    });
    expect(text.split('; ')).toEqual([
      'jmp 0xffffffffc0000118',
      'jmp 0xffffffffc0000100',
      'je 0xffffffffc000010a',
      'jne 0xffffffffc0000100',
      'ja 0xffffffffc0000118',
      'call 0xffffffffc0000100',
    ]);
  });

  it('are offsets from the first byte, and leave no relocation', () => {
    const { labels, relocations } = finished((a) => {
      a.label('first');
      a.ret();
      a.label('second');
      a.jump('first');
      a.label('end');
    });
    expect([...labels]).toEqual([
      ['first', 0],
      ['second', 1],
      ['end', 6],
    ]);
    expect(relocations).toEqual([]);
  });

  it('hide a symbol of the same name', () => {
    const { bytes, relocations } = finished(
      (a) => {
        a.label('name');
        a.jump('name');
      },
      { name: fromHex('0xffffffff81000000') },
    );
    expect(textOf(bytes)).toBe('jmp 0xffffffffc0000100');
    expect(relocations).toEqual([]);
  });

  it('are defined once', () => {
    expect(() =>
      finished((a) => {
        a.label('twice');
        a.label('twice');
      }),
    ).toThrow('label twice is defined twice');
  });

  it.each([
    [127, true],
    [128, false],
  ])('a short branch over %i bytes reaches: %s', (bytes, reaches) => {
    const write = () =>
      finished((a) => {
        a.jumpIfZeroShort('end');
        for (let i = 0; i < bytes; i++) a.int3();
        a.label('end');
      });
    if (reaches) expect(write().bytes[1]).toBe(127);
    else expect(write).toThrow(new OutOfRange('end'));
  });

  it.each([
    [126, true],
    [127, false],
  ])('a short branch back over %i bytes reaches: %s', (bytes, reaches) => {
    const write = () =>
      finished((a) => {
        a.label('start');
        for (let i = 0; i < bytes; i++) a.int3();
        a.jumpIfZeroShort('start');
      });
    if (reaches) expect(write().bytes[127]).toBe(0x80);
    else expect(write).toThrow('start is out of reach of its instruction');
  });
});

describe('symbols', () => {
  const near = fromHex('0xffffffff81234567');

  it('a call is relative to its end, and its field is noted', () => {
    const { bytes, relocations } = finished(
      (a) => {
        a.int3();
        a.call('near');
      },
      { near },
    );
    expect(textOf(bytes)).toBe('int3; call 0xffffffff81234567');
    expect(relocations).toEqual([{ offset: 2, symbol: 'near', kind: 'relative', size: 4, end: 6 }]);
  });

  it('a symbol that is not known leaves a hole', () => {
    const { bytes, relocations } = finished((a) => a.call('later'));
    expect(hexBytes(bytes)).toBe('e8 00 00 00 00');
    expect(relocations).toEqual([{ offset: 1, symbol: 'later', kind: 'relative', size: 4, end: 5 }]);
  });

  it.each([
    [0x7fffffff, true],
    [0x80000000, false],
    [-0x80000000, true],
    [-0x80000001, false],
  ])('a call by %i bytes reaches: %s', (distance, reaches) => {
    const write = () => finished((a) => a.call('far'), { far: plus(plus(BASE, 5), distance) });
    if (reaches) expect(new DataView(write().bytes.slice(1).buffer).getInt32(0, true)).toBe(distance);
    else expect(write).toThrow(new OutOfRange('far'));
  });

  it.each([
    [127, true],
    [128, false],
  ])('a short branch to a symbol %i bytes away reaches: %s', (distance, reaches) => {
    const write = () => finished((a) => a.jumpIfZeroShort('far'), { far: plus(plus(BASE, 2), distance) });
    if (reaches) expect(write().bytes[1]).toBe(distance);
    else expect(write).toThrow(new OutOfRange('far'));
  });

  it('a lea is relative to its end', () => {
    const { bytes, relocations } = finished((a) => a.loadSymbol(R11, 'near'), { near });
    expect(textOf(bytes)).toBe('lea 0xffffffff81234567,%r11');
    expect(relocations).toEqual([{ offset: 3, symbol: 'near', kind: 'relative', size: 4, end: 7 }]);
  });

  it('a field before an immediate is relative to the end after it', () => {
    const { bytes, relocations } = finished((a) => a.shiftRightGs('depth', 5), { depth: near });
    expect(textOf(bytes)).toBe('sarq $0x5,%gs:0xffffffff81234567');
    expect(relocations).toEqual([{ offset: 4, symbol: 'depth', kind: 'relative', size: 4, end: 9 }]);
  });

  it.each([
    ['0xffffffff81234567', true, 'mov $0xffffffff81234567,%rax', { offset: 3, size: 4, end: 7 }],
    ['0xffffffff81234567', false, 'movabs $0xffffffff81234567,%rax', { offset: 2, size: 8, end: 10 }],
    ['0xffffc90000000000', true, 'movabs $0xffffc90000000000,%rax', { offset: 2, size: 8, end: 10 }],
    ['0x12345678', true, 'mov $0x12345678,%eax', { offset: 1, size: 4, end: 5 }],
  ])('the address %s, sign-extended if it helps: %s', (address, signExtended, asm, place) => {
    const { bytes, relocations } = finished((a) => a.loadAddress(RAX, 'it', signExtended), {
      it: fromHex(address),
    });
    expect(textOf(bytes)).toBe(asm);
    expect(relocations).toEqual([{ symbol: 'it', kind: 'absolute', ...place }]);
  });

  it('an address that is not known takes all eight bytes', () => {
    const { bytes, relocations } = finished((a) => a.loadAddress(RAX, 'later', true));
    expect(hexBytes(bytes)).toBe('48 b8 00 00 00 00 00 00 00 00');
    expect(relocations).toEqual([{ offset: 2, symbol: 'later', kind: 'absolute', size: 8, end: 10 }]);
  });
});

describe('alignment', () => {
  it.each([
    [0, 16, 8, []],
    [16, 16, 8, []],
    [1, 16, 8, [8, 7]],
    [8, 16, 8, [8]],
    [7, 16, 8, [8, 1]],
    [1, 16, 11, [11, 4]],
    [5, 16, 11, [11]],
    [4, 16, 11, [11, 1]],
    [9, 16, 11, [7]],
    [3, 4, 8, [1]],
    [1, 32, 11, [11, 11, 9]],
  ])(
    '%i bytes are filled up to a multiple of %i with nops of at most %i',
    (used, boundary, longest, nops) => {
      let start = 0;
      const { bytes } = finished((a) => {
        for (let i = 0; i < used; i++) a.int3();
        a.align(boundary, longest);
        start = a.offset;
      });
      expect([bytes.length % boundary, start]).toEqual([0, bytes.length]);
      const filling = sweep(bytes.subarray(used), BASE);
      expect(filling.map(({ length }) => length)).toEqual(nops);
      expect(filling.filter(({ family }) => family !== FAMILY.NOP)).toEqual([]);
    },
  );
});

describe('bytes', () => {
  it('of one assembly are not the next one’s', () => {
    const first = finished((a) => a.bytes([1, 2, 3])).bytes;
    const second = finished((a) => a.bytes([4, 5])).bytes;
    expect([[...first], [...second]]).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it('may be more than a pool holds', () => {
    const many = new Uint8Array(70_000).fill(0x90);
    expect(finished((a) => a.bytes(many)).bytes).toEqual(many);
  });

  it.each([
    [-129, false],
    [-128, true],
    [127, true],
    [128, false],
  ])('%i fits a byte: %s', (value, fits) => {
    expect(isByte(value)).toBe(fits);
  });
});
