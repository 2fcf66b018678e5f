import type { ArgumentSlot } from '../abi/x86-64.ts';
import type { BpfProgram, ProgramLists } from '../trampoline/program.ts';
import { isOfMember, programLists } from '../trampoline/program.ts';
import type { Signature } from '../trampoline/signature.ts';
import { abiSlots } from '../trampoline/signature.ts';

/**
 * The promises to all actors around one traced function, without any mechanism: the caller, the
 * function, and each attached program. Laws hold a run against this.
 */
export interface Contract {
  readonly signature: Signature;
  /** Where the caller passes the argument words, as the ABI says. */
  readonly slots: readonly ArgumentSlot[];
  /** The programs that must run, in order: at the entry, as a filter before the function, at the exit. */
  readonly lists: ProgramLists;
  /** Some program runs after the function, or may stop it: the image calls the function itself. */
  readonly surrounds: boolean;
  /** A member of a struct_ops: there is no function but its program. */
  readonly isMember: boolean;
}

export function contractFor(signature: Signature, programs: readonly BpfProgram[]): Contract {
  const surrounds = programs.some(({ kind }) => kind !== 'fentry');
  return {
    signature,
    slots: abiSlots(signature),
    lists: programLists(programs),
    surrounds,
    isMember: isOfMember(programs),
  };
}

/**
 * The contract once a program, or with id 0 every exit program, has been patched out of a live image: the jump
 * over one program of bpf_tramp_image_add_skip() (generation C), and that over all fexit programs of
 * bpf_tramp_image_put() (`ip_after_call`, generations B and C).
 */
export function withoutProgram(contract: Contract, id: number): Contract {
  const { fentry, fmodRet, fexit } = contract.lists;
  const others = (list: readonly BpfProgram[]) => list.filter((program) => program.id !== id);
  const lists =
    id === 0
      ? { fentry, fmodRet, fexit: [] }
      : { fentry: others(fentry), fmodRet: others(fmodRet), fexit: others(fexit) };
  return { ...contract, lists };
}
