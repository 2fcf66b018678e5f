import { FIRST_FAILURE, NO_MEMORY_LEFT } from './reasons.ts';
import type { AuditedFunction } from './row.ts';
import { allocates, gotos, locks, modelled, omitted, returns, V7_2 } from './row.ts';

const ATTACH = 'bpf_trampoline_multi_attach:';
const DETACH = 'bpf_trampoline_multi_detach:';

/** The 32 mutexes of the pool, of which each is a part of the routine. */
function pool(routine: string): readonly string[] {
  return Array.from({ length: 32 }, (_, i) => `${routine} lock trampoline_locks[${i}]`);
}

/** Multi links of 7.2, kernel/bpf/trampoline.c. */
export const MULTI_LINKS: readonly AuditedFunction[] = [
  {
    fn: 'bpf_trampoline_multi_attach',
    in: V7_2,
    rows: [
      gotos(
        V7_2,
        'rollback_put, the errno of bpf_check_attach_btf_id_multi(): the trampolines so far are put',
        modelled(`${ATTACH} the program cannot attach to the function`, `${ATTACH} roll back`),
      ),
      gotos(
        V7_2,
        'rollback_put, ENOMEM of bpf_trampoline_get()',
        modelled('bpf_trampoline_get: allocate a trampoline', `${ATTACH} roll back`),
      ),
      gotos(
        V7_2,
        'rollback_put, ENOMEM of init_tracing_multi_data()',
        modelled(`${ATTACH} allocate three hashes`),
      ),
      locks(
        V7_2,
        'trampoline_lock_all(): every mutex of the pool, in ascending order, from the first link to the old images',
        modelled(...pool(ATTACH)),
      ),
      gotos(
        V7_2,
        'rollback_unlink, the errno of __bpf_trampoline_link_prog(): the programs linked so far are removed',
        modelled(`${ATTACH} roll back (2)`),
      ),
      gotos(
        V7_2,
        'rollback_unlink, the errno of update_ftrace_direct_add()',
        modelled(`${ATTACH} roll back (2)`),
      ),
      gotos(
        V7_2,
        'rollback_unlink, the errno of update_ftrace_direct_mod(): the new sites are removed first, with a WARN if that fails',
        modelled(`${ATTACH} roll back (3)`),
      ),
      returns(
        V7_2,
        'none: cond_resched() between two targets',
        omitted('every task of the model may be preempted there, or is not: a profile decides that'),
      ),
    ],
  },
  {
    fn: 'init_tracing_multi_data',
    in: V7_2,
    rows: [
      allocates(V7_2, 'the hash for new sites', modelled(`${ATTACH} allocate three hashes`)),
      allocates(V7_2, 'the hash for sites that go', omitted(FIRST_FAILURE)),
      allocates(V7_2, 'the hash for sites that change', omitted(FIRST_FAILURE)),
      returns(V7_2, 'ENOMEM: those that were allocated are freed', omitted(NO_MEMORY_LEFT)),
    ],
  },
  {
    fn: 'register_fentry_multi',
    in: V7_2,
    rows: [
      returns(
        V7_2,
        '0: the site is noted; the routine register_fentry is both functions',
        omitted('no error path: it cannot fail, and the step "note the site" has it'),
      ),
    ],
  },
  {
    fn: 'modify_fentry_multi',
    in: V7_2,
    rows: [
      returns(
        V7_2,
        '0: the site is noted, and the old image is not put yet',
        modelled('modify_fentry: a multi link'),
      ),
    ],
  },
  {
    fn: 'unregister_fentry_multi',
    in: V7_2,
    rows: [
      returns(
        V7_2,
        '0: the site is noted, and the image is not put yet',
        modelled('unregister_fentry: a multi link'),
      ),
    ],
  },
  {
    fn: 'bpf_trampoline_multi_attach_free',
    in: V7_2,
    rows: [
      returns(
        V7_2,
        'none: the old image is still the current one, and is not put',
        modelled('bpf_trampoline_multi_attach_free: it is stale'),
      ),
    ],
  },
  {
    fn: 'bpf_trampoline_multi_attach_rollback',
    in: V7_2,
    rows: [
      returns(
        V7_2,
        'none: there is no image to put',
        modelled('bpf_trampoline_multi_attach_rollback: there is one'),
      ),
    ],
  },
  {
    fn: 'bpf_trampoline_multi_detach',
    in: V7_2,
    rows: [
      locks(
        V7_2,
        'trampoline_lock_all(), from the first program to the old images',
        modelled(...pool(DETACH)),
      ),
      returns(
        V7_2,
        'none, a WARN: __bpf_trampoline_unlink_prog() failed; the program has left its list',
        modelled(`${DETACH} __bpf_trampoline_unlink_prog`),
      ),
      returns(
        V7_2,
        'none, a WARN: update_ftrace_direct_del() failed; the old images are put all the same',
        modelled(`${DETACH} update_ftrace_direct_del`),
      ),
      returns(
        V7_2,
        'none, a WARN: update_ftrace_direct_mod() failed; the old images are put all the same',
        modelled(`${DETACH} update_ftrace_direct_mod`),
      ),
    ],
  },
];
