import { describe, expect, it, test } from 'vitest';
import { BATCH, drawBatch } from '../../../checker/x86/campaign.ts';
import { assemble } from '../../../checker/x86/sequence.ts';
import { readText } from '../../../conformance/files.ts';
import { someOf, THOROUGH } from '../../../test/thorough.ts';
import { KERNELS } from '../../core/profile.ts';
import { entryAddress, entryCode } from '../../ftrace/entry/entry-code.ts';
import { bootKernel } from '../../kernel.ts';
import { apply, KERNEL_PROGRAM } from '../../step.ts';
import { BUSY_FUNCTIONS, busySequence } from '../../testing/busy-sequence.ts';
import { ENTRY_CODE } from '../../text/space.ts';
import { PLACES, TAILS } from '../decode/readings.ts';
import { disassemble as icedLines, mnemonicOf as icedMnemonic } from '../listing.ts';
import type { ListingLine } from '../listing-line.ts';
import { bytesOf } from '../rig.ts';
import type { Word } from '../word.ts';
import { fromHex, toHex } from '../word.ts';
import { disassemble, mnemonicOf } from './listing.ts';

const BASE = fromHex('0xffffffffc0000000');
/** Every second address has a name. */
const nameOf = (address: Word) => ((address.lo & 1) === 0 ? `at_${toHex(address)}` : undefined);
const printed = ({ offset, bytes, text }: ListingLine) => `${offset}+${bytes.length} ${text}`;

/** Code that is listed, and what was found: differences, and lines of the class that has no names. */
class Comparison {
  readonly differences: string[] = [];
  lines = 0;
  unknown = 0;

  /** After an instruction without a name the rest is bytes: what comes before it is compared. */
  add(bytes: Uint8Array, base = BASE): void {
    const mine = disassemble(bytes, base, nameOf).map(printed);
    const known = mine.findIndex((line) => line.includes(' .byte '));
    const theirs = icedLines(bytes, base, nameOf).map(printed);
    const end = known < 0 ? mine.length : known;
    if (known >= 0) this.unknown++;
    this.lines += end;
    const wrong =
      known < 0 && theirs.length !== end ? end : mine.findIndex((line, i) => i < end && line !== theirs[i]);
    if (wrong >= 0) this.differences.push(`${mine[wrong]} | iced ${theirs[wrong]}`);
  }
}

function compared(codes: Iterable<Uint8Array>): Comparison {
  const comparison = new Comparison();
  for (const code of codes) comparison.add(code);
  return comparison;
}

/**
 * Recordings, each with the number of its codes that are not listed to the end: after the code of an ops trampoline there
 * is data, and some halves of the dispatcher's page have the end of an older and longer image.
 */
const RECORDINGS = Object.entries({
  trampolines: 0,
  asked: 0,
  '7.3-images': 0,
  'dispatcher-images': 6,
  'lsm-images': 0,
  'struct-ops-images': 0,
  'ftrace-ops-trampolines': 14,
  stubs: 0,
});

/** Fields of the recordings that have code of the kernel's: images, call sites, the beginnings of functions. */
const CODE = /"(?:(?:image|lower|upper|entry|entry_after_detach)_hex|code)":"([0-9a-f]+)"/g;

function recorded(name: string): Uint8Array[] {
  const text = readText(`conformance/recordings/${name}.jsonl.gz`);
  return [...new Set(Array.from(text.matchAll(CODE), ([, hex]) => hex!))].map(bytesOf);
}

/** Every content of text in a sequence that uses every mechanism: after its actions, and during them. */
function textOf(profile: string): { readonly after: Uint8Array[]; readonly during: Uint8Array[] } {
  const k = bootKernel({ profile, boot: 'default', functions: BUSY_FUNCTIONS });
  const [after, during] = [new Set<string>(), new Set<string>()];
  const note = (found: Set<string>) => {
    const { pages, sites, inner, probed } = k.text;
    for (const { bytes } of Object.values(pages)) found.add(bytes);
    for (const map of [sites, inner, probed]) for (const bytes of Object.values(map)) found.add(bytes);
  };
  for (const action of busySequence(profile)) {
    apply(k, action, KERNEL_PROGRAM, { step: () => note(during) });
    note(after);
  }
  return { after: [...after].map(bytesOf), during: [...during].map(bytesOf) };
}

/** Lines at least. */
const DRAWN = THOROUGH ? 20_000 : 5_000;

