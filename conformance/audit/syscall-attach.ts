import { EXTENSION_FITS, FDS_AND_IDS, TARGET_FD } from './reasons.ts';
import type { AuditedFunction } from './row.ts';
import { ALL, allocates, gotos, locks, modelled, omitted, returns, V7_2 } from './row.ts';

const ATTACH = 'bpf_tracing_prog_attach:';
const NAMED = 'link_create: only an extension can be given another target';

/** Links of tracing programs and extensions, kernel/bpf/syscall.c. */
export const TRACING_LINKS: readonly AuditedFunction[] = [
  {
    fn: 'bpf_tracing_prog_attach',
    in: ALL,
    rows: [
      gotos(
        ALL,
        'out_put_prog, EINVAL: a type of program, or an attach type, without a trampoline',
        omitted('link_create() comes here for tracing programs and extensions, with the type of their load'),
      ),
      gotos(ALL, 'out_put_prog, EINVAL: target_fd without an id, or an id without it', modelled(NAMED)),
      gotos(ALL, 'out_put_prog, EINVAL: target_fd for another type than extensions', modelled(NAMED)),
      gotos(ALL, 'out_put_prog, EBADF or EINVAL: target_fd is no program', omitted(TARGET_FD)),
      allocates(ALL, 'the link; out_put_prog with ENOMEM', modelled(`${ATTACH} allocate the link`)),
      locks(
        ALL,
        'dst_mutex of the program: from the choice of the trampoline until dst_trampoline is cleared',
        modelled(`${ATTACH} lock`),
      ),
      gotos(
        ALL,
        'out_unlock, EINVAL: an extension was attached before, and its target is not named',
        modelled(`${ATTACH} a BPF program was its target, and is not named`),
      ),
      gotos(
        ALL,
        'out_unlock, EINVAL: a tracing program without attach_btf (of a BPF program) was attached before',
        modelled(`${ATTACH} a BPF program was its target, and is not named`),
      ),
      gotos(
        ALL,
        'out_unlock, the errno of bpf_check_attach_target() at a second attach',
        modelled(`${ATTACH} its target was unloaded`),
      ),
      gotos(
        ALL,
        'out_unlock, ENOMEM of bpf_trampoline_get() at a second attach',
        modelled('bpf_trampoline_get: allocate a trampoline'),
      ),
      gotos(
        V7_2,
        'out_unlock, EINVAL: kprobe_write_ctx of an extension is not that of its target',
        omitted(EXTENSION_FITS),
      ),
      gotos(ALL, 'out_unlock: bpf_link_prime() failed', omitted(FDS_AND_IDS)),
      gotos(
        ALL,
        'out_unlock: bpf_trampoline_link_prog() failed; bpf_link_cleanup(), and a trampoline that was looked up is put',
        modelled(`${ATTACH} roll back`),
      ),
      returns(
        ALL,
        'none in these kernels: EBUSY or ENOMEM of a design that keeps its functions for itself',
        modelled(`${ATTACH} multi links have its target`, `${ATTACH} multi links have the function`),
      ),
    ],
  },
  {
    fn: 'bpf_tracing_link_release',
    in: ALL,
    rows: [
      returns(
        ALL,
        'none, a WARN: bpf_trampoline_unlink_prog() failed; trampoline and program are put all the same',
        modelled('bpf_link_release: bpf_trampoline_unlink_prog'),
      ),
    ],
  },
  {
    fn: 'bpf_link_prime',
    in: ALL,
    rows: [
      returns(ALL, 'EMFILE: no descriptor is free', omitted(FDS_AND_IDS)),
      returns(ALL, 'ENOMEM or ENOSPC: no id', omitted(FDS_AND_IDS)),
      returns(ALL, 'ENFILE or ENOMEM: no file', omitted(FDS_AND_IDS)),
    ],
  },
];
