import type { WordedBreach } from '../../checker/sequences/run-sequence.ts';
import { FTRACE_FL_ENABLED } from '../../model/ftrace/record.ts';
import type { KernelView } from '../../model/kernel.ts';
import { describeBranch } from '../../model/text/branch.ts';
import { siteAddress } from '../../model/text/text.ts';
import type { KnownAttach } from './attach.ts';

const EVERY = ['6.1', '6.12', '7.2'] as const;

/** BPF programs whose call site leads elsewhere than to the image or extension that their trampoline has. */
function leftPatched(k: KernelView): string[] {
  const programs = Object.keys(k.text.sites).filter((ip) => k.ftrace.records[ip] === undefined);
  return programs.filter((ip) => {
    const { curImage = '', extensionProg = 0 } = k.bpf.trampolines[ip] ?? {};
    const leads = describeBranch(k, k.text.sites[ip]!, siteAddress(k, ip));
    if (extensionProg !== 0) return leads !== `jmp prog#${extensionProg}`;
    return curImage === '' ? leads !== 'nop5' : !leads.endsWith(` ${curImage}`);
  });
}

/** A poke failed, and what is told is told of a BPF program that was left patched by it. */
function isOfLeftPatched({ finding, moment: { injected, after } }: WordedBreach): boolean {
  const words = finding.expected.split(/\W+/);
  return injected && leftPatched(after).some((ip) => words.includes(ip));
}

/** What is told is told of a function whose module was loaded, and traced, while `kernel.ftrace_enabled` was 0. */
function isOfTracedModule({ finding, moment: { after } }: WordedBreach): boolean {
  const words = finding.expected.split(/\W+/);
  return Object.values(after.text.modules).some(({ functions }) =>
    functions.some((fn) => words.includes(fn) && !after.ftrace.enabled && isEnabled(after, fn)),
  );
}

function isEnabled({ ftrace }: KernelView, fn: string): boolean {
  return ((ftrace.records[fn]?.flags ?? 0) & FTRACE_FL_ENABLED) !== 0;
}

const LINK = 'link#1 = BPF_LINK_CREATE(prog#1)';
const P1 = 'p1 = program(u64 -> u64)';
const LOAD_EXTENSION = `${P1}; prog#1 = BPF_PROG_LOAD(freplace returns=0x7, p1)`;
const POKE_FAILS = 'the next poke in bpf_arch_text_poke fails';
const LEAVES = `${LINK}; ${POKE_FAILS}; close(link#1)`;
const CALL_P1 = 'task#1 calls p1(0x5100000071000000)';
const CALL_F1 = 'task#1 calls f1(0x5100000071000000)';
const EXTENSION_RUNS_ON = `${LOAD_EXTENSION}; ${LEAVES}; ${CALL_P1}`;
const IMAGE_IS_FREED = `${P1}; prog#1 = BPF_PROG_LOAD(fentry, p1); ${LEAVES}`;

/** What is told of a BPF program whose call site could not be changed back, where, and by which calls. */
const STAYS_PATCHED = [
  ['ftrace/nobody-leads-to-a-retired-image', ['6.1', '6.12'], IMAGE_IS_FREED],
  ['ftrace/calls-return', ['6.1', '6.12'], `${IMAGE_IS_FREED}; all grace periods end; ${CALL_P1}`],
  ['ftrace/caller-gets-the-return-value', EVERY, EXTENSION_RUNS_ON],
  ['ftrace/what-was-promised-is-what-runs', EVERY, EXTENSION_RUNS_ON],
  ['ftrace/every-probe-fires-once', EVERY, EXTENSION_RUNS_ON],
] as const;

const F1_IN_M1 = 'f1 [m1] = function(u64 -> u64)';
const LOADED_WHILE_OFF = `${F1_IN_M1}; delete_module(m1); ops#1 = ftrace_ops(); register_ftrace_function(ops#1); sysctl kernel.ftrace_enabled=0; init_module(m1)`;

/** A law's name without its room. */
function shortOf(law: string): string {
  return law.slice(law.indexOf('/') + 1);
}

/** Breaches where the target is a BPF program, or in a module. */
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
    example: `${LOAD_EXTENSION}; ${POKE_FAILS}; ${LINK}`,
  },
  ...STAYS_PATCHED.map(
    ([law, kernels, example]): KnownAttach => ({
      name: `bpf-program-that-stays-patched-seen-by-${shortOf(law)}`,
      sentence:
        'A link of a BPF program goes although the call site cannot be changed: that goes on leading to the extension, or to an image that is freed.',
      evidence:
        'kernel/bpf/syscall.c of all three  bpf_tracing_link_release: warns and goes on; kernel/bpf/trampoline.c of all three  __bpf_trampoline_unlink_prog: extension_prog is reset, of 6.1.192 and 6.12.117  bpf_trampoline_update: bpf_tramp_image_put(), whatever bpf_arch_text_poke() answers',
      law,
      kernels,
      shows: /./,
      when: isOfLeftPatched,
      example,
    }),
  ),
  {
    name: 'direct-call-of-an-unloaded-module-stays',
    sentence:
      'unregister_ftrace_direct(ip, addr) of a function whose module was unloaded answers ENODEV: its entry stays, and direct_ops with it.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  unregister_ftrace_direct: ftrace_location(ip) is asked first',
    law: 'ftrace/detaching-everything-returns-to-boot',
    kernels: ['6.1'],
    shows:
      / (direct_ops on ftrace_ops_list|.* \(gone \d+\) in direct_functions|the descriptor of my_tramp\d) is left$/,
    when: ({ moment: { after } }) =>
      Object.keys(after.ftrace.directFunctions).some((ip) => / \(gone \d+\)$/.test(ip)),
    example: `${F1_IN_M1}; register_ftrace_direct(f1, my_tramp1); delete_module(m1); all grace periods end`,
  },
  ...[
    'ftrace/record-flags-follow-from-the-ops',
    'ftrace/sites-follow-from-the-ops',
    'ftrace/nobody-is-called-while-tracing-is-off',
  ].map(
    (law): KnownAttach => ({
      name: `module-loaded-while-tracing-is-off-seen-by-${shortOf(law)}`,
      sentence:
        'A module that is loaded while kernel.ftrace_enabled is 0 is traced at once by the ops that ask for everything.',
      evidence:
        'kernel/trace/ftrace.c of all three  ftrace_module_enable: asks for ftrace_start_up, which counts registered ops, and not for ftrace_enabled; asked of 6.1.192, 6.12.117 and 7.2.13: with the function tracer on and the sysctl 0, a module that is loaded has its functions in enabled_functions, and vfs_read has not',
      law,
      kernels: EVERY,
      shows: /./,
      when: isOfTracedModule,
      example: law.endsWith('is-off') ? `${LOADED_WHILE_OFF}; ${CALL_F1}` : LOADED_WHILE_OFF,
    }),
  ),
  {
    name: 'module-of-a-call-site-that-could-not-change',
    sentence:
      'An image is put although its call site could not be changed, and its reference on the module is kept.',
    evidence:
      'kernel/bpf/trampoline.c of 6.1.192  unregister_fentry: bpf_trampoline_module_put() only when it succeeded',
    law: 'trampoline/references-are-counted',
    kernels: ['6.1'],
    shows: /^m\d+ has \d+ references \/ it has \d+$/,
    when: ({ moment: { outcome } }) => outcome.warnings.some(({ is }) => is === 'program not taken off'),
    example: `${F1_IN_M1}; prog#1 = BPF_PROG_LOAD(fentry, f1); ${LINK}; the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f1); close(link#1)`,
  },
];
