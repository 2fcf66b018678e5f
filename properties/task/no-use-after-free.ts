import type { Action } from '../../model/client/all.ts';
import type { TaskLaw } from '../law/interleaving-law.ts';

/** I-25, C7. */
export const noUseAfterFree: TaskLaw = {
  name: 'task/no-use-after-free',
  sentence:
    'A trampoline, link or program that an operation looked up stays allocated until the operation is done with it.',
  source:
    'kernel/bpf/trampoline.c bpf_trampoline_get, bpf_trampoline_put; kernel/bpf/syscall.c bpf_link_put, bpf_prog_put',
  witness: 'a program operation that overlaps another',
  judge: ({ happening, scenario }) => {
    if (happening.is === 'operation over')
      return scenario.clients.length > 1 && isAboutPrograms(happening.done.action)
        ? 'held'
        : 'not applicable';
    if (happening.is !== 'crash') return 'not applicable';
    const { crash } = happening;
    const isOfTrampoline = crash.is === 'use after free' && crash.object.is === 'trampoline';
    if (crash.is !== 'trampoline without image' && !isOfTrampoline) return 'not applicable';
    return { is: 'crashes', unmet: 'objects of operations stay', crash };
  },
};

function isAboutPrograms({ do: what }: Action): boolean {
  return what.startsWith('BPF_') || what.startsWith('close(');
}
