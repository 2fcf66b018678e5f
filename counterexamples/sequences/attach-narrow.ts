import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import type { Action } from '../../model/client/all.ts';
import { InputError } from '../../model/core/input-error.ts';
import { KERNELS, profileNamed } from '../../model/core/profile.ts';
import { designOf } from '../../model/trampoline/designs/chosen.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { isCalledBy, tracedFunction } from '../../model/trampoline/traced-function.ts';
import { callOf } from '../../properties/observed/sample-call.ts';

/** Signatures that represent all: no argument, registers only, stack arguments, narrow ones, no return value. */
const SIGNATURES = ['void -> u64', 'u64 x2 -> u64', 'u64 x9 -> u64', 'u8, u16, u32 -> u32', 'u64 x3 -> void'];

/** The dimensions that a breach does not depend on: it stays when these change. */
export function whatDoesNotMatterHere(c: AttachCase, fails: (candidate: AttachCase) => boolean): string {
  if (c.functions.length === 0) return `fails in kernels ${kernelsOf(c, fails).join(', ')}`;
  const signatures = SIGNATURES.filter((signature) => fails(withSignature(c, signature)));
  const types =
    signatures.length === SIGNATURES.length
      ? 'with functions of any type'
      : signatures.length > 0
        ? `with functions like ${signatures.join('; ')}`
        : 'with functions of these types only';
  return `fails ${types}; kernels ${kernelsOf(c, fails).join(', ')}`;
}

function kernelsOf(c: AttachCase, fails: (candidate: AttachCase) => boolean): readonly string[] {
  const [own = '', ...overrides] = c.profile.split(', ');
  return [...new Set([...KERNELS, own])].filter((kernel) => {
    const profile = [kernel, ...overrides].join(', ');
    return kernel === own || (canStand(profile) && fails({ ...c, profile }));
  });
}

/** Whether there is such a kernel: not every kernel supports every design of multi links. */
function canStand(profile: string): boolean {
  try {
    designOf(profileNamed(profile));
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** The same sequence with functions of another type, each called with words of its own. */
function withSignature(c: AttachCase, signature: string): AttachCase {
  const functions = c.functions.map((fn): TracedFunction => {
    const { name, id, nesting, bpf, module, noreturn, listing } = fn;
    const other = { ...tracedFunction(name, id, signature), module, noreturn, listing };
    const fixed = bpf || nesting !== 'none' || isCalledBy(c.functions, name);
    return fixed ? fn : other;
  });
  const actions = c.actions.map((action): Action => {
    const fn = action.do === 'call' ? functions.find(({ name }) => name === action.fn) : undefined;
    return fn === undefined ? action : callOf(fn, 1);
  });
  return { ...c, functions, actions };
}
