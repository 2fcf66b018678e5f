import type { Fixes } from './fix.ts';
import { known, notModelled, planted, relative } from './fix.ts';

/** Bugs of the code of images. */
export const IMAGE_FIXES: Fixes = {
  'int128-stack-size': {
    title: 'bpf, x86: Fix trampoline stack size for 128-bit arguments',
    commit: '814cba835ef6',
    fixed: '7.2',
    here: planted('words-counted-per-argument', 'arguments-counted-not-words'),
  },
  'stack-arguments': {
    title: 'bpf, x86: allow function arguments up to 12 for TRACING',
    fixed: '6.6',
    here: planted(
      'stack-source-is-one-word-too-low',
      'stack-garbage-not-cleared',
      'frame-offset-truncated',
      'padding-forgotten',
    ),
  },
  'arguments-stored-by-width': {
    title: 'bpf, x86: save/restore regs with BPF_DW size',
    fixed: '6.6',
    here: planted('argument-stored-by-its-width'),
  },
  'size-pass-has-another-image': {
    title: 'bpf, arm64: Fix trampoline for BPF_TRAMP_F_CALL_ORIG',
    fixed: '6.10',
    here: relative(
      'The same fault in an image of x86-64: none is generated for arm64.',
      'size-pass-with-a-short-pointer',
    ),
  },
  'frame-of-a-struct-ops-member': {
    title: 'bpf, arm64: Remove garbage frame for struct_ops trampoline',
    fixed: '6.13',
    here: relative(
      'The frame of an indirect call is skipped, where arm64 pushed one: no image is generated for arm64.',
      'frame-of-a-member-skipped',
      'frame-not-skipped',
    ),
  },
  'wide-return-value': {
    title: 'bpf: Reject >8 byte return values on return-reading paths',
    commit: 'c48796aa6c39',
    fixed: '7.2',
    here: planted('wide-return-not-refused'),
  },
  'entry-before-endbr': {
    title: 'x86/ibt,bpf: Add ENDBR instructions to prologue and trampoline',
    fixed: '5.18',
    here: planted('original-entered-at-plus-5'),
  },
  'kprobe-multi-ip': {
    title: 'bpf: Adjust kprobe_multi entry_ip for CONFIG_X86_KERNEL_IBT',
    fixed: '6.1',
    here: planted('kprobe-multi-ip-of-the-call-site', 'ip-of-the-call-site'),
  },
  'displacement-without-the-accounting': {
    title: 'x86/bpf: Fix IP after emitting call depth accounting',
    fixed: '6.9',
    here: planted('accounting-not-added-to-ip'),
  },
  'tail-call-counter-restarts': {
    title: 'bpf, x64: Fix tailcall infinite loop',
    fixed: '6.7',
    here: planted('tail-call-counter-lost'),
  },
  'return-of-a-struct-ops-member': {
    title: 'bpf: Handle return value of BPF_PROG_TYPE_STRUCT_OPS prog',
    fixed: '5.16',
    here: planted('return-of-a-member-lost'),
  },
  'return-thunk': {
    title: 'x86/bpf: Fix emit_return for X86_FEATURE_RETHUNK',
    fixed: '6.0',
    here: relative(
      'The image returns by ret, where the fix is for the jump to the thunk; it is known by its title alone.',
      'plain-return-under-mitigation',
    ),
  },
  'ids-of-two-sets': {
    title: 'memcmp() compares too few bytes of the ids of two sets, in multi trampolines as posted in 2021',
    fixed: 'not merged',
    here: known('length-error-of-2021-attaches-elsewhere'),
  },
  'size-pass-allocates-a-page': {
    title: 'bpf, x86: Use global buffer for trampoline size generation',
    commit: '29fcf9ce4bbd',
    fixed: '2025 or 2026',
    here: notModelled('the buffer of the size pass'),
  },
};
