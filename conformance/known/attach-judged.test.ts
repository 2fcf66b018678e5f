import { describe, expect, onTestFinished, test } from 'vitest';
import { runSequence } from '../../checker/sequences/run-sequence.ts';
import { readDeclaration } from '../../counterexamples/sequences/attach-trace.ts';
import { parseAction } from '../../model/action-text.ts';
import { KERNELS } from '../../model/core/profile.ts';
import { freeTrampoline } from '../../model/ftrace/ops-page.ts';
import { linkKernel, registerDesign } from '../../model/step.ts';
import { oneByOne } from '../../model/trampoline/designs/one-by-one.ts';
import { ATTACH_LAWS } from '../../properties/attach-laws.ts';
import { exitHandlersSeeTheReturnValue } from '../../properties/ftrace/exit-handlers-see-the-return-value.ts';
import { failedCallsHaveNoEffect } from '../../properties/ftrace/failed-calls-have-no-effect.ts';
import { multiLinkBookkeepingIsConsistent } from '../../properties/ftrace/multi-link-bookkeeping-is-consistent.ts';
import { noPointerToARetiredImage } from '../../properties/ftrace/no-pointer-to-a-retired-image.ts';
import { F1 } from '../../properties/planted/sequences/actions.ts';
import { ATTACH_PLANTED } from '../../properties/planted/sequences/all.ts';
import { dropped, edit, followedBy } from '../../properties/planted/sequences/edits.ts';
import { HIT_LAWS } from '../../properties/tracepoint-laws.ts';
import { KNOWN_ATTACH } from './attach-all.ts';

/** Client calls in a kernel, with `; ` between the lines of a trace. The file is long on purpose: one table of them. */
function sequence(profile: string, text: string) {
  const lines = text.split('; ');
  const functions = lines.flatMap((line, i) => readDeclaration(line, i + 1) ?? []);
  const actions = lines.slice(functions.length).map((line) => parseAction(line, { profile, functions }));
  return { profile, functions, actions };
}

describe('planted bugs, judged as faults of a kernel', () => {
  test.each(ATTACH_PLANTED.map((planted) => [planted.name, planted] as const))(
    '%s is taken for none that is listed',
    (_, { law, edits, profile, functions = [F1], tracepoints = [], smallest: actions }) => {
      const program = linkKernel(edits);
      for (const kernel of KERNELS.some((version) => version === profile) ? KERNELS : [profile]) {
        const c = { profile: kernel, functions, tracepoints, actions };
        if (runSequence(c, { laws: [law] }).breach !== undefined) continue;
        const question = { program, known: KNOWN_ATTACH, asKernel: true } as const;
        const alone = runSequence(c, { ...question, laws: [law] });
        expect([kernel, alone.known?.name]).toEqual([kernel, undefined]);
        if (kernel === profile) expect(alone.newBreach).toBeDefined();
      }
      const among = {
        laws: HIT_LAWS.includes(law) ? HIT_LAWS : ATTACH_LAWS,
        program,
        known: KNOWN_ATTACH,
        asKernel: true,
      } as const;
      expect(runSequence({ profile, functions, tracepoints, actions }, among).known?.name).toBeUndefined();
    },
  );
});

const DIRECT_CALL = 'ftrace_set_filter_ip(direct#1, f1); register_ftrace_direct(direct#1, my_tramp1)';

