import { describe, expect, test } from 'vitest';
import { HALF_BYTES } from '../text/space.ts';
import { createMachine } from '../x86/create-machine.ts';
import { regionNamed, writeRegister } from '../x86/machine.ts';
import { EXECUTE, READ, WRITE, writeBytes } from '../x86/memory.ts';
import { RDX } from '../x86/register.ts';
import { run } from '../x86/run.ts';
import type { Word } from '../x86/word.ts';
import { fromBigInt, plus, toHex } from '../x86/word.ts';
import { BPF_DISPATCHER_MAX } from './dispatcher.ts';
import type { IndirectJump } from './dispatcher-image.ts';
import { dispatcherImage } from './dispatcher-image.ts';

const BASE = fromBigInt(0xffffffffc0000680n);
const THUNK = fromBigInt(0xffffffff81cf5380n);
/** Programs, none of them aligned; some lie far from the others. */
const PROGRAMS = Array.from({ length: BPF_DISPATCHER_MAX }, (_, i) =>
  fromBigInt(
    0xffffffffc0002000n + (BigInt((i * 29) % BPF_DISPATCHER_MAX) * 0x34n + (i % 2 === 0 ? 0n : -0x10000n)),
  ),
);
const SIZES = Array.from({ length: BPF_DISPATCHER_MAX }, (_, i) => i + 1);

/** Answers the address that an image jumps to with each of some values in `rdx`, where nothing but the image is mapped. */
function reachedFrom(image: Uint8Array): (address: Word) => string {
  const specs = [
    { name: 'image', base: BASE, size: HALF_BYTES, permission: READ | EXECUTE },
    { name: 'stack', base: fromBigInt(0xffffc90000100000n), size: 0x100, permission: READ | WRITE },
  ];
  const machine = createMachine(specs, { stack: 'stack', data: 'stack' });
  writeBytes(regionNamed(machine, 'image'), 0, image);
  return (address) => {
    writeRegister(machine, RDX, address);
    Object.assign(machine.rip, BASE);
    const stop = run(machine, 100);
    if (stop.kind !== 'fault') throw new Error(`the image ends by ${stop.kind}`);
    return toHex(stop.fault.address);
  };
}

function imageOf(count: number, indirect: IndirectJump): Uint8Array {
  return dispatcherImage(PROGRAMS.slice(0, count), { base: BASE, indirect, longestNop: 8 });
}

describe.each(SIZES)('an image for %i programs', (count) => {
  const image = imageOf(count, { thunk: THUNK });

  test('fits half a page', () => {
    expect(image.length).toBeLessThanOrEqual(HALF_BYTES);
  });

  test('jumps to each of them, and to the thunk for any other address', () => {
    const reached = reachedFrom(image);
    const own = PROGRAMS.slice(0, count);
    const beside = [
      ...own.flatMap((program) => [plus(program, -1), plus(program, 1)]),
      ...PROGRAMS.slice(count),
    ];
    expect(own.map(reached)).toEqual(own.map(toHex));
    expect(new Set([...beside, fromBigInt(1n)].map(reached))).toEqual(new Set([toHex(THUNK)]));
  });
});

test('without retpolines it jumps to any address by itself', () => {
  const reached = reachedFrom(imageOf(3, 'jmp'));
  for (const address of [...PROGRAMS.slice(0, 5), fromBigInt(0xffffffff81000000n)])
    expect(reached(address)).toBe(toHex(address));
});

test('the order in which programs came makes no difference', () => {
  const form = { base: BASE, indirect: 'jmp', longestNop: 8 } as const;
  const few = PROGRAMS.slice(0, 7);
  expect(dispatcherImage(few.toReversed(), form)).toEqual(dispatcherImage(few, form));
});
