import { describe, expect, test } from 'vitest';
import type { Outcome } from '../call/outcome.ts';
import type { Action } from '../client/all.ts';
import { tracepointLoad, xdpLoad } from '../client/bpf-prog-load.ts';
import { entry } from '../core/present.ts';
import { KERNELS } from '../core/profile.ts';
import type { Kernel } from '../kernel.ts';
import { bootKernel } from '../kernel.ts';
import { apply } from '../step.ts';
import { HALF_BYTES } from '../text/space.ts';
import type { BpfProgram } from '../trampoline/program.ts';
import { plainProgram } from '../trampoline/program.ts';
import { tracedFunction } from '../trampoline/traced-function.ts';
import { fromNumber, ZERO } from '../x86/word.ts';
import { DISPATCHER_FUNC, NOP_FUNC, programsCounted, xdpOf } from './dispatcher.ts';

const DEVICES = 4;
const FUNCTIONS = [
  ...Array.from({ length: DEVICES }, (_, i) => tracedFunction(`eth${i}`, i + 1, 'u64 -> u64')),
  tracedFunction(DISPATCHER_FUNC, 9, 'ptr, ptr, ptr -> u32'),
];

function boot(profile: string, programs = 0): Kernel {
  const k = bootKernel({ profile, boot: 'default', functions: FUNCTIONS });
  for (let id = 1; id <= programs; id++) does(k, xdpLoad(id));
  return k;
}

function does(k: Kernel, action: Action): Outcome['errno'] {
  const { errno, warnings, died } = apply(k, action);
  expect([warnings, died]).toEqual([[], undefined]);
  return errno;
}

function change(k: Kernel, device: number, prog: number): Outcome['errno'] {
  return does(k, { do: 'dev_change_xdp_fd', dev: `eth${device}`, prog });
}

/** The programs that a packet runs. */
function packet(k: Kernel, device: number): readonly string[] {
  const registers = [fromNumber(0x1001), ZERO, ZERO, ZERO, ZERO, ZERO];
  const { call, died } = apply(k, { do: 'call', fn: `eth${device}`, registers, stack: [] });
  expect([died, call!.fault, call!.stackBalanced]).toEqual([undefined, undefined, true]);
  return call!.events.filter(({ kind }) => kind === 'xdp program').map(({ who }) => who);
}

const closeProg = (prog: number): Action => ({ do: 'close(prog)', prog });
const failure = (what: 'allocation' | 'poke', where: string): Action => ({
  do: 'fail',
  fault: { what, where },
});

/** The kernels, and designs that have the fields of `struct bpf_prog` in their memory. */
const PROFILES = [...KERNELS, '6.12, multiLinks = global', '6.12, multiLinks = global padding'];

describe.each(PROFILES)('XDP programs of %s', (kernel) => {
  test('a packet runs the program of its device, before and after each change', () => {
    const k = boot(kernel, 3);
    expect(packet(k, 0)).toEqual([]);
    for (const prog of [1, 2, 3, 1]) {
      expect(change(k, 0, prog)).toBe(0);
      expect(change(k, 1, prog)).toBe(0);
      expect([packet(k, 0), packet(k, 1), packet(k, 2)]).toEqual([[`prog#${prog}`], [`prog#${prog}`], []]);
    }
    expect(change(k, 0, 0)).toBe(0);
    expect([packet(k, 0), packet(k, 1)]).toEqual([[], ['prog#1']]);
  });

  test('the halves take turns, and the lower one is next when no program is left', () => {
    const k = boot(kernel, 2);
    const halves = [1, 2, 1, 0, 2].map((prog) => {
      change(k, 0, prog);
      const { call, imageOff } = xdpOf(k).dispatcher;
      return [call, imageOff];
    });
    const [lower, upper] = [0, HALF_BYTES].map((half) => [`bpf_dispatcher_xdp+0x${half.toString(16)}`, half]);
    expect(halves).toEqual([lower, upper, lower, [NOP_FUNC, 0], lower]);
  });

  test('a program has a reference for each pointer of its device, and one for the dispatcher', () => {
    const k = boot(kernel, 1);
    const refs = () => entry(k.bpf.progs, 1).refs;
    change(k, 0, 1);
    expect(refs()).toBe(4);
    change(k, 1, 1);
    expect(refs()).toBe(6);
    change(k, 1, 1);
    expect([refs(), xdpOf(k).dispatcher.progs]).toEqual([6, [{ prog: 1, users: 2 }]]);
    does(k, closeProg(1));
    change(k, 0, 0);
    change(k, 1, 0);
    does(k, { do: 'settle' });
    expect([entry(k.bpf.progs, 1).freed, programsCounted(xdpOf(k).dispatcher)]).toEqual([true, 0]);
  });

  test('it has to be an XDP program that is open', () => {
    const k = boot(kernel);
    expect(change(k, 0, 1)).toBe('EBADF');
    does(k, tracepointLoad(1, 'raw_tp'));
    expect(change(k, 0, 1)).toBe('EINVAL');
    does(k, xdpLoad(2));
    does(k, closeProg(2));
    expect(change(k, 0, 2)).toBe('EBADF');
    expect(does(k, { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: ['eth0'] })).toBe('EINVAL');
  });

  test('without memory for the page, or for an image, packets reach their program by the indirect jump', () => {
    const k = boot(kernel, 2);
    does(k, failure('allocation', 'bpf_dispatcher_change_prog'));
    expect([change(k, 0, 1), packet(k, 0), xdpOf(k).dispatcher.call]).toEqual([0, ['prog#1'], NOP_FUNC]);
    does(k, failure('poke', 'bpf_dispatcher_update'));
    expect([change(k, 1, 2), packet(k, 1), xdpOf(k).dispatcher.call]).toEqual([0, ['prog#2'], NOP_FUNC]);
  });

  test('clients may trace the function of the dispatcher, and the static call stays as it is', () => {
    const k = boot(kernel, 1);
    change(k, 0, 1);
    does(k, { do: 'register_kprobe', kprobe: 'kprobe#1', ip: DISPATCHER_FUNC, post: false });
    change(k, 1, 1);
    change(k, 0, 0);
    expect(packet(k, 1)).toEqual(['prog#1']);
    does(k, { do: 'unregister_kprobe', kprobe: 'kprobe#1' });
    expect(k.ftrace.disabled).toBe(false);
  });
});

test('a sleepable program is none for devices', () => {
  const k = boot('7.2');
  const { program, ...load } = xdpLoad(1);
  expect(does(k, { ...load, program: { ...program, sleepable: true } })).toBe('EINVAL');
});

test('the dispatcher is on no list: no program that sleeps or modifies the return value fits', () => {
  const k = boot('7.2');
  const load = (id: number, more: Partial<BpfProgram>) =>
    does(k, {
      do: 'BPF_PROG_LOAD',
      program: { ...plainProgram(id), ...more },
      target: DISPATCHER_FUNC,
      probe: '',
      returns: ZERO,
    });
  expect([load(1, {}), load(2, { sleepable: true }), load(3, { kind: 'fmod_ret' })]).toEqual([
    0,
    'EINVAL',
    'EINVAL',
  ]);
});