/** Breaches from random sequences, each a listed one reached in another way than by its example. */
const MET_OTHERWISE = [
  [
    '7.2',
    'only-the-first-ipmodify-function-is-negotiated',
    'f1 = function(u64 -> u64); f2 = function(u64 -> u64); f3 = function(u64 -> u64); register_kprobe(kprobe#1, f1, post_handler); update_ftrace_direct_add(direct#1, { f2: my_tramp1, f3: my_tramp1 }); update_ftrace_direct_mod(direct#1, { f2: my_tramp1 }); register_kprobe(kprobe#2, f3, post_handler)',
  ],
  [
    '6.1',
    'wrong-address-warns',
    'f1 = function(u64 -> u64); f2 = function(u64 -> u64); register_ftrace_direct(f1, my_tramp1); register_ftrace_direct(f2, my_tramp2); unregister_ftrace_direct(f1, my_tramp2); unregister_ftrace_direct(f2, my_tramp2)',
  ],
  [
    '7.2',
    'peers-that-agreed-are-not-rolled-back',
    'f1 = function(u64 -> u64) lsm; ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fmod_ret lsm cgroup, f1); link#1 = BPF_LINK_CREATE(prog#1); close(link#1); link#1 = BPF_LINK_CREATE(prog#1); the next allocation in bpf_trampoline_update fails; register_ftrace_function(ops#1)',
  ],
  [
    '6.1',
    'failed-unregister-notifies-direct-owners',
    'f1 = function(u64 -> u64); ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); register_ftrace_function(ops#1); the next allocation in bpf_trampoline_update fails; unregister_ftrace_function(ops#1); unregister_ftrace_function(ops#1)',
  ],
  [
    '7.2',
    'filter-of-a-refused-kprobe-stays',
    'f1 = function(u64 -> u64); register_kprobe(kprobe#1, f1, post_handler, KPROBE_FLAG_DISABLED); the 2nd allocation in ftrace_set_hash fails; update_ftrace_direct_add(direct#1, { f1: my_tramp1 }); perf#1 = perf_event_open(kprobe, f1)',
  ],
  [
    '7.2',
    'refused-fprobe-joins-the-filter-of-all',
    'f1 [m1] = function(u64 -> u64); f2 = function(u64 -> u64); register_fprobe_ips(fprobe#1, { f1 }, exit_handler); register_ftrace_graph(gops#1); register_ftrace_graph(gops#2); the next allocation in rebuild_hashes fails; delete_module(m1); prog#1 = BPF_PROG_LOAD(kprobe.multi return); link#1 = BPF_LINK_CREATE(prog#1, { f2 })',
  ],
  [
    '7.2',
    'graph-user-of-no-function-sees-all-until-another-joins',
    'f1 = function(u64 -> u64); f2 = function(u64 -> u64); ftrace_set_filter_ip(gops#1.ops, f1); ftrace_set_notrace(gops#1.ops, f1); register_ftrace_graph(gops#1); register_fprobe_ips(fprobe#1, { f1 }, exit_handler); task#1 calls f2(0x5100000071000000)',
  ],
  [
    '6.12',
    'second-ipmodify-function-keeps-its-body-seen-by-caller-gets-the-return-value',
    'wide = function(u64 -> u64); cb = function(u64 x2 -> u64); f1 = function(u64 -> u64); ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, wide); prog#1 = BPF_PROG_LOAD(fexit, f1); link#1 = BPF_LINK_CREATE(prog#1); register_ftrace_function(ops#1); ftrace_set_filter_ip(ops#1, f1); task#1 calls cb(0x5100000071000000, 0x5201010172030507)',
  ],
  [
    '6.12',
    'graph-exit-without-entry',
    'f1 = function(u64 -> u64); f2 = function(u64 -> u64); ftrace_set_filter_ip(gops#1.ops, f1); register_ftrace_graph(gops#1); register_ftrace_graph(gops#2); register_ftrace_graph(gops#1); task#1 calls f2(0x5100000071000000)',
  ],
  ...[
    'register_kprobe(kprobe#1, f1, post_handler, KPROBE_FLAG_DISABLED); DIRECT; register_kprobe(kprobe#2, f2, post_handler); register_kretprobe(kretprobe#1, f1, maxactive=0)',
    'register_kprobe(kprobe#1, f1, post_handler, KPROBE_FLAG_DISABLED); DIRECT; register_kprobe(kprobe#2, f2, post_handler); enable_kprobe(kprobe#1)',
    'DIRECT; register_kprobe(kprobe#2, f2, post_handler); disable_kprobe(kprobe#2); register_kprobe(kprobe#1, f1, post_handler)',
  ].map(
    (text) =>
      [
        '6.12',
        'only-the-first-ipmodify-function-is-negotiated',
        `f1 = function(u64 -> u64); f2 = function(u64 -> u64); ${text.replace('DIRECT', DIRECT_CALL)}`,
      ] as const,
  ),
  [
    '7.2',
    'dead-kretprobe-loses-its-pool',
    'f1 = function(u64 -> u64); the next allocation in __ftrace_hash_move_and_update_ops fails; register_kretprobe(kretprobe#1, f1, maxactive=0); register_kprobe(kprobe#1, f1); the next allocation in register_kprobe fails; register_kretprobe(kretprobe#1, f1, maxactive=0)',
  ],
  [
    '6.12, multiLinks = batch',
    'length-error-of-2021-loses-events',
    'g1 = function(u64 -> u64); h2 = function(u64 -> u64); rec = function(u64 -> u64); ftrace_set_filter_ip(direct#1, rec); register_ftrace_direct(direct#1, my_tramp1); prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { g1, h2 }); register_kprobe(kprobe#1, h2); link#2 = BPF_LINK_CREATE(prog#2, { g1, rec }); task#1 calls rec(0x1)',
  ],
  [
    '6.12, multiLinks = program sets',
    'cut-puts-an-image-although-its-site-calls-it',
    'f1 = function(u64 -> u64); f2 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f1); link#2 = BPF_LINK_CREATE(prog#2)',
  ],
  [
    '6.12, multiLinks = splitting',
    'split-puts-an-image-although-its-site-calls-it',
    'f1 = function(u64 -> u64); f2 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f1); link#2 = BPF_RAW_TRACEPOINT_OPEN(prog#2)',
  ],
  ...(['splitting', 'program sets'] as const).map(
    (design) =>
      [
        `6.12, multiLinks = ${design}`,
        design === 'splitting' ? 'part-of-a-split-has-no-image' : 'part-of-a-cut-has-no-image',
        'cb = function(u64 x2 -> u64); g2 = function(u64 x2 -> u64); h2 = function(ptr, u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { cb, g2, h2 }); prog#2 = BPF_PROG_LOAD(fentry, cb); the 2nd allocation in register_ftrace_direct fails; link#2 = BPF_LINK_CREATE(prog#2)',
      ] as const,
  ),
  [
    '6.12, multiLinks = splitting',
    'copied-modifiers-decide-in-the-opposite-order',
    'f1 = function(u64 x2 -> u64); f2 = function(ptr, u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry, f1); prog#2 = BPF_PROG_LOAD(fmod_ret multi returns=0x5eed); link#1 = BPF_LINK_CREATE(prog#2, { f2, f1 }); prog#3 = BPF_PROG_LOAD(fmod_ret multi); link#2 = BPF_LINK_CREATE(prog#3, { f2, f1 }); link#3 = BPF_LINK_CREATE(prog#1); register_kprobe(kprobe#1, f1); task#1 calls f2(0x5100000071000000, 0x5201010172030507)',
  ],
  [
    '6.12, multiLinks = batch',
    'refused-program-stays-busy',
    'f1 = function(u64 -> u64); f2 = function(u64 x7 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry, f1); prog#3 = BPF_PROG_LOAD(fexit multi); link#1 = BPF_LINK_CREATE(prog#3, { f1, f2 }); the next allocation in bpf_trampoline_update (shared) fails; link#2 = BPF_LINK_CREATE(prog#1, { f1, f2 })',
  ],
  ...['global', 'global padding', 'global int in rax'].map(
    (design) =>
      [
        `6.12, multiLinks = ${design}`,
        'global-reset-of-a-dead-ftrace-leaves-direct-calls',
        'f1 = function(u64 -> u64); f2 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f1); the next allocation in bpf_gtrampoline_update fails; close(link#1); link#1 = BPF_LINK_CREATE(prog#1, { f2 })',
      ] as const,
  ),
] as const;