describe('a listing without iced is the one with it', () => {
  test.each(RECORDINGS)('of the recorded code in %s, but for the end of %i', (name, ends) => {
    const { differences, unknown, lines } = compared(recorded(name));
    expect({ differences, unknown }).toEqual({ differences: [], unknown: ends });
    expect(lines).toBeGreaterThan(20);
  });

  test.each(KERNELS)('of all text after each action of a sequence on %s', (profile) => {
    const { differences, unknown, lines } = compared(textOf(profile).after);
    expect({ differences, unknown }).toEqual({ differences: [], unknown: 0 });
    expect(lines).toBeGreaterThan(400);
  });

  test.each(KERNELS)(
    'of all text during the actions on %s, but for the rest of what is patched',
    (profile) => {
      const { differences, unknown, lines } = compared(textOf(profile).during);
      expect(differences).toEqual([]);
      // After an int3, and after an opcode that is back before its operands are, there is no code.
      expect(unknown).toBeGreaterThan(5);
      expect(unknown).toBeLessThan(20);
      expect(lines).toBeGreaterThan(400);
    },
  );

  test.each(ENTRY_CODE)('of %s', (name) => {
    const comparison = new Comparison();
    for (const ibt of [false, true])
      for (const jmp of [false, true])
        for (const fullReturn of [false, true])
          comparison.add(entryCode(name, { ibt, jmp, fullReturn }), entryAddress(name));
    expect(comparison).toMatchObject({ differences: [], unknown: 0 });
  });

  test(`of ${DRAWN} instructions that were drawn`, () => {
    const comparison = new Comparison();
    for (let first = 0; comparison.lines < DRAWN; first += BATCH)
      for (const sequence of drawBatch(7, first, BATCH).sequences) comparison.add(assemble(sequence).code);
    expect(comparison).toMatchObject({ differences: [], unknown: 0 });
  });

  test('of every opcode that the decoder reads', () => {
    const { differences, lines } = compared(samples());
    expect(differences).toEqual([]);
    expect(lines).toBeGreaterThan(THOROUGH ? 50_000 : 15_000);
  });

  test('of call sites that are torn at any byte, but for what only iced knows', () => {
    const { differences, unknown, lines } = compared(torn());
    expect({ differences, unknown }).toEqual({ differences: [], unknown: 10 });
    expect(lines).toBeGreaterThan(200);
  });
});

const PREFIXES = [
  [],
  [0x66],
  [0x41],
  [0x4f],
  [0x66, 0x48],
  [0xf3],
  [0xf2],
  [0x65],
  [0x65, 0x2e],
  [0x3e, 0xf2],
];
/** SIB bytes without a base, or that scale nothing. */
const MORE_PLACES = [...PLACES, [0x04, 0x65], [0x04, 0x2d], [0x84, 0x2d]];

function* samples(): Generator<Uint8Array> {
  for (const first of [[], [0x0f]])
    for (let opcode = 0; opcode < 256; opcode++)
      for (const prefix of someOf(PREFIXES, 3))
        for (const [modrm = 0, ...sib] of MORE_PLACES)
          for (const reg of modrm === 0xc0 || modrm === 0x01 ? [0, 1, 2, 3, 4, 5, 6, 7] : [1, 6])
            yield Uint8Array.from([
              ...prefix,
              ...first,
              opcode,
              modrm | (reg << 3),
              ...sib,
              ...TAILS[reg & 1]!,
            ]);
}

/** The first bytes of one instruction and the last of another, in a call site between two others. */
function* torn(): Generator<Uint8Array> {
  const whole = ['0f1f440000', 'e8f7ff113f', 'e90bfe0405', 'cc1f440000', '6666669090', 'e8061e2fd6'].map(
    bytesOf,
  );
  for (const a of whole)
    for (const b of whole)
      for (let cut = 1; cut < 5; cut++)
        yield Uint8Array.from([0xf3, 0x0f, 0x1e, 0xfa, ...a.slice(0, cut), ...b.slice(cut), 0x55, 0xc3]);
}

describe('what only iced knows', () => {
  it('is bytes, and so is all that follows', () => {
    expect(disassemble(bytesOf('550faef0554889e5c3c3c3'), BASE, nameOf).map(printed)).toEqual([
      '0+1 push   %rbp',
      '1+8 .byte  0x0f, 0xae, 0xf0, 0x55, 0x48, 0x89, 0xe5, 0xc3',
      '9+2 .byte  0xc3, 0xc3',
    ]);
  });

  it('has no mnemonic, and its bytes are named up to the opcode', () => {
    expect(mnemonicOf(bytesOf('660faef090'))).toEqual({
      bytes: '66 0f ae …',
      mnemonic: '?',
      isInvalid: false,
    });
  });
});

describe('the first instruction of some bytes', () => {
  // 06 is no opcode, dd ff a hole; e8 is cut, 0f 0b is `ud2`.
  it.each(['06c0', 'ddffe3c0', 'e8', '', '0f0b', 'cc'])('%s is as with iced', (hex) => {
    expect(mnemonicOf(bytesOf(hex))).toEqual(icedMnemonic(bytesOf(hex)));
  });

  it('is never called invalid where it is not', () => {
    const wrong = [...samples()].filter(
      (bytes) => mnemonicOf(bytes).isInvalid && !icedMnemonic(bytes).isInvalid,
    );
    expect(wrong).toEqual([]);
  });
});
