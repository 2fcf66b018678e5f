import type { KernelProgram } from '../model/call/kernel-program.ts';
import type { Instruction } from '../model/core/instruction.ts';
import type { Locals } from '../model/core/part.ts';
import { runner } from '../model/core/run.ts';

/*
 * What a routine's parts see of its locals is written in a type, which promises a local before a step has assigned it.
 * Here each part sees its locals through a proxy that notes reads of values that were neither given nor assigned.
 */

/** The same program, which notes such reads: `register_kprobe: errno`. */
export function notingUnassigned(program: KernelProgram): {
  readonly program: KernelProgram;
  /** What has been read so far. */
  readonly read: ReadonlySet<string>;
} {
  const read = new Set<string>();
  const noting = { ...program, instructions: program.instructions.map((item) => notingReads(item, read)) };
  return { program: { ...noting, run: runner(noting) }, read };
}

/** All that an instruction does with locals is a function of its own; only that for an item has them first. */
function notingReads(instruction: Instruction, read: Set<string>): Instruction {
  const noting = (locals: Locals) => noteReads(locals, instruction.routine, read);
  const fields = Object.entries(instruction).map(([name, field]) => {
    if (typeof field !== 'function') return [name, field];
    return name === 'item'
      ? [name, (locals: Locals, item: unknown) => field(noting(locals), item)]
      : [name, (k: unknown, locals: Locals, errno: unknown) => field(k, noting(locals), errno)];
  });
  return Object.fromEntries(fields) as Instruction;
}

function noteReads(locals: Locals, routine: string, read: Set<string>): Locals {
  return new Proxy(locals, {
    get: (target, key, self) => {
      if (typeof key === 'string' && !(key in target)) read.add(`${routine}: ${key}`);
      return Reflect.get(target, key, self);
    },
  });
}