test.each(MET_OTHERWISE)('on %s %s is known by its cause, however it is reached', (profile, name, text) => {
  const own = KNOWN_ATTACH.find((entry) => entry.name === name)!.law;
  const judged = (laws: typeof ATTACH_LAWS) =>
    runSequence(sequence(profile, text), { laws, known: KNOWN_ATTACH });
  expect(judged(ATTACH_LAWS.filter((law) => law.name === own)).known?.name).toBe(name);
  expect(judged(ATTACH_LAWS).newBreach).toBeUndefined();
});

/** The last call is refused for lack of memory, is judged, and has no effect. */
function expectNoTrace(kernel: string, text: string): void {
  const { outcomes, breach, witnesses } = runSequence(sequence(kernel, text), {
    laws: [failedCallsHaveNoEffect],
  });
  expect(outcomes.at(-1)?.errno).toBe('ENOMEM');
  expect(witnesses.size).toBe(1);
  expect(breach).toBeUndefined();
}

test.each(KERNELS)('on %s an image is made again where the shim of a refused link is taken off', (kernel) => {
  const text =
    'f1 = function(u64 -> u64) lsm; prog#1 = BPF_PROG_LOAD(fentry, f1); link#1 = BPF_LINK_CREATE(prog#1); prog#2 = BPF_PROG_LOAD(fmod_ret lsm cgroup, f1); the 2nd allocation in __cgroup_bpf_attach fails; link#2 = BPF_LINK_CREATE(prog#2)';
  expectNoTrace(kernel, text);
});

