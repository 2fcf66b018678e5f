import { describe, expect, it } from 'vitest';
import { regionNamed, writeRegister } from './machine.ts';
import type { RegionSpec } from './memory.ts';
import { EXECUTE, READ, WRITE, writeWord } from './memory.ts';
import { CONSTANT4, highTags, lowTags } from './origin.ts';
import { RBP, RDI, RSP } from './register.ts';
import { CODE, DATA, FIXED, HEAP, NOWHERE, SPECS, STACK, TOP } from './rig.ts';
import type { MachineTrial } from './trial.ts';
import { differences } from './trial.ts';
import { fromBigInt } from './word.ts';

/*
 * The loop's short forms against the generic execution: the same code from the same state has to leave the same
 * registers, flags, memory and tags, and to stop in the same way.
 */

/** Origins of an address: only the first lets a strict run continue. */
const ORIGINS: readonly (readonly [name: string, tagLo: number, tagHi: number])[] = [
  ['constant', CONSTANT4, CONSTANT4],
  ['argument', lowTags(9), highTags(9)],
  ['upper half argument', CONSTANT4, highTags(9)],
  ['undefined', 0, 0],
  ['one byte undefined', 0x01010001, CONSTANT4],
];

/** Aligned, odd, the first and last places of each region, one past them, and nowhere. */
const PLACES: readonly bigint[] = [
  ...[0n, 8n, 1n, -8n, -4n].map((offset) => TOP + offset),
  ...[-8n, 0n, 0xb8n, 0xb9n, 0xc0n, 0xf8n, 0xfcn, 0x100n].map((offset) => STACK + offset),
  ...[-8n, -4n, 0n, 4n, 8n, 0x78n, 0x80n, 0xf8n, 0xf9n, 0x100n].map((offset) => DATA + offset),
  ...[HEAP, HEAP + 0x38n, FIXED, CODE, NOWHERE, 0n, 0xffffffffn, -8n, DATA + (1n << 32n)],
];

interface Address {
  readonly reg: number;
  /** What the code adds to the register. */
  readonly shift?: bigint;
  readonly origins?: typeof ORIGINS;
  readonly specs?: readonly RegionSpec[];
}

/** Every place, origin and strictness of an address. */
function* addressed(
  code: string,
  { reg, shift = 0n, origins = ORIGINS, specs = SPECS }: Address,
): Generator<MachineTrial> {
  for (const place of PLACES)
    for (const [origin, tagLo, tagHi] of origins)
      for (const strict of [false, true])
        yield {
          code,
          steps: 1,
          specs,
          title: `${origin}, 0x${BigInt.asUintN(64, place).toString(16)}${strict ? ', strict' : ''}`,
          prepare: (m) => {
            writeRegister(m, reg, fromBigInt(place - shift), tagLo, tagHi);
            m.strict = strict;
          },
        };
}

describe('an address at every place and of every origin', () => {
  it.each([
    ['load', '488b4708', 8n],
    ['load', '488b87f0ffffff', -16n],
    ['store', '48894708', 8n],
    ['store', '488987f0ffffff', -16n],
    ['store of an immediate', '48c74708f6ffffff', 8n],
    ['lea', '488d4708', 8n],
    ['lea', '488d87f0ffffff', -16n],
  ])('%s: %s', (_, code, shift) => {
    const { count, first } = differences(addressed(code, { reg: RDI, shift }));
    expect(first).toEqual([]);
    expect(count).toBe(PLACES.length * ORIGINS.length * 2);
  });
});

const ADJUSTMENTS = [
  ...['c410', 'ec10', 'c480', 'ec80', 'c400', 'ec00'].map((rest) => `4883${rest}`),
  ...['c400010000', 'ec00010000', 'c400000080', 'ec00000080', 'ecffffff7f'].map((rest) => `4881${rest}`),
];

describe('a stack pointer at every place and of every origin', () => {
  it.each(['50', '5c', '54', '4157', 'e810000000', ...ADJUSTMENTS, '488d6424f8', '488b442408'])(
    '%s',
    (code) => {
      expect(differences(addressed(code, { reg: RSP })).first).toEqual([]);
    },
  );

  it.each(['58', '5c', 'c3', 'c9'])('%s, and values of every origin on the stack', (code) => {
    const filled = function* (): Generator<MachineTrial> {
      for (const value of [CODE, DATA])
        for (const [name, tagLo, tagHi] of ORIGINS)
          for (const trial of addressed(code, {
            reg: code === 'c9' ? RBP : RSP,
            origins: ORIGINS.slice(0, 1),
          }))
            yield {
              ...trial,
              title: `${trial.title}, ${name}`,
              prepare: (m) => {
                for (const region of ['stack', 'data'])
                  for (let offset = 0; offset < 0x100; offset += 8)
                    writeWord(regionNamed(m, region), offset, fromBigInt(value), tagLo, tagHi);
                trial.prepare(m);
              },
            };
    };
    expect(differences(filled()).first).toEqual([]);
  });
});

/** Roles played by regions of other kinds: what may not be read or written, and data that is code. */
const KINDS: readonly (readonly [title: string, name: string, kind: Partial<RegionSpec>])[] = [
  ['data that is read only', 'data', { permission: READ }],
  ['data that is write only', 'data', { permission: WRITE }],
  ['data that is partly writable', 'data', { writableBytes: 0x80 }],
  ['data that is code', 'data', { permission: READ | WRITE | EXECUTE }],
  ['a stack that is read only', 'stack', { permission: READ }],
  ['a stack that is write only', 'stack', { permission: WRITE }],
  ['a stack that is code', 'stack', { permission: READ | WRITE | EXECUTE }],
];

describe.each(KINDS)('%s', (_, name, kind) => {
  const specs = SPECS.map((spec) => (spec.name === name ? { ...spec, ...kind } : spec));

  it.each([
    ['488b4708', RDI, 8n],
    ['48894708', RDI, 8n],
    ['48c7470801000000', RDI, 8n],
    ['57', RSP, -8n],
    ['5f', RSP, 0n],
    ['c3', RSP, 0n],
    ['c9', RBP, 0n],
    ['e810000000', RSP, -8n],
  ] as const)('%s', (code, reg, shift) => {
    const origins = ORIGINS.slice(0, 1);
    expect(differences(addressed(code, { reg, shift, origins, specs })).first).toEqual([]);
  });
});
