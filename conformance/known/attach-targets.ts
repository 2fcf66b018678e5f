import type { FunctionName, Ip } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import { FTRACE_FL_ENABLED } from '../../model/ftrace/record.ts';
import type { KernelView } from '../../model/kernel.ts';
import { describeBranch } from '../../model/text/branch.ts';
import { siteAddress } from '../../model/text/text.ts';
import { reachOf } from '../../model/trampoline/traced-function.ts';
import type { KnownAttach } from './attach.ts';
import { known } from './attach.ts';
import type { Led } from './cause.ts';
import { failsHere, hasFailed, stepsOf } from './cause.ts';

const EVERY = ['6.1', '6.12', '7.2'] as const;

/** BPF programs whose call site does not call the extension or the image, with programs, of their trampoline. */
function leftPatched(k: KernelView): string[] {
  const programs = Object.keys(k.text.sites).filter((ip) => k.ftrace.records[ip] === undefined);
  return programs.filter((ip) => {
    const { curImage = '', extensionProg = 0, nodes = [] } = k.bpf.trampolines[ip] ?? {};
    const leads = describeBranch(k, entry(k.text.sites, ip), siteAddress(k, ip));
    if (extensionProg !== 0) return leads !== `jmp prog#${extensionProg}`;
    return curImage === '' || nodes.length === 0 ? leads !== 'nop5' : !leads.endsWith(` ${curImage}`);
  });
}

/** A link of a BPF program was closed, a poke failed, and the program's site stayed patched. */
function wasLeftPatched(breach: Led, ip: Ip): boolean {
  return (
    hasFailed(breach, ['close(link)'], 'poke', ['bpf_arch_text_poke']) &&
    leftPatched(breach.moment.after).includes(ip)
  );
}

/** The function's module was loaded, and traced, while `kernel.ftrace_enabled` was 0, and it still is. */
function isOfTracedModule(breach: Led, fn: FunctionName): boolean {
  const { after } = breach.moment;
  return (
    !after.ftrace.enabled &&
    isEnabled(after, fn) &&
    stepsOf(breach).some(
      ({ action, before }) =>
        action.do === 'init_module' &&
        !before.ftrace.enabled &&
        after.text.modules[action.module]?.functions.includes(fn) === true,
    )
  );
}