test.each(KERNELS)('on %s the flags of a trampoline whose only shim leaves again mean nothing', (kernel) => {
  const text =
    'f1 = function(u64 -> u64) lsm; prog#1 = BPF_PROG_LOAD(fmod_ret lsm cgroup, f1); the 2nd allocation in __cgroup_bpf_attach fails; link#1 = BPF_LINK_CREATE(prog#1)';
  expectNoTrace(kernel, text);
});

test.each(KERNELS)('on %s a kprobe event that is refused leaves no detour that was made for it', (kernel) => {
  const text =
    'f1 = function(u64 -> u64); sysctl debug.kprobes-optimization=1; the next allocation in perf_trace_event_reg fails; perf#1 = perf_event_open(kprobe, f1+0xa)';
  expectNoTrace(kernel, text);
});

test.each(['6.12', '7.2'])('on %s one among the instructions that a jump replaces leaves none', (kernel) => {
  const text =
    'f1 = function(u64 -> u64); register_kprobe(kprobe#1, f1+0x9); sysctl debug.kprobes-optimization=1; the next allocation in perf_trace_event_reg fails; perf#1 = perf_event_open(kprobe, f1+0xa)';
  expectNoTrace(kernel, text);
});

test.each(['6.12', '7.2'])(
  'on %s an attempt may give a kprobe the jump that a disabled one had kept from it',
  (kernel) => {
    const text =
      'f1 = function(u64 -> u64); register_kprobe(kprobe#1, f1+0xa); register_kprobe(kprobe#2, f1+0xe); sysctl debug.kprobes-optimization=1; disable_kprobe(kprobe#2); the next allocation in perf_trace_event_reg fails; perf#1 = perf_event_open(kprobe, f1+0xa)';
    expectNoTrace(kernel, text);
  },
);

test('fprobes give their index back when their last function is unloaded', () => {
  const users = Array.from({ length: 17 }, (_, i) => `register_ftrace_graph(gops#${i + 1})`).join('; ');
  const text = `f1 [m1] = function(u64 -> u64); register_fprobe_ips(fprobe#1, { f1 }, exit_handler); delete_module(m1); ${users}`;
  const { outcomes, newBreach } = runSequence(sequence('7.2', text), {
    laws: ATTACH_LAWS,
    known: KNOWN_ATTACH,
  });
  expect(outcomes.slice(-2).map(({ errno }) => errno)).toEqual([0, 'ENOSPC']);
  expect(newBreach).toBeUndefined();
});

test.each(KERNELS)(
  "on %s a kretprobe that a dead ftrace has kept is the client's to register again",
  (kernel) => {
    const text =
      'f1 = function(u64 -> u64); register_kretprobe(kretprobe#1, f1, maxactive=0); the next poke in ftrace_replace_code fails; unregister_kretprobe(kretprobe#1); register_kretprobe(kretprobe#1, f1, maxactive=2)';
    const { outcomes, breach } = runSequence(sequence(kernel, text), { laws: [failedCallsHaveNoEffect] });
    expect(outcomes.at(-1)?.errno).toBe('EINVAL');
    expect(breach).toBeUndefined();
  },
);

