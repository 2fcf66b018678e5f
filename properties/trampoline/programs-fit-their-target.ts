import type { LoadedProgram, PromisedClient, Promises } from '../../model/contract/promises.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { KernelView } from '../../model/kernel.ts';
import { refuseListing } from '../../model/trampoline/load-target.ts';
import type { BpfProgram } from '../../model/trampoline/program.ts';
import { targetFor } from '../../model/trampoline/target.ts';
import { knownFunction } from '../../model/trampoline/traced-function.ts';
import { toHex } from '../../model/x86/word.ts';
import type { AttachLaw } from '../law/sequence-law.ts';

/** What a program may do where it is attached, whichever path attached it. */
export const programsFitTheirTarget: AttachLaw = {
  name: 'trampoline/programs-fit-their-target',
  sentence:
    'A program that sleeps, modifies a return value or belongs to BPF LSM is attached only to a function that the kernel lists for it; one that runs beside a function returns 0, and one of BPF LSM what its hook may.',
  source:
    'kernel/bpf/verifier.c  bpf_check_attach_target, check_attach_modify_return, check_attach_sleepable, check_return_code; kernel/bpf/btf.c  btf_kfunc_is_modify_return; kernel/bpf/bpf_lsm.c  bpf_lsm_verify_prog, bpf_lsm_get_retval_range',
  witness: 'an attached program that may sleep, modifies a return value, or belongs to BPF LSM',
  judge: ({ promises, after }) => {
    let witness = false;
    for (const client of promises.clients) {
      const loaded = loadedOf(promises, client);
      if (loaded === undefined) continue;
      const { program, returns } = loaded;
      if (runsBeside(program) && (returns.lo !== 0 || returns.hi !== 0))
        return { is: 'program-returns-a-value', who: client.who, returns: toHex(returns) };
      if (!needsList(program)) continue;
      witness = true;
      for (const ip of client.ips) {
        const target = targetFor(after, ip);
        if (program.lsm === true && !mayReturn(after, ip, loaded))
          return { is: 'hook-returns-a-value', who: client.who, fn: ip, returns: toHex(returns) };
        if (target === undefined || refuseListing(target, program) === undefined) continue;
        return {
          is: 'program-does-not-fit',
          who: client.who,
          what: program.lsm === true ? 'LSM' : program.sleepable ? 'sleepable' : program.kind,
          fn: ip,
        };
      }
    }
    return witness ? 'held' : 'not applicable';
  },
};

function needsList({ kind, sleepable, lsm }: BpfProgram): boolean {
  return sleepable || kind === 'fmod_ret' || lsm === true;
}

/** Its return value goes nowhere: the verifier wants it to be 0. */
function runsBeside({ kind, lsm }: BpfProgram): boolean {
  return kind !== 'fmod_ret' && kind !== 'freplace' && lsm !== true;
}

/** Errnos, as pointers and hooks return them. */
const ERRNOS = 4095;

/**
 * A hook of BPF LSM returns an errno or 0, some hooks a truth value; kernels that do not look allow any value. A program
 * for cgroups says instead whether the call is allowed.
 */
function mayReturn(k: KernelView, fn: string, { program, returns }: LoadedProgram): boolean {
  const { listing, signature } = knownFunction(k.functions, fn);
  const value = returns.lo | 0;
  if (program.cgroup === true) return (value & ~1) === 0;
  if (!profileNamed(k.profile).lsmReturnsChecked || signature.ret.size === 0) return true;
  return listing === 'bool_lsm' ? (value & ~1) === 0 : -ERRNOS <= value && value <= 0;
}

function loadedOf({ programs }: Promises, { kind, who }: PromisedClient): LoadedProgram | undefined {
  return kind === 'program' ? programs[Number(who.slice(who.indexOf('#') + 1))] : undefined;
}