function isEnabled({ ftrace }: KernelView, fn: FunctionName): boolean {
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

const OF_STAYS_PATCHED = {
  sentence:
    'A link of a BPF program is released although the call site cannot be changed: the site still calls the extension, or an image that is freed.',
  evidence:
    'kernel/bpf/syscall.c of all three  bpf_tracing_link_release: warns and continues; kernel/bpf/trampoline.c of all three  __bpf_trampoline_unlink_prog: extension_prog is reset, of 6.1.192 and 6.12.117  bpf_trampoline_update: bpf_tramp_image_put(), whatever bpf_arch_text_poke() answers',
} as const;

/** Breaches of a BPF program whose call site could not be changed back. */
const STAYS_PATCHED: readonly KnownAttach[] = [
  known({
    ...OF_STAYS_PATCHED,
    name: 'bpf-program-that-stays-patched-seen-by-no-pointer-to-a-retired-image',
    law: 'ftrace/no-pointer-to-a-retired-image',
    kernels: ['6.1', '6.12'],
    finding: 'leads-to-memory-that-left',
    when: ({ from }, breach) => from.is === 'call site' && wasLeftPatched(breach, from.of),
    example: IMAGE_IS_FREED,
  }),
  known({
    ...OF_STAYS_PATCHED,
    name: 'bpf-program-that-stays-patched-seen-by-traced-calls-return',
    law: 'ftrace/traced-calls-return',
    kernels: ['6.1', '6.12'],
    finding: 'call-does-not-return',
    when: ({ fn }, breach) => reaches(breach, fn),
    example: `${IMAGE_IS_FREED}; all grace periods end; ${CALL_P1}`,
  }),
  known({
    ...OF_STAYS_PATCHED,
    name: 'bpf-program-that-stays-patched-seen-by-caller-gets-the-return-value',
    law: 'ftrace/caller-gets-the-return-value',
    kernels: EVERY,
    finding: 'return-value-differs',
    when: ({ fn }, breach) => reaches(breach, fn),
    example: EXTENSION_RUNS_ON,
  }),
  known({
    ...OF_STAYS_PATCHED,
    name: 'bpf-program-that-stays-patched-seen-by-body-or-replacement-runs-once',
    law: 'ftrace/body-or-replacement-runs-once',
    kernels: EVERY,
    finding: 'runs-differ',
    when: ({ fn }, breach) => reaches(breach, fn),
    example: EXTENSION_RUNS_ON,
  }),
  known({
    ...OF_STAYS_PATCHED,
    name: 'bpf-program-that-stays-patched-seen-by-probes-fire-exactly-once',
    law: 'ftrace/probes-fire-exactly-once',
    kernels: EVERY,
    finding: 'hits-differ',
    when: ({ fn, kind }, breach) =>
      (kind === 'extension' || kind === 'program') && wasLeftPatched(breach, fn),
    example: EXTENSION_RUNS_ON,
  }),
];

/** A function is a BPF program whose site stayed patched, or calls one. */
function reaches(breach: Led, fn: FunctionName): boolean {
  const { functions } = breach.moment.after;
  return [...reachOf(functions, fn)].some((name) => wasLeftPatched(breach, name));
}

const F1_IN_M1 = 'f1 [m1] = function(u64 -> u64)';
const LOADED_WHILE_OFF = `${F1_IN_M1}; delete_module(m1); ops#1 = ftrace_ops(); register_ftrace_function(ops#1); sysctl kernel.ftrace_enabled=0; init_module(m1)`;

const OF_A_TRACED_MODULE = {
  sentence:
    'A module loaded while kernel.ftrace_enabled is 0 is traced at once by the ops that trace everything.',
  evidence:
    'kernel/trace/ftrace.c of all three  ftrace_module_enable: asks for ftrace_start_up, which counts registered ops, and not for ftrace_enabled; asked of 6.1.192, 6.12.117 and 7.2.13: with the function tracer on and the sysctl 0, a module that is loaded has its functions in enabled_functions, and vfs_read has not',
  kernels: EVERY,
  restsOn: ['disabledBySysctl'],
} as const;

const TRACED_MODULE: readonly KnownAttach[] = [
  known({
    ...OF_A_TRACED_MODULE,
    name: 'module-loaded-while-tracing-is-off-seen-by-record-flags-match-ops',
    law: 'ftrace/record-flags-match-ops',
    finding: 'record-flags-differ',
    when: ({ ip, observed }, breach) =>
      (observed.flags & FTRACE_FL_ENABLED) !== 0 && isOfTracedModule(breach, ip),
    example: LOADED_WHILE_OFF,
  }),
  known({
    ...OF_A_TRACED_MODULE,
    name: 'module-loaded-while-tracing-is-off-seen-by-call-sites-match-ops',
    law: 'ftrace/call-sites-match-ops',
    finding: 'site-differs',
    when: ({ ip, expected }, breach) => expected.is === 'nop5' && isOfTracedModule(breach, ip),
    example: LOADED_WHILE_OFF,
  }),
  known({
    ...OF_A_TRACED_MODULE,
    name: 'module-loaded-while-tracing-is-off-seen-by-no-callbacks-while-tracing-is-off',
    law: 'ftrace/no-callbacks-while-tracing-is-off',
    finding: 'seen-while-tracing-is-off',
    when: ({ fn }, breach) =>
      [...reachOf(breach.moment.after.functions, fn)].some((name) => isOfTracedModule(breach, name)),
    example: `${LOADED_WHILE_OFF}; ${CALL_F1}`,
  }),
];

/** Breaches where the target is a BPF program, or in a module. */
export const KNOWN_TARGETS: readonly KnownAttach[] = [
  known({
    name: 'extension-that-was-refused-keeps-its-target',
    sentence:
      'An extension is recorded before the call site is poked, and not removed when the poke fails: nothing can be attached to the target any more.',
    evidence:
      'kernel/bpf/trampoline.c of all three  __bpf_trampoline_link_prog: extension_prog is set, the answer of bpf_arch_text_poke() returned',
    law: 'ftrace/failed-calls-have-no-effect',
    kernels: EVERY,
    finding: 'refusal-leaves-a-trace',
    when: ({ errno, changes }, breach) =>
      errno === 'EBUSY' &&
      changes.every(
        ({ place: [room, table, target = '', field], expected }) =>
          room === 'bpf' &&
          table === 'trampolines' &&
          field === 'extensionProg' &&
          expected === 0 &&
          (failsHere(breach, ['bpf_arch_text_poke']) || leftPatched(breach.moment.before).includes(target)),
      ),
    example: `${LOAD_EXTENSION}; ${POKE_FAILS}; ${LINK}`,
  }),
  ...STAYS_PATCHED,
  known({
    name: 'direct-call-of-an-unloaded-module-stays',
    sentence:
      'unregister_ftrace_direct(ip, addr) for a function of an unloaded module returns ENODEV: its entry stays, and direct_ops with it.',
    evidence:
      'kernel/trace/ftrace.c of 6.1.192  unregister_ftrace_direct: ftrace_location(ip) is checked first',
    law: 'ftrace/detaching-everything-restores-boot-state',
    kernels: ['6.1'],
    finding: 'leftovers',
    when: ({ what: [{ is }] }, breach) =>
      (is === 'ops' || is === 'direct entry' || is === 'descriptor') &&
      breach.history.some(({ action }) => action.do === 'delete_module') &&
      Object.keys(breach.moment.after.ftrace.directFunctions).some((ip) => / \(gone \d+\)$/.test(ip)),
    restsOn: ['directApi'],
    example: `${F1_IN_M1}; register_ftrace_direct(f1, my_tramp1); delete_module(m1); all grace periods end`,
  }),
  ...TRACED_MODULE,
  known({
    name: 'module-of-a-call-site-that-could-not-change',
    sentence:
      'An image is put although its call site could not be changed, but its reference on the module is kept.',
    evidence:
      'kernel/bpf/trampoline.c of 6.1.192  unregister_fentry: bpf_trampoline_module_put() only when it succeeded',
    law: 'trampoline/reference-counts-are-exact',
    kernels: ['6.1'],
    finding: 'references-differ',
    when: ({ of, expected, observed }, { moment: { outcome } }) =>
      of.is === 'module' &&
      observed > expected &&
      outcome.warnings.some(({ is }) => is === 'program not taken off'),
    restsOn: ['moduleHeldBy'],
    example: `${F1_IN_M1}; prog#1 = BPF_PROG_LOAD(fentry, f1); ${LINK}; the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f1); close(link#1)`,
  }),
];
