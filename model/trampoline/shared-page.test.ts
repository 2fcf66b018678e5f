import { describe, expect, test } from 'vitest';
import { codePlace } from '../call/code-place.ts';
import { profileNamed } from '../core/profile.ts';
import type { Kernel } from '../kernel.ts';
import { apply, KERNEL_PROGRAM } from '../step.ts';
import { Rig } from '../testing/attach-rig.ts';
import type { CFunction } from '../text/cpu.ts';
import { addressOf, HALF_BYTES } from '../text/space.ts';
import { plus } from '../x86/word.ts';
import { imagePage } from './image-memory.ts';
import { moduleFunction, tracedFunction } from './traced-function.ts';

/*
 * Generation A (Linux 5.6 to 5.11), in which the images of a trampoline take turns in one page. There is no recording
 * of such a kernel: what it did is read in the patches that made and removed it.
 */
const F2 = tracedFunction('f2', 1, 'u64 x2 -> u64');
const PAGE = imagePage('f2');

/** A kernel with a fentry and a fexit program that are loaded. */
function loaded(profile: string): Rig {
  const rig = new Rig(profile, [F2]);
  rig.load(1, 'fentry', 'f2');
  rig.load(2, 'fexit', 'f2');
  return rig;
}

/** Where each image lies in the page. */
function halves({ k }: Rig): Record<string, number> {
  return Object.fromEntries(Object.entries(k.text.halves).map(([image, { offset }]) => [image, offset]));
}

/** The bytes of the half at an offset. */
function bytesAt({ k }: Rig, offset: number): string {
  return k.text.pages[PAGE]!.bytes.slice(offset * 2, (offset + HALF_BYTES) * 2);
}

test('no kernel that is modelled keeps its images so, and a sequence may ask for it', () => {
  expect(['6.1', '6.12', '7.2'].map((kernel) => profileNamed(kernel).imageLifecycle)).not.toContain('A');
  expect(profileNamed('6.12, imageLifecycle = A').imageLifecycle).toBe('A');
  expect(() => profileNamed('6.12, imageLifecycle = D')).toThrow('there are A, B, C');
});

