import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Unregister } from '../core/register.ts';
import { counting } from '../cost/cost.ts';
import { registerDesign } from '../step.ts';
import { Rig } from '../testing/attach-rig.ts';
import { counting as design } from '../testing/counting-design-rig.ts';
import { tracedFunction } from '../trampoline/traced-function.ts';

let unregister: Unregister;

beforeAll(() => {
  unregister = registerDesign(design);
});

afterAll(() => unregister());

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64'), tracedFunction('f2', 2, 'u64 x2 -> u64')];

function attached() {
  const rig = new Rig('6.12, multiLinks = counting', FUNCTIONS);
  expect(rig.load(1, 'fentry', '', { multi: true })).toBe(0);
  expect(rig.answer({ do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets: ['f1', 'f2'] })).toBe(0);
  return rig;
}

test('a design that is added to the list has code of its own, functions in C and data', () => {
  const rig = attached();
  for (const fn of ['f1', 'f2', 'f1']) {
    const { run } = rig.call(fn);
    expect(run.fault).toBeUndefined();
    expect(run.stackBalanced).toBe(true);
  }
  expect(rig.k.bpf.design).toEqual({ hits: 3 });
  expect(rig.k.text.stubs).toEqual(['count_hit']);
});

test('what it takes no programs of, and where it cannot run, is said', () => {
  const rig = attached();
  expect(rig.load(2, 'fexit', '', { multi: true })).toBe('EINVAL');
  expect(() => new Rig('7.2, multiLinks = counting', FUNCTIONS)).toThrow(
    'counting cannot run on 7.2: it registers its own ops',
  );
});

test('its code is called until it is detached', () => {
  const rig = attached();
  expect(rig.close(1)).toEqual([]);
  rig.call('f1');
  expect(rig.k.bpf.design).toEqual({ hits: 0 });
  expect(rig.k.text.pages).toEqual({});
});

test('its own steps are counted', () => {
  const { cost, watch } = counting();
  expect(cost.images).toBe(0);
  watch.step!(
    { routine: 'counting_attach', id: 'write the code', do: 0 } as never,
    attached().k,
    {},
    { frames: [] },
  );
  expect(cost.images).toBe(1);
});
