import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import * as TEMPLATES from '../template.ts';
import { Code, Encoder, Instruction, MemoryOperand, Register } from './iced.ts';

type Templates = typeof TEMPLATES;
/** The exports that make a template of arguments. */
type Makers = {
  readonly [Name in keyof Templates as Templates[Name] extends (...given: never[]) => unknown
    ? Name
    : never]: Templates[Name];
};
/** For each parameter the values that it is given. */
type Domains<Parameters extends readonly unknown[]> = {
  readonly [I in keyof Parameters]: readonly Parameters[I][];
};
type Table = {
  readonly [Name in keyof Makers]: Domains<Parameters<Makers[Name]>>;
};

const REGS = Array.from({ length: 16 }, (_, reg) => reg);
const BOTH = [false, true];

/** A maker without a row is an error of the compiler. */
const DOMAINS = {
  push: [REGS],
  pop: [REGS],
  callRegister: [REGS],
  mov: [REGS, REGS],
  movLow: [REGS, REGS],
  test: [REGS],
  zero: [REGS],
  load: [REGS, REGS, BOTH],
  lea: [REGS, REGS, BOTH],
  store: [REGS, REGS, BOTH],
  storeImmediate64: [REGS, BOTH],
  storeImmediate32: [REGS, BOTH],
  compareImmediate: [REGS, BOTH],
  loadUnsigned32: [REGS],
  loadSigned32: [REGS],
  add: [REGS, BOTH],
  sub: [REGS, BOTH],
  xorRegister: [REGS, REGS],
  addRegister: [REGS, REGS],
  multiply: [REGS, REGS],
  not: [REGS],
  and8: [REGS],
  compare8: [REGS],
  rotateLeft: [REGS],
  extend: [REGS, REGS, [1, 2, 4], BOTH],
  leaRelative: [REGS],
  loadRelative: [REGS],
  loadIndexed: [REGS, REGS, REGS],
  loadByte: [REGS, REGS, BOTH],
  loadShort: [REGS, REGS, BOTH],
  loadHalf: [REGS, REGS, BOTH],
  subtractLoaded: [REGS, REGS, BOTH],
  compareMemory: [REGS, REGS, BOTH],
  shiftRightByCl: [REGS],
  load64: [REGS],
  loadGs: [REGS],
  incrementGs: [REGS],
  decrementGs: [REGS],
  compareGs: [REGS],
} as const satisfies Table;

const THEIRS: Readonly<Record<string, unknown>> = { ...TEMPLATES };
/** The templates as a page has them, whose bundle has `iced.ts` in place of iced. */
let ours: Record<string, unknown>;

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../template.ts', import.meta.url))],
    alias: { 'iced-x86': fileURLToPath(new URL('iced.ts', import.meta.url)) },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const code = Buffer.from(outputFiles[0]!.contents).toString('base64');
  ours = (await import(`data:text/javascript;base64,${code}`)) as Record<string, unknown>;
});

function product(domains: readonly (readonly unknown[])[]): unknown[][] {
  return domains.reduce<unknown[][]>(
    (rows, domain) => rows.flatMap((row) => domain.map((value) => [...row, value])),
    [[]],
  );
}

/** What a maker gives, or that it refuses its arguments. */
function made(maker: unknown, given: readonly unknown[]): unknown {
  try {
    return (maker as (...given: readonly unknown[]) => unknown)(...given);
  } catch {
    return 'refused';
  }
}

describe('a template made without iced is the one that iced makes', () => {
  it.each(Object.entries(DOMAINS))('%s, of all arguments', (name, domains) => {
    const rows = product(domains);
    const theirs = rows.map((row) => made(THEIRS[name], row));
    expect(rows.map((row) => made(ours[name], row))).toEqual(theirs);
    // No register of an index is `rsp`; all else has an encoding.
    const refused = rows.filter((_, i) => theirs[i] === 'refused');
    expect(refused).toEqual(name === 'loadIndexed' ? rows.filter(([, , index]) => index === 4) : []);
  });

  it('those without arguments', () => {
    const constants = Object.entries(THEIRS).filter(([, value]) => typeof value === 'object');
    expect(constants.map(([name]) => [name, ours[name]])).toEqual(constants);
    expect(constants.length).toBeGreaterThan(10);
  });
});

const AT_RAX = new MemoryOperand(Register.RAX, Register.None, 1, 0n, 0, false, Register.None);

describe('outside the templates', () => {
  it.each([
    [
      'register 5 has no place in a template',
      Instruction.createRegReg(Code.Movzx_r32_rm8, Register.EAX, Register.AH),
    ],
    [
      'a memory operand has no place in an opcode or in ModRM.reg',
      Instruction.createMem(Code.Push_r64, AT_RAX),
    ],
  ])('%s', (message, instruction) => {
    expect(() => new Encoder(64).encode(instruction, 0n)).toThrow(message);
  });

  it('code of 32 bits is refused', () => {
    expect(() => new Encoder(32)).toThrow('code of 32 bits is not encoded');
  });
});