test('an fprobe that its client has cleared before a refused registration is no trace of the refusal', () => {
  const text =
    'f1 = function(u64 -> u64); register_fprobe_ips(fprobe#1, { f1 }, exit_handler); unregister_fprobe(fprobe#1); the next allocation in __ftrace_hash_move_and_update_ops fails; register_fprobe_ips(fprobe#1, { f1 }, entry_handler)';
  expectNoTrace('6.12', text);
});

test('a program on one function is none of a link to many, which an entry of the batch is on', () => {
  const text =
    'f1 = function(u64 -> u64); f2 = function(u64 -> u64); ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); prog#1 = BPF_PROG_LOAD(fexit, f2); link#1 = BPF_LINK_CREATE(prog#1); register_ftrace_function(ops#1); ftrace_set_filter_ip(ops#1, f2); task#1 calls f2(0x5100000071000000)';
  const { newBreach } = runSequence(sequence('6.12, multiLinks = batch', text), {
    laws: [exitHandlersSeeTheReturnValue],
    known: KNOWN_ATTACH,
  });
  expect(newBreach?.law).toBe(exitHandlersSeeTheReturnValue);
});

const REFUSED_FIRST_USER =
  'f1 = function(u64 -> u64); ftrace_set_filter_ip(gops#1.ops, f1); the next allocation in ftrace_startup_subops fails; register_ftrace_graph(gops#1)';
const LINKED =
  'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 })';
const POKE_FAILS = `${LINKED}; the next poke in ftrace_replace_code fails; close(link#1)`;
const KPROBE_IS_REFUSED = POKE_FAILS.replace(
  'the next poke',
  'register_kprobe(kprobe#1, f1, post_handler); the next poke',
);
const GLOBAL_ORDER =
  'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); link#2 = BPF_LINK_CREATE(prog#2, { f1 }); task#1 calls f1(0x5100000071000000)';

