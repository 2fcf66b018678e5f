import { createMachine } from '../../../model/x86/create-machine.ts';
import { run } from '../../../model/x86/execute.ts';
import { writeBytes } from '../../../model/x86/memory.ts';
import { fromBigInt, toBigInt } from '../../../model/x86/word.ts';

const CODE = 0x1000n;
const BYTES = 16;
const LONG = [
  [0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8],
  [0xe8, 0, 0, 0, 0],
  [0x48, 0x81, 0xc4, 1, 0, 0, 0],
  [0x66, 0xc7, 0x84, 0x08, 1, 0, 0, 0, 2, 0],
];

/** An instruction that crosses the end of its code faults there, at its first byte that is not mapped. */
export function cutCodeDifference(): string | undefined {
  for (const instruction of LONG)
    for (let left = 1; left < instruction.length; left++) {
      const found = ofOne(instruction, left);
      if (found !== undefined) return `${instruction.length} bytes of which ${left} are there: ${found}`;
    }
  return undefined;
}

function ofOne(instruction: readonly number[], left: number): string | undefined {
  const page = (base: bigint, name: string) => ({ name, base: fromBigInt(base), size: BYTES, permission: 7 });
  const pages = [page(CODE, 'code'), page(0x8000n, 'stack')];
  const m = createMachine(pages, { stack: 'stack', data: 'stack' }, 'reference');
  const [code] = m.regions;
  if (code === undefined) throw new Error('the code is not mapped');
  const nops = Array.from({ length: BYTES - left }, () => 0x90);
  writeBytes(code, 0, [...nops, ...instruction.slice(0, left)]);
  Object.assign(m.rip, fromBigInt(CODE));
  const stop = run(m, 100);
  if (stop.kind !== 'fault') return stop.kind;
  const { kind, access, size, address } = stop.fault;
  const start = CODE + BigInt(BYTES - left);
  const wanted = ['unmapped', 'execute', left + 1, start].join();
  const told = [kind, access, size, toBigInt(address)].join();
  return told === wanted && m.steps === BYTES - left ? undefined : `${told} after ${m.steps}`;
}
