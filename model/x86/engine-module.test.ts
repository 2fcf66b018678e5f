import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../../test/scratch.ts';
import { REST } from './engine.ts';
import { ENGINE_MODULE } from './engine-module.ts';
import * as flags from './flags.ts';
import { REG_STRIDE } from './instruction.ts';
import { FLAGS_AT, HEADERS_AT, PARAMETERS_AT, RETURNS, RETURNS_AT } from './machine.ts';
import { EXECUTE, READ, ROW_NUMBERS, WRITE } from './memory.ts';
import { CONSTANT } from './origin.ts';
import { RBP, RSP } from './register.ts';
import { OP, ROW } from './row.ts';
import { HEADER, HEADER_NUMBERS, PARAMETER } from './shared.ts';

const HERE = import.meta.dirname;
const SOURCES = join(HERE, 'wasm');
const COMPILER = join(HERE, '../../node_modules/assemblyscript/bin/asc.js');

const made = scratch();

/**
 * What the compiler makes of the sources, in base64; it reads what a file imports with the ending added again, or without.
 * A process of its own has no loader of TypeScript, which takes ten seconds to read the compiler.
 */
function compiled(): string {
  for (const name of readdirSync(SOURCES).filter((name) => name.endsWith('.ts')))
    for (const ending of ['', '.ts']) made.file(name + ending, readFileSync(join(SOURCES, name)));
  const options = ['--outFile', 'loop.wasm', '-O3', '--noAssert', '--runtime', 'stub'];
  const { status, stderr } = spawnSync(
    process.execPath,
    [COMPILER, 'loop.ts', '--importMemory', ...options],
    {
      cwd: made.path(''),
      encoding: 'utf8',
    },
  );
  expect([status, stderr]).toEqual([0, '']);
  return readFileSync(made.path('loop.wasm')).toString('base64');
}

const HEADING =
  '/** The module that `wasm/` is compiled to, in base64: `UPDATE=1 npm test -- model/x86/engine-module`. */';

describe('the compiled loop', () => {
  it('is what its sources are compiled to', () => {
    const module = compiled();
    if (process.env['UPDATE'] === '1') {
      const text = `${HEADING}\nexport const ENGINE_MODULE: string =\n  '${module}';\n`;
      writeFileSync(join(HERE, 'engine-module.ts'), text);
    } else expect(ENGINE_MODULE === module).toBe(true);
    expect((module.length * 3) / 4).toBeLessThan(60_000);
  });
});

/** An enumeration by name; its object has the names by number as well. */
async function places(name: string): Promise<Record<string, number>> {
  const module = (await import('./wasm/places.ts')) as unknown as Record<
    string,
    Record<string, string | number>
  >;
  const members = Object.entries(module[name]!).filter(([, value]) => typeof value === 'number');
  return Object.fromEntries(members) as Record<string, number>;
}

/** Numbers of the arena as places in bytes, from the first of them on. */
function inBytes(numbers: Readonly<Record<string, number>>, from = 0): Record<string, number> {
  return Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, 4 * (from + number)]));
}

/** The same without the upper halves, which are read with the lower ones. */
function words({ BASE_LO, BASE_HI: _, ...others }: typeof HEADER): Record<string, number> {
  return inBytes({ BASE: BASE_LO, ...others });
}

describe("the module's places are those of the machine", () => {
  it.each([
    ['RowByte', { ...inBytes(ROW), BYTES: 4 * ROW_NUMBERS }, ['OP']],
    ['Form', OP, []],
    ['Header', { ...words(HEADER), FIRST: 4 * HEADERS_AT, BYTES: 4 * HEADER_NUMBERS }, []],
    ['Parameter', inBytes(PARAMETER, PARAMETERS_AT), []],
    ['Permission', { READ, WRITE, EXECUTE }, []],
    ['Rest', REST, []],
    ['Tag', { ONE: CONSTANT, ZERO_TEST: flags.ZERO_TEST }, []],
    ['Returns', { AT: 4 * RETURNS_AT, MASK: RETURNS - 1, BYTES: 16 * RETURNS, ROW: 8 }, []],
    [
      'Register',
      { RSP: 4 * RSP * REG_STRIDE, RBP: 4 * RBP * REG_STRIDE, TAGS: 8, RSP_TAGS: 4 * RSP * REG_STRIDE + 8 },
      [],
    ],
    [
      'FlagByte',
      inBytes(
        { KIND: flags.KIND, SIZE: flags.SIZE, A: flags.A_LO, B: flags.B_LO, R: flags.R_LO, TAG: flags.TAG },
        FLAGS_AT,
      ),
      [],
    ],
    [
      'FlagKind',
      {
        FROM_BITS: flags.FROM_BITS,
        FROM_ADD: flags.FROM_ADD,
        FROM_SUB: flags.FROM_SUB,
        FROM_LOGIC: flags.FROM_LOGIC,
      },
      [],
    ],
  ])('%s', async (name, numbers: Readonly<Record<string, number>>, absent: readonly string[]) => {
    const known = Object.fromEntries(Object.entries(numbers).filter(([key]) => !absent.includes(key)));
    expect(await places(name)).toEqual(known);
  });
});
