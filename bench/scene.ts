import { writeFileSync } from 'node:fs';
import { GS_BASE, STACK } from '../model/trampoline/stage/layout.ts';
import { beginCall } from '../model/trampoline/stage/prepare.ts';
import { CALLER_RETURN } from '../model/trampoline/stage/stubs.ts';
import { readRegister } from '../model/x86/machine.ts';
import type { Word } from '../model/x86/word.ts';
import { toBigInt } from '../model/x86/word.ts';
import type { Workload } from './workload.ts';

/** Writes the workload as the file that `unicorn/unicorn.c` reads: memory, registers, where to start and end. */
export function writeScene(path: string, { stage, call }: Workload): void {
  beginCall(stage, call);
  const { machine } = stage;
  const parts: Uint8Array[] = [words(BigInt(machine.regions.length))];
  for (const { base, size, permission, bytes } of machine.regions)
    parts.push(words(toBigInt(base), BigInt(size), BigInt(permission)), bytes.slice());
  const registers = Array.from({ length: 16 }, (_, reg) => toBigInt(readRegister(machine, reg)));
  const stackBytes = BigInt(stage.stack.writableBytes);
  const addresses: readonly Word[] = [GS_BASE, machine.rip, stage.stubs[CALLER_RETURN]!, STACK];
  parts.push(words(...registers, ...addresses.map(toBigInt), stackBytes, BigInt(stage.image.number)));
  writeFileSync(path, Buffer.concat(parts));
}

function words(...values: readonly bigint[]): Uint8Array {
  return new Uint8Array(BigUint64Array.from(values).buffer);
}