describe.each(['6.1', '6.12', '7.2'])('images that share a page, %s', (kernel) => {
  const profile = `${kernel}, imageLifecycle = A`;

  test('run the same programs as images that have a page each', () => {
    const seen = (name: string) => {
      const rig = loaded(name);
      const calls = [rig.call('f2')];
      for (const change of [() => rig.link(1), () => rig.link(2), () => rig.close(1), () => rig.close(2)]) {
        change();
        calls.push(rig.call('f2'));
      }
      rig.link(2);
      return [...calls, rig.call('f2')].map(({ run: { instructions: _, ...rest } }) => rest);
    };
    expect(seen(profile)).toEqual(seen(`${kernel}, imageLifecycle = B`));
  });

  test('take turns in its halves, and the first after a pause lies in the lower one', () => {
    const rig = loaded(profile);
    rig.link(1);
    expect(halves(rig)).toEqual({ 'tramp#1': 0 });
    const first = bytesAt(rig, 0);
    rig.link(2);
    expect(halves(rig)).toEqual({ 'tramp#1': 0, 'tramp#2': HALF_BYTES });
    expect(bytesAt(rig, 0).startsWith(first)).toBe(true);
    const second = bytesAt(rig, HALF_BYTES);
    rig.close(1);
    expect(halves(rig)).toEqual({ 'tramp#2': HALF_BYTES, 'tramp#3': 0 });
    expect(bytesAt(rig, 0).startsWith(first)).toBe(false);
    expect(bytesAt(rig, HALF_BYTES)).toBe(second);
    rig.answer({ do: 'BPF_RAW_TRACEPOINT_OPEN', link: 'link#1', prog: 1 });
    rig.close(1);
    rig.close(2);
    rig.load(3, 'fentry', 'f2');
    rig.link(3);
    expect(Object.values(halves(rig))).toEqual([0]);
  });

  test('are generated when those have gone who may be in the half', () => {
    const rig = loaded(profile);
    const seen: string[] = [];
    const step = ({ flavour, id }: { flavour?: string | undefined; id?: string }) => {
      if (flavour !== undefined) seen.push(flavour);
      if (id === 'generate the image' || id === 'free the page of its images') seen.push(id);
    };
    apply(rig.k, { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: [] }, KERNEL_PROGRAM, { step });
    expect(seen.slice(0, 3)).toEqual(['rcu_tasks_trace', 'rcu_tasks', 'generate the image']);
    seen.length = 0;
    apply(rig.k, { do: 'close(prog)', prog: 2 }, KERNEL_PROGRAM, { step });
    apply(rig.k, { do: 'close(prog)', prog: 1 }, KERNEL_PROGRAM, { step });
    expect(seen).toEqual([]);
    apply(rig.k, { do: 'settle' }, KERNEL_PROGRAM, { step });
    apply(rig.k, { do: 'close(link)', link: 'link#1' }, KERNEL_PROGRAM, { step });
    expect(seen.slice(-2)).toEqual(['rcu_tasks', 'free the page of its images']);
    expect(rig.k.text.halves).toEqual({});
    expect(rig.k.bpf.images).toEqual({});
    expect(rig.k.text.pages[PAGE]).toBeUndefined();
  });

  test('have names of their own; where none lies the page has its', () => {
    const rig = loaded(profile);
    const positionOf = (offset: number) => codePlace(rig.k, plus(addressOf(rig.k, PAGE), offset));
    expect(positionOf(0)).toBe('tr(f2).image');
    rig.link(1);
    expect([positionOf(0), positionOf(8), positionOf(HALF_BYTES + 8)]).toEqual([
      'tramp#1',
      'tramp#1+0x8',
      'tr(f2).image+0x808',
    ]);
    rig.link(2);
    expect(positionOf(HALF_BYTES + 8)).toBe('tramp#2+0x8');
    rig.close(1);
    expect(positionOf(8)).toBe('tramp#3+0x8');
    expect(() => addressOf(rig.k, 'tramp#1')).toThrow('tramp#1 has been freed');
  });

  test('are at most half a page long', () => {
    const many = (name: string) => {
      const rig = new Rig(name, [F2]);
      const answers = Array.from({ length: 36 }, (_, i) => {
        rig.load(i + 1, 'fentry', 'f2');
        return rig.link(i + 1);
      });
      return { one: rig, answers };
    };
    expect(new Set(many(kernel).answers)).toEqual(new Set([0]));
    const { one: rig, answers } = many(profile);
    const fit = answers.indexOf('EFAULT');
    expect(new Set(answers.slice(0, fit))).toEqual(new Set([0]));
    expect(new Set(answers.slice(fit))).toEqual(new Set(['EFAULT']));
    expect(rig.k.warnings).toContainEqual({ is: 'image outgrows its page', target: 'f2' });
    const images = Object.values(rig.k.text.pages).map(({ bytes }) => bytes.length / 2);
    expect(Math.max(...images)).toBeLessThanOrEqual(2 * HALF_BYTES - profileNamed(kernel).safetyBytes);
    expect(rig.call('f2').who).toHaveLength(fit + 1);
  });

  test('are freed with a mutex held that other operations wait for', () => {
    const rig = new Rig(profile, [F2, moduleFunction('f5', 5, 'u64 -> u64', 'm1')]);
    rig.load(1, 'fentry', 'f2');
    rig.answer({ do: 'close(prog)', prog: 1 });
    rig.answer({ do: 'delete_module', module: 'm1' });
    expect(rig.k.locks).toEqual({ trampoline_mutex: 'bpf_trampoline_put' });
    expect(rig.load(3, 'fentry', 'f2')).toBe(0);
    expect(rig.k.locks).toEqual({});
    expect(rig.link(3)).toBe(0);
    expect(rig.call('f2').who).toEqual(['prog#3', 'f2']);
  });
});

/** A call of f2 through a fexit program, in whose body it is detached and another one attached. */
function exchangedInTheBody(profile: string) {
  const rig = loaded(profile);
  rig.load(3, 'fexit', 'f2');
  rig.link(2);
  const { body_hook: note, ...others } = KERNEL_PROGRAM.cFunctions;
  const cFunctions: typeof KERNEL_PROGRAM.cFunctions = {
    ...others,
    body_hook: {
      atOnce: (k, cpu, number) => {
        (note as { atOnce: CFunction<Kernel> }).atOnce(k, cpu, number);
        if (k.bpf.links['link#2'] === undefined) return;
        rig.close(2);
        rig.link(3);
      },
    },
  };
  const call = { do: 'call', fn: 'f2', registers: Array(6).fill({ hi: 0, lo: 1 }), stack: [] } as const;
  return apply(rig.k, call, { ...KERNEL_PROGRAM, cFunctions }).call!;
}

describe('a task that sleeps in the original while the half is used again', () => {
  test('returns into the image of others', () => {
    const { events, fault } = exchangedInTheBody('6.12, imageLifecycle = A');
    expect(fault).toBeUndefined();
    expect(events.map(({ who }) => who)).toEqual(['f2', 'prog#3']);
  });

  test('returns into its own image, which skips its programs, when each has a page', () => {
    const { events, fault } = exchangedInTheBody('6.12');
    expect(fault).toBeUndefined();
    expect(events.map(({ who }) => who)).toEqual(['f2']);
  });
});
