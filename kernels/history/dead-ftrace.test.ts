import { describe, expect, test } from 'vitest';
import { parseSequence } from '../../counterexamples/sequences/attach-trace.ts';
import { item } from '../../model/core/present.ts';
import type { Kernel } from '../../model/kernel.ts';
import { bootKernel } from '../../model/kernel.ts';
import { apply } from '../../model/step.ts';
import { copyKernel } from '../../properties/observed/copy-kernel.ts';
import { isSameDeadEntry, isTakenForFreed, mayCallFreed, pointsToFreed } from './dead-ftrace.ts';
import { ModelBranch, mayBeLost } from './model-branch.ts';

describe('an entry in a kernel whose ftrace is dead', () => {
  test('may be a page that was freed, and has lost its name', () => {
    expect(isSameDeadEntry('call an ops trampoline', 'call a BPF trampoline')).toBe(true);
    expect(isSameDeadEntry('call an ops trampoline', 'call unmapped memory')).toBe(true);
    expect(isSameDeadEntry('jmp an ops trampoline', 'jmp prog#1')).toBe(true);
  });

  test('is what it says otherwise', () => {
    expect(isSameDeadEntry('call a BPF trampoline', 'call a BPF trampoline')).toBe(true);
    expect(isSameDeadEntry('nop', 'call unmapped memory')).toBe(false);
    expect(isSameDeadEntry('call an ops trampoline', 'call ftrace_caller')).toBe(false);
  });
});

/** Its post_handler has kprobe#1 armed by another ops, by which the kretprobe is then not disarmed. */
const WITH_A_POST_HANDLER = `register_kretprobe(kretprobe#1, f1, maxactive=0)
register_kprobe(kprobe#1, f1, post_handler)
unregister_kprobe(kprobe#1)
`;
const FENTRY = 'prog#1 = BPF_PROG_LOAD(fentry, f1)\nlink#1 = BPF_LINK_CREATE(prog#1)\n';

function asked(kernel: string, lines: string) {
  const { case: c } = parseSequence(`kernel   ${kernel}\n\nf1 = function(u64 -> u64)\n${lines}`);
  return { k: bootKernel({ profile: c.profile, boot: 'default', functions: c.functions }), ...c };
}

function kernelAfter(kernel: string, lines: string): Kernel {
  const { k, actions } = asked(kernel, lines);
  for (const action of actions) apply(k, action);
  return k;
}

test.each([
  ['6.1', 'perf#1 = perf_event_open(kprobe, f1)\n', false],
  ['6.1', 'perf#1 = perf_event_open(kprobe, f1)\nclose(perf#1)\n', false],
  [
    '6.1',
    'perf#1 = perf_event_open(kprobe, f1)\nthe next poke in ftrace_replace_code fails\nclose(perf#1)\n',
    true,
  ],
  ['6.12', `${FENTRY}close(link#1)\n`, false],
  ['6.12', `${FENTRY}the next allocation in bpf_trampoline_update fails\nclose(link#1)\n`, true],
  ['6.12', WITH_A_POST_HANDLER, false],
  ['6.12', `${WITH_A_POST_HANDLER}unregister_kretprobe(kretprobe#1)\n`, true],
  [
    '6.12',
    `${FENTRY}the next allocation in bpf_trampoline_update fails\nclose(link#1)\nprog#2 = BPF_PROG_LOAD(fentry, f1)\n`,
    true,
  ],
])('%s: what the kernel points to was freed: %j', (kernel, lines, isFreed) => {
  expect(pointsToFreed(kernelAfter(kernel, lines))).toBe(isFreed);
});

describe('a perf event whose kprobe may be where one was freed', () => {
  const OPENED = 'perf#1 = perf_event_open(kprobe, f1)\n';
  const FREED = `${OPENED}the next poke in ftrace_replace_code fails\nclose(perf#1)\n`;
  const next = (line: string) => item(asked('6.1', `${line}\n`).actions, 0);
  const again = next('perf#2 = perf_event_open(kprobe, f1)');

  test('may be refused as one that is registered', () => {
    const k = kernelAfter('6.1', FREED);
    expect(isTakenForFreed(k, again, 'EINVAL')).toBe(true);
    expect(isTakenForFreed(k, again, 'ENOENT')).toBe(false);
    expect(isTakenForFreed(k, next('register_kprobe(kprobe#1, f1)'), 'EINVAL')).toBe(false);
  });

  test('is not, if none was freed', () => {
    expect(isTakenForFreed(kernelAfter('6.1', OPENED), again, 'EINVAL')).toBe(false);
  });
});

test('a function may call what was freed when ftrace is dead, or its image could not be taken off', () => {
  const linked = 'prog#1 = BPF_PROG_LOAD(fentry multi)\nlink#1 = BPF_LINK_CREATE(prog#1, { f1 })\n';
  const short = 'the next allocation in update_ftrace_direct_del fails\n';
  const dead = 'the next poke in ftrace_replace_code fails\nregister_kprobe(kprobe#1, f1)\n';
  const may = (lines: string) => mayCallFreed(kernelAfter('7.2', lines));
  expect([linked, `${linked}close(link#1)\n`].map(may)).toEqual([false, false]);
  expect([`${linked}${short}close(link#1)\n`, dead].map(may)).toEqual([true, true]);
});

test('a program may call what was freed when it jumps to an extension that nothing holds', () => {
  const LOADED =
    'p1 = program(u64 -> u64)\nprog#1 = BPF_PROG_LOAD(freplace, p1)\nlink#1 = BPF_LINK_CREATE(prog#1)\n';
  const STAYS = `${LOADED}the next poke in bpf_arch_text_poke fails\nclose(link#1)\n`;
  const may = (lines: string) => mayCallFreed(kernelAfter('6.1', lines));
  expect([LOADED, STAYS, `${STAYS}close(prog#1)\n`].map(may)).toEqual([false, false, true]);
});

describe('a kernel may be lost', () => {
  const LINKED = 'prog#1 = BPF_PROG_LOAD(fentry, f1)\nlink#1 = BPF_LINK_CREATE(prog#1)\n';
  const DEAD = 'the next poke in ftrace_replace_code fails\nregister_kprobe(kprobe#1, f1)\n';
  const look = item(asked('6.12', 'task#1 calls f1(0x1)\n').actions, 0);

  test('in a call of what is to be freed and could not be taken off', () => {
    const k = kernelAfter('6.12', `${LINKED}${DEAD}close(link#1)\n`);
    expect(apply(copyKernel(k), look).call?.fault).toBeUndefined();
    expect(mayBeLost(new ModelBranch(k), look)).toBe(true);
  });

  test('in no call of what stays', () => {
    expect(mayBeLost(new ModelBranch(kernelAfter('6.12', `${LINKED}${DEAD}`)), look)).toBe(false);
    expect(mayBeLost(new ModelBranch(kernelAfter('6.12', `${LINKED}close(link#1)\n`)), look)).toBe(false);
  });
});
