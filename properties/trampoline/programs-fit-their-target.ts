import type { PromisedClient, Promises } from '../../model/contract/promises.ts';
import { refuseListing } from '../../model/trampoline/load-target.ts';
import type { BpfProgram } from '../../model/trampoline/program.ts';
import { targetFor } from '../../model/trampoline/target.ts';
import type { AttachLaw } from '../law/sequence-law.ts';

/** What a program may do where it is attached, whichever path attached it. */
export const programsFitTheirTarget: AttachLaw = {
  name: 'trampoline/programs-fit-their-target',
  sentence:
    'A program that sleeps or modifies a return value is attached only to a function that the kernel lists for it.',
  source:
    'kernel/bpf/verifier.c  bpf_check_attach_target, check_attach_modify_return, check_attach_sleepable; kernel/bpf/btf.c  btf_kfunc_is_modify_return',
  witness: 'an attached program that may sleep or modifies a return value',
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
          kind: program.kind,
          sleepable: program.sleepable,
          fn: ip,
        };
      }
    }
    return witness ? 'held' : 'not applicable';
  },
};

function needsList({ kind, sleepable }: BpfProgram): boolean {
  return sleepable || kind === 'fmod_ret';
}

function programOf({ programs }: Promises, { kind, who }: PromisedClient): BpfProgram | undefined {
  return kind === 'program' ? programs[Number(who.slice(who.indexOf('#') + 1))]?.program : undefined;
}
