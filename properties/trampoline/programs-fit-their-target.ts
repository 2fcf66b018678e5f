import type { PromisedClient, Promises } from '../../model/contract/promises.ts';
import { refuseListing } from '../../model/trampoline/load-target.ts';
import type { BpfProgram } from '../../model/trampoline/program.ts';
import { targetFor } from '../../model/trampoline/target.ts';
import type { AttachLaw } from '../law/sequence-law.ts';

/** What a program may do where it is attached, whichever path attached it. */
export const programsFitTheirTarget: AttachLaw = {
  name: 'trampoline/programs-fit-their-target',
  sentence:
    'A program that sleeps, modifies a return value or belongs to BPF LSM is attached only to a function that the kernel lists for it.',
  source:
    'kernel/bpf/verifier.c  bpf_check_attach_target, check_attach_modify_return, check_attach_sleepable; kernel/bpf/btf.c  btf_kfunc_is_modify_return; kernel/bpf/bpf_lsm.c  bpf_lsm_verify_prog',
  witness: 'an attached program that may sleep, modifies a return value, or belongs to BPF LSM',
  judge: ({ promises, after }) => {
    let witness = false;
    for (const client of promises.clients) {
      const program = programOf(promises, client);
      if (program === undefined || !needsList(program)) continue;
      witness = true;
      for (const ip of client.ips) {
        const target = targetFor(after, ip);
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

function programOf({ programs }: Promises, { kind, who }: PromisedClient): BpfProgram | undefined {
  return kind === 'program' ? programs[Number(who.slice(who.indexOf('#') + 1))]?.program : undefined;
}
