import { z } from 'zod';
import { describeIssue } from '../../conformance/images/record.ts';
import { InputError } from '../../model/core/input-error.ts';
import { item } from '../../model/core/present.ts';
import type { PatchPoint } from '../../model/trampoline/generate.ts';
import { PROGRAMS_MAX } from '../../model/trampoline/stage/layout.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromHex } from '../../model/x86/word.ts';

/** The addresses around a developer's image; `docs/images.md` describes the file. */
export interface Symbols {
  readonly image: Word;
  readonly traced: Word;
  /** Addresses by the names that a plan uses. */
  readonly named: ReadonlyMap<string, Word>;
  readonly entry: 'call' | 'jmp' | undefined;
  readonly patchPoints: readonly PatchPoint[] | undefined;
}

const hex = z.string().regex(/^0x[0-9a-f]{1,16}$/i, 'is not a hexadecimal number like 0xffffffff81000000');
const offset = z.number().int().min(0);
const schema = z.strictObject({
  image: hex,
  function: hex,
  symbols: z.record(hex, z.string()),
  entry: z.enum(['call', 'jmp']).optional(),
  patch_points: z.array(z.strictObject({ offset, target: offset, program: offset })).optional(),
});

/** Reads a file of symbols; `file` is its name, for messages. */
export function parseSymbols(text: string, file: string): Symbols {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InputError(`${file}: not JSON`);
  }
  const result = schema.safeParse(value);
  if (!result.success) throw new InputError(`${file}: ${describeIssue(item(result.error.issues, 0))}`);
  const { image, function: address, symbols, entry, patch_points } = result.data;
  const traced = fromHex(address);
  const outside = Object.entries(symbols).filter(([site]) => !isInside(traced, fromHex(site)));
  const named = new Map(outside.map(([site, name]) => [nameIn(name, file), fromHex(site)]));
  return { image: fromHex(image), traced, named, entry, patchPoints: patch_points };
}

/** Whether an address is one at which the traced function's body may be called: its name does not matter. */
function isInside(traced: Word, address: Word): boolean {
  return address.hi === traced.hi && (address.lo - traced.lo) >>> 0 < 16;
}

/**
 * A name as /proc/kallsyms or a debugger gives it, without the offset; only names with a meaning here are accepted.
 */
function nameIn(text: string, file: string): string {
  const name = text.replace(/\+0x0(\/0x[0-9a-f]+)?$/, '');
  const program = /^prog#([0-9]+)$/.exec(name);
  if (program !== null && Number(program[1]) >= 1 && Number(program[1]) <= PROGRAMS_MAX) return name;
  if (STAND_INS.includes(name)) return name;
  throw new InputError(
    `${file}: ${name} is unknown; known are prog#1 … prog#${PROGRAMS_MAX}, ${STAND_INS.join(', ')}`,
  );
}

/** Functions of the kernel that our stubs replace. */
const STAND_INS = [
  '__bpf_tramp_enter',
  '__bpf_tramp_exit',
  '__bpf_prog_enter_recur',
  '__bpf_prog_exit_recur',
  '__bpf_prog_enter_sleepable_recur',
  '__bpf_prog_exit_sleepable_recur',
  '__bpf_prog_enter',
  '__bpf_prog_exit',
  '__bpf_prog_enter_sleepable',
  '__bpf_prog_exit_sleepable',
  '__x86_return_thunk',
  'its_return_thunk',
  'srso_return_thunk',
  'retbleed_return_thunk',
  'call_depth_return_thunk',
];
