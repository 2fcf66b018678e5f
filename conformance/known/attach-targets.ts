import type { Kernel } from '../../model/kernel.ts';
import { describeBranch, siteAddress } from '../../model/text/text.ts';
import type { AttachBreach } from '../../properties/attach/run-sequence.ts';
import type { KnownAttach } from './attach.ts';

const EVERY = ['6.1', '6.12', '7.2'] as const;

/** BPF programs whose call site leads elsewhere than to the image or extension that their trampoline has. */
function leftPatched(k: Kernel): string[] {
  const programs = Object.keys(k.text.sites).filter((ip) => k.ftrace.records[ip] === undefined);
  return programs.filter((ip) => {
    const { curImage = '', extensionProg = 0 } = k.bpf.trampolines[ip] ?? {};
    const leads = describeBranch(k, k.text.sites[ip]!, siteAddress(k, ip));
    if (extensionProg !== 0) return leads !== `jmp prog#${extensionProg}`;
    return curImage === '' ? leads !== 'nop5' : !leads.endsWith(` ${curImage}`);
  });
}

/** A poke failed, and what is told is told of a BPF program that was left patched by it. */
function isOfLeftPatched({ finding, moment: { injected, after } }: AttachBreach): boolean {
  const words = finding.expected.split(/\W+/);
  return injected && leftPatched(after).some((ip) => words.includes(ip));
}

/** Breaches where the target is a BPF program. */
export const KNOWN_TARGETS: readonly KnownAttach[] = [
  {
    name: 'extension-that-was-refused-keeps-its-target',
    sentence:
      'An extension is remembered before the call site is poked, and not forgotten when the poke fails: nothing can be attached to the target any more.',
    evidence:
      'kernel/bpf/trampoline.c of all three  __bpf_trampoline_link_prog: extension_prog is set, the answer of bpf_arch_text_poke() returned',
    law: 'ftrace/refused-calls-leave-no-trace',
    kernels: EVERY,
    shows: /^EBUSY, and bpf\/trampolines\/\w+\/extensionProg is 0, as before \/ it is \d+$/,
    when: ({ moment: { injected } }) => injected,
  },
  ...[
    'ftrace/nobody-leads-to-a-retired-image',
    'ftrace/calls-return',
    'ftrace/caller-gets-the-return-value',
    'ftrace/what-was-promised-is-what-runs',
    'ftrace/every-probe-fires-once',
  ].map(
    (law): KnownAttach => ({
      name: `BPF program that stays patched, by ${law}`,
      sentence:
        'A link of a BPF program goes although the call site cannot be changed: that goes on leading to the extension, or to an image that is freed.',
      evidence:
        'kernel/bpf/syscall.c of all three  bpf_tracing_link_release: warns and goes on; kernel/bpf/trampoline.c of all three  __bpf_trampoline_unlink_prog: extension_prog is reset, of 6.1.192 and 6.12.117  bpf_trampoline_update: bpf_tramp_image_put(), whatever bpf_arch_text_poke() answers',
      law,
      kernels: EVERY,
      shows: /./,
      when: isOfLeftPatched,
    }),
  ),
];