describe('in a changed kernel', () => {
  const found = (profile: string, text: string) =>
    runSequence(sequence(profile, text), { laws: ATTACH_LAWS, known: KNOWN_ATTACH }).newBreach?.law.name;
  const known = (profile: string, text: string) =>
    runSequence(sequence(profile, text), { laws: ATTACH_LAWS, known: KNOWN_ATTACH }).known?.name;

  test('a breach of the unchanged kernel at the same step is known', () => {
    const name = 'refused-graph-user-leaves-its-probe';
    expect(known('6.12, imageLifecycle = A', REFUSED_FIRST_USER)).toBe(name);
    expect(known('6.12, multiLinks = global', REFUSED_FIRST_USER)).toBe(name);
  });

  test('a breach of single links in place of a link to many functions is known', () => {
    expect(known('6.12, multiLinks = splitting', POKE_FAILS)).toBe('image-is-put-although-its-site-calls-it');
  });

  test('a bug that a design inherits is known if the kernel shows it at another step', () => {
    const name = 'image-is-put-although-its-site-calls-it';
    for (const kernel of ['6.12', '6.12, multiLinks = one by one'])
      expect(known(kernel, KPROBE_IS_REFUSED)).toBeUndefined();
    for (const design of ['batch', 'generic', 'multi ids'])
      expect(known(`6.12, multiLinks = ${design}`, KPROBE_IS_REFUSED)).toBe(name);
    expect(known('6.12, multiLinks = batch, kprobeErrorLost = true', KPROBE_IS_REFUSED)).toBe(name);
  });

  test('what a refused kprobe leaves is known where the design refuses it', () => {
    const refused = `${LINKED}; the 2nd allocation in ftrace_set_hash fails; register_kprobe(kprobe#1, f1, post_handler)`;
    expect(known('6.12, multiLinks = one by one', refused)).toBeUndefined();
    expect(known('6.12, multiLinks = generic', refused)).toBe('filter-of-a-refused-kprobe-stays');
  });

  test('an ops that a refused link makes and frees is known by what it traces', () => {
    const text =
      'f1 = function(u64 x2 -> u64); f2 = function(u64 -> u64); f3 = function(u64 -> u64); f4 = function(u64 x2 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); register_kprobe(kprobe#1, f1, post_handler); the 5th allocation in bpf_trampoline_update (multi) fails; link#1 = BPF_LINK_CREATE(prog#1, { f2, f3, f1, f4 })';
    expect(known('6.12, multiLinks = splitting', text)).toBe(
      'ops-freed-by-splitting-seen-by-record-counts-match-ops',
    );
  });

  test('a call after a split that lacked memory takes no link off', () => {
    const unloaded =
      'f1 = function(ptr, u64 -> u64); f2 = function(u64 x2 -> u64); f3 [m1] = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2 }); prog#2 = BPF_PROG_LOAD(fentry, f1); the 3rd allocation in bpf_trampoline_update fails; link#2 = BPF_LINK_CREATE(prog#2); delete_module(m1)';
    expect(found('6.12, multiLinks = splitting', unloaded)).toBeUndefined();
  });

  test('a refused link generates an image again as a live patch needs it', () => {
    const refused =
      'f1 = function(u64 -> u64); f2 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); prog#2 = BPF_PROG_LOAD(fexit, f1); register_kprobe(kprobe#1, f2, post_handler); link#1 = BPF_LINK_CREATE(prog#2); register_kprobe(kprobe#2, f1, post_handler); the next allocation in __ftrace_hash_move_and_update_ops fails; link#2 = BPF_LINK_CREATE(prog#1, { f1, f2 })';
    expect(found('6.12, multiLinks = one by one', refused)).toBeUndefined();
  });

  test('a breach listed for a design is known for that design alone', () => {
    expect(known('6.12, multiLinks = global', GLOBAL_ORDER)).toBe('global-oldest-program-first');
    expect(known('6.12, multiLinks = function graph', GLOBAL_ORDER)).toBe('graph-runs-links-by-index');
    expect(known('6.12, multiLinks = splitting', GLOBAL_ORDER)).toBeUndefined();
  });

  test('a breach of the kernel beside the links of a design is known for it as well', () => {
    const filtered =
      'f1 = function(u64 -> u64); f2 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); register_ftrace_graph(gops#1); ftrace_set_notrace(gops#1.ops, f1); link#1 = BPF_LINK_CREATE(prog#1, { f2 }); task#1 calls f1(0x5100000071000000)';
    expect(known('6.12, multiLinks = function graph', filtered)).toBe(
      'notrace-of-a-graph-user-waits-for-the-next-one',
    );
    const freed =
      'f1 = function(u64 -> u64); ftrace_set_filter_ip(direct#1, f1); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); register_ftrace_direct(direct#1, my_tramp1); ftrace_free_filter(direct#1); register_ftrace_direct(direct#1, my_tramp1)';
    for (const global of ['global', 'global int in rax', 'global padding'])
      expect(known(`6.12, multiLinks = ${global}`, freed)).toBe('ops-keeps-pointers-to-freed-filters');
    const shims =
      'f1 = function(u64 -> u64) lsm; prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); prog#2 = BPF_PROG_LOAD(fmod_ret lsm cgroup returns=0x1, f1); link#2 = BPF_LINK_CREATE(prog#2); close(link#1); link#3 = BPF_LINK_CREATE(prog#2); close(link#3); link#1 = BPF_LINK_CREATE(prog#2); task#1 calls f1(0x5100000071000000)';
    const dead =
      'f1 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1 }); prog#2 = BPF_PROG_LOAD(fentry, f1); link#2 = BPF_LINK_CREATE(prog#2); close(link#1); register_fprobe_ips(fprobe#1, { f1 }, entry_handler); the next poke in ftrace_replace_code fails; unregister_fprobe(fprobe#1)';
    expect(known('6.12, multiLinks = global', dead)).toBe('image-is-put-although-its-site-calls-it');
    expect(known('6.12, multiLinks = global', shims)).toBe('shim-on-its-way-out-runs-the-programs-again');
  });

  describe('a design that attaches like another', () => {
    const KERNEL = '6.12, multiLinks = mine';
    const REFUSED =
      'f1 = function(u64 -> u64); f13 = function(u64 x13 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); sysctl kernel.ftrace_enabled=0; link#1 = BPF_LINK_CREATE(prog#1, { f1, f13 })';
    const registered = (like: string | undefined) =>
      onTestFinished(registerDesign({ ...oneByOne, name: 'mine', ...(like === undefined ? {} : { like }) }));

    test('has the known breaches of that design', () => {
      registered('one by one');
      expect(known(KERNEL, REFUSED)).toBe('rollback-keeps-regs');
      expect(known('6.12, multiLinks = one by one', REFUSED)).toBe('rollback-keeps-regs');
    });

    test('has none where that design cannot be built', () => {
      registered('tracing multi');
      expect(known(KERNEL, REFUSED)).toBeUndefined();
    });

    test('has them only because it says so', () => {
      registered(undefined);
      expect(known(KERNEL, REFUSED)).toBeUndefined();
    });

    test('has one only where that design breaks the law at the same step', () => {
      registered('tracing multi');
      const known = KNOWN_ATTACH.map((entry) =>
        entry.name === 'rollback-keeps-regs' ? { ...entry, variants: ['tracing multi'] } : entry,
      );
      const run = runSequence(sequence('7.2, multiLinks = mine', REFUSED), { laws: ATTACH_LAWS, known });
      expect(run.known).toBeUndefined();
      expect(run.newBreach?.law.name).toBe('ftrace/failed-calls-have-no-effect');
    });

    test('that does not exist, or keeps other state, is refused', () => {
      expect(() => registered('nope')).toThrow('there are no multi links of the design nope');
      expect(() => registered('splitting')).toThrow('mine cannot attach like splitting, which keeps data');
    });
  });

  test('an entry does not apply where the behaviour that it rests on is replaced', () => {
    const dead =
      'f1 = function(u64 -> u64); the next allocation in __ftrace_hash_move_and_update_ops fails; register_kprobe(kprobe#1, f1); task#1 calls f1(0x5100000071000000)';
    expect(known('7.2', dead)).toBe('kprobe-is-registered-and-dead');
    expect(known('7.2, kprobeErrorLost = false', dead)).toBeUndefined();
    expect(known('6.12, kprobeErrorLost = true', dead)).toBeUndefined();
  });
});

