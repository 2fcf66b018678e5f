import type { Fixes } from './fix.ts';
import { known, notModelled, notPlanted, planted, relative } from './fix.ts';

/** Bugs of BPF trampolines, their images and links. */
export const TRAMPOLINE_FIXES: Fixes = {
  'filter-error-is-ignored': {
    title: 'bpf: Handle return value of ftrace_set_filter_ip in register_fentry',
    fixed: '6.18',
    here: notPlanted(
      'without memory for the filter, register_fentry() answers EINVAL where ENOMEM is meant, and no law judges which errno a failed allocation gets',
    ),
  },
  'image-half-is-reused': {
    title: 'bpf: Fix fexit trampoline.',
    fixed: '5.12',
    here: planted('live-image-half-is-overwritten'),
  },
  'shim-without-references': {
    title: 'bpf: Fix a UAF issue in bpf_trampoline_link_cgroup_shim',
    fixed: '6.12.85',
    here: planted('shim-is-taken-while-it-goes', 'trampoline-is-put-without-the-lock'),
  },
  'exit-of-a-noreturn-function': {
    title: 'bpf: Reject attaching fexit/fmod_ret to __noreturn functions',
    fixed: '6.15',
    here: planted('counter-never-falls', 'entered-image-is-never-exited'),
  },
  'multi-trampoline-is-not-managed': {
    title: 'bpf: Mark tracing_multi trampolines as ftrace managed',
    commit: '30bdd6d1384d',
    fixed: '7.1',
    here: planted('trampoline-does-not-know-ftrace'),
  },
  'entry-link-after-a-multi-link': {
    title: 'an fentry link is attached to a function after a multi link',
    commit: '539d3edf8e53',
    fixed: '2025 or 2026',
    here: planted('multi-link-does-not-mark-its-sites'),
  },
  'selector-advances-on-failure': {
    title: 'bpf: Remove bpf trampoline selector',
    fixed: '6.6',
    here: relative(
      'Every second image has another byte, as the selector let an update depend on the number of updates: no modelled kernel has one.',
      'bytes-depend-on-history',
    ),
  },
  'image-of-a-refused-attach': {
    title: 'bpf: Fix memleak due to fentry attach failure',
    fixed: '6.5',
    here: planted('image-of-a-failed-attach-is-lost'),
  },
  'variadic-target': {
    title: 'bpf: Forbid trampoline attach for functions with variable arguments',
    fixed: '5.13',
    here: notModelled('functions with variable arguments'),
  },
  'modify-return-of-a-program': {
    title: 'bpf: disallow attaching modify_return tracing functions to other BPF programs',
    fixed: '5.10',
    here: planted('program-modifies-the-return-of-a-program'),
  },
  'exit-code-of-a-tracing-program': {
    title: 'bpf: Enforce returning 0 for fentry/fexit progs',
    fixed: '5.7',
    here: planted('return-value-is-not-checked'),
  },
  'attach-again-without-a-target': {
    title: 'bpf: Fix re-attachment branch in bpf_tracing_prog_attach',
    fixed: '6.8',
    here: planted('attached-again-without-btf'),
  },
  'program-is-put-twice': {
    title: 'bpf: Prevent double bpf_prog_put call from bpf_tracing_prog_attach',
    fixed: '5.11',
    here: planted('program-of-a-failed-link-is-put-twice'),
  },
  'run-context-is-saved-late': {
    title: 'bpf: Assign bpf_tramp_run_ctx::saved_run_ctx before recursion check',
    fixed: '6.6',
    here: planted('context-saved-after-the-recursion-test'),
  },
  'exit-is-not-called-on-recursion': {
    title: 'bpf: Invoke __bpf_prog_exit_sleepable_recur() on recursion in kern_sys_bpf()',
    fixed: '6.6',
    here: planted('skipped-program-stays-active', 'exit-skipped-when-missed'),
  },
  'detached-program-is-called': {
    title: 'bpf: Skip detached progs in trampoline images that are still in use',
    commit: '17637e1a581a',
    fixed: '7.2.10',
    here: planted('detached-program-is-not-skipped'),
  },
  'program-is-freed-under-an-image': {
    title: 'bpf: Wait for an RCU tasks GP before freeing trampoline progs',
    commit: '0fb5751a6e41',
    fixed: '7.2.10',
    here: planted('no-rcu-tasks-before-program-free'),
  },
  'image-goes-although-its-site-stays': {
    title: 'a trampoline without programs frees its image although its call site could not change',
    fixed: '7.x',
    here: planted('image-is-put-although-its-site-stays'),
  },
  'multi-attach-frees-a-live-image': {
    title: 'a failed attach of a multi link frees the image that its call site still calls',
    fixed: '7.2',
    here: planted('rollback-puts-the-old-image'),
  },
  'multi-attach-free-on-update-failure': {
    title: 'bpf: Fix UAF in bpf_trampoline_multi_attach_free on update failure',
    commit: '0253073fb7d7',
    fixed: '2025 or 2026',
    here: known(
      'multi-link-that-failed-to-detach',
      'An entry stays after a failed detach; the fix is known by its title alone.',
    ),
  },
  'ipmodify-rule-of-locks': {
    title: 'bpf: Support bpf_trampoline on functions with IPMODIFY',
    fixed: '6.0',
    here: relative(
      'The commit fixed no bug: it introduced the rule that the planted bug breaks.',
      'peer-waits-for-the-trampoline',
    ),
  },
  'tracing-link-warns-on-release': {
    title: 'bpf: Fix WARNING in bpf_tracing_link_release',
    commit: '41906cd605e0',
    fixed: '2025 or 2026',
    here: known(
      'detaching-takes-memory',
      'A link lacks memory to leave, and its release warns; the fix is known by its title alone.',
    ),
  },
  'link-info-of-a-released-link': {
    title: 'use after free when the information of a tracing link is read',
    commit: 'bf6f7862e2b9',
    fixed: '2025 or 2026',
    here: notModelled('BPF_OBJ_GET_INFO_BY_FD of a link'),
  },
};
