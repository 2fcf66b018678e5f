import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMachine } from './create-machine.ts';
import type { Machine } from './machine.ts';
import { readRegister, regionNamed } from './machine.ts';
import { writeBytes } from './memory.ts';
import { RAX } from './register.ts';
import { bytesOf, CODE, SPECS, setState, TOP } from './rig.ts';
import { run } from './run.ts';

const ROLES = { stack: 'stack', data: 'data' };

/** `mov $7,%eax; push %rax; pop %rcx; nop` from the start of the code. */
function loaded(m: Machine): Machine {
  writeBytes(regionNamed(m, 'code'), 0, bytesOf('b807000000505990'));
  setState(m, { rip: CODE, rsp: TOP });
  return m;
}

/** The stop, and `rax`. */
function outcomeOf(m: Machine) {
  return [run(m, 4), readRegister(m, RAX), m.steps];
}

describe('the engine of a machine', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('is the compiled loop, unless the reference is asked for', () => {
    expect(createMachine(SPECS, ROLES).engine).toBeDefined();
    expect(createMachine(SPECS, ROLES, 'reference').engine).toBeUndefined();
  });

  it('is the reference where there is no WebAssembly', () => {
    vi.stubGlobal('WebAssembly', undefined);
    const m = loaded(createMachine(SPECS, ROLES));
    expect(m.engine).toBeUndefined();
    expect(outcomeOf(m)).toEqual(outcomeOf(loaded(createMachine(SPECS, ROLES, 'reference'))));
  });

  it('can be had by thousands of machines, one after the other and at the same time', () => {
    const expected = outcomeOf(loaded(createMachine(SPECS, ROLES, 'reference')));
    const kept: Machine[] = [];
    for (let i = 0; i < 3000; i++) {
      const m = loaded(createMachine(SPECS, ROLES));
      if (i % 3 === 0) kept.push(m);
      expect(m.engine).toBeDefined();
      expect(outcomeOf(m)).toEqual(expected);
    }
    for (const m of kept) expect(outcomeOf(loaded(Object.assign(m, { steps: 0 })))).toEqual(expected);
  });
});