test('an image retired by an attach is not one that its last user has put', () => {
  const c = sequence(
    '6.12',
    'f1 = function(u64 -> u64); ops#1 = ftrace_ops(); register_ftrace_function(ops#1); the next poke in ftrace_replace_code fails; register_kprobe(kprobe#1, f1)',
  );
  const frees = followedBy((k) => freeTrampoline(k, 'ops#1'));
  const program = linkKernel([edit('register_kprobe', 'attempt', frees)]);
  const laws = [noPointerToARetiredImage];
  expect(runSequence(c, { laws, known: KNOWN_ATTACH }).breach).toBeUndefined();
  const { newBreach } = runSequence(c, { laws, known: KNOWN_ATTACH, program, asKernel: true });
  expect(newBreach?.finding).toMatchObject({ is: 'leads-to-memory-that-left', state: 'freed' });
});

test('a part of a split that lost its image otherwise than for lack of memory is not known', () => {
  const c = sequence(
    '6.12, multiLinks = splitting',
    'f1 = function(u64 -> u64); f2 = function(u64 -> u64); f3 = function(u64 -> u64); prog#1 = BPF_PROG_LOAD(fentry multi); link#1 = BPF_LINK_CREATE(prog#1, { f1, f2, f3 }); prog#2 = BPF_PROG_LOAD(fentry, f1); link#2 = BPF_LINK_CREATE(prog#2)',
  );
  const program = linkKernel([edit('bpf_trampoline_register', 'bpf_trampoline_update (multi)', dropped)]);
  const laws = [multiLinkBookkeepingIsConsistent];
  expect(runSequence(c, { laws, known: KNOWN_ATTACH }).breach).toBeUndefined();
  const { newBreach } = runSequence(c, { laws, known: KNOWN_ATTACH, program, asKernel: true });
  expect(newBreach?.finding).toMatchObject({ is: 'multi-image-is-for-others', expected: [1], observed: [] });
});
