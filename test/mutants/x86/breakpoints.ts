import { createMachine } from '../../../model/x86/create-machine.ts';
import { run } from '../../../model/x86/execute.ts';
import { isBreakpoint, setBreakpoint } from '../../../model/x86/link.ts';
import type { Machine } from '../../../model/x86/machine.ts';
import { forgetCode, writeRegister } from '../../../model/x86/machine.ts';
import { writeBytes } from '../../../model/x86/memory.ts';
import { fromBigInt, toBigInt } from '../../../model/x86/word.ts';

const CODE = 0x1000n;
const STACK = 0x8000n;
/** `nop` seven times and a jump to the first. */
const LOOP = [0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0xeb, 0xf7];

/**
 * Breakpoints are where they were set and nowhere else, whatever the registers hold and whether an instruction has been
 * decoded; a run stops at each, and forgotten code has none.
 */
export function breakpointDifference(): string | undefined {
  for (let rax = 0; rax < 32; rax++)
    for (let offset = 0; offset < 8; offset++) {
      const found = ofOne(BigInt(rax) * 0x1_0000_0001n, offset);
      if (found !== undefined) return `rax ${rax}, breakpoint at ${offset}: ${found}`;
    }
  return undefined;
}

function ofOne(rax: bigint, offset: number): string | undefined {
  const m = machine(rax);
  const [code] = m.regions;
  if (code === undefined) throw new Error('the code is not mapped');
  const wrong = (wanted: readonly number[]): string | undefined => {
    const found = Array.from({ length: 16 }, (_, i) => i).filter((i) =>
      isBreakpoint(m, fromBigInt(CODE + BigInt(i))),
    );
    const elsewhere = [STACK, STACK + 8n, 0n, 0x9000n].filter((address) =>
      isBreakpoint(m, fromBigInt(address)),
    );
    return found.join() === wanted.join() && elsewhere.length === 0 ? undefined : `at ${found} ${elsewhere}`;
  };
  const before = wrong([]);
  if (before !== undefined) return before;
  setBreakpoint(m, code, offset);
  const stop = run(m, 20);
  if (
    offset > 0 &&
    (stop.kind !== 'breakpoint' || toBigInt(stop.at) !== CODE + BigInt(offset) || m.steps !== offset)
  )
    return `${stop.kind} after ${m.steps}`;
  const set = wrong([offset]);
  if (set !== undefined) return set;
  const again = run(m, 20);
  if (again.kind !== 'breakpoint' || toBigInt(again.at) !== CODE + BigInt(offset) || m.steps < 8)
    return `again ${again.kind}`;
  forgetCode(m, code);
  return wrong([]);
}

function machine(rax: bigint): Machine {
  const m = createMachine(
    [
      { name: 'code', base: fromBigInt(CODE), size: 16, permission: 5 },
      { name: 'stack', base: fromBigInt(STACK), size: 64, permission: 3 },
    ],
    { stack: 'stack', data: 'stack' },
    'reference',
  );
  const [code] = m.regions;
  if (code !== undefined) writeBytes(code, 0, LOOP);
  writeRegister(m, 0, fromBigInt(rax));
  writeRegister(m, 4, fromBigInt(STACK + 32n));
  Object.assign(m.rip, fromBigInt(CODE));
  return m;
}
