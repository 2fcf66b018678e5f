import { describe, expect, test } from 'vitest';
import { counting } from '../../cost/cost.ts';
import { apply } from '../../step.ts';
import { Rig } from '../../testing/attach-rig.ts';
import { fromNumber } from '../../x86/word.ts';
import type { TracingKind } from '../program.ts';
import type { TracedFunction } from '../traced-function.ts';
import { tracedFunction } from '../traced-function.ts';

const F1 = tracedFunction('f1', 1, 'u64 -> u64');
const F2 = tracedFunction('f2', 2, 'u64 x2 -> u64');
const F3 = tracedFunction('f3', 3, 'u64 -> u64');
const F9 = tracedFunction('f9', 9, 'u64 x9 -> u64');
const REC = tracedFunction('rec', 10, 'u64 -> u64');
const FUNCTIONS = [F1, F2, F3, F9, REC];

const NINE = ['0x1', '0x2', '0x3', '0x4', '0x5', '0x6', '0x7', '0x8', '0x9'];

function rig(profile: string, functions: readonly TracedFunction[] = FUNCTIONS): Rig {
  return new Rig(profile, functions);
}

/** A program for many functions, and a link of it. */
function attach(rig: Rig, prog: number, kind: TracingKind, ...targets: string[]) {
  expect(rig.load(prog, kind, '', { multi: true, getFuncIp: true })).toBe(0);
  return rig.answer({ do: 'BPF_LINK_CREATE', link: `link#${prog}`, prog, targets });
}

/** Calls a function with nine arguments, three of them on the stack. */
function callNine(rig: Rig) {
  const words = NINE.map((_, i) => fromNumber(i + 1));
  return apply(rig.k, { do: 'call', fn: 'f9', registers: words.slice(0, 6), stack: words.slice(6) }).call!;
}

describe.each(['6.12', '7.2'])('function graph on %s', (kernel) => {
  const profile = `${kernel}, multiLinks = function graph`;

  test.each(['fentry', 'fexit'] as const)('gives a program of kind %s all nine arguments', (kind) => {
    const fixture = rig(profile);
    expect(attach(fixture, 1, kind, 'f1', 'f9')).toBe(0);
    const run = callNine(fixture);
    const ret = run.events.find((event) => event.kind === 'body')!.ret!;
    const seen = run.events.find((event) => event.who === 'prog#1')!;
    expect(seen).toMatchObject({ fn: 'f9', args: NINE, ...(kind === 'fexit' ? { ret } : {}) });
    expect(run).toMatchObject({ rax: ret, stackBalanced: true, callerStackIntact: true, calleeSaved: [] });
    expect(run.fault).toBeUndefined();
  });

  test('has an image for each layout of arguments, and what it made goes with the link', () => {
    const fixture = rig(profile);
    attach(fixture, 1, 'fexit', 'f1', 'f2', 'f3');
    const images = () => Object.keys(fixture.k.text.pages).filter((name) => name.endsWith('.image'));
    expect(images()).toEqual(['link#1.graph-r0.image', 'link#1.graph-r0r1.image']);
    expect(fixture.site('f1')).toBe('call graph_ops.trampoline');
    expect(fixture.close(1)).toEqual([]);
    expect(images()).toEqual([]);
    expect(fixture.k.fgraph.gops).toEqual({});
    expect(fixture.call('f1').who).toEqual(['f1']);
  });

  test('takes no program that could stop the function, and none that sleeps', () => {
    const fixture = rig(profile);
    expect(fixture.load(1, 'fmod_ret', '', { multi: true })).toBe('EINVAL');
    expect(fixture.load(2, 'fentry', '', { multi: true, sleepable: true })).toBe(0);
    expect(fixture.answer({ do: 'BPF_LINK_CREATE', link: 'link#2', prog: 2, targets: ['f1'] })).toBe(
      'EINVAL',
    );
    expect(fixture.k.bpf.links).toEqual({});
  });

  test('has an index for sixteen links, and those share them with all other users', () => {
    const fixture = rig(profile);
    const answers = Array.from({ length: 17 }, (_, i) => attach(fixture, i + 1, 'fentry', 'f1'));
    expect(answers).toEqual([...Array.from({ length: 16 }, () => 0), 'ENOSPC']);
    expect(fixture.answer({ do: 'register_ftrace_graph', gops: 'gops#1' })).toBe('ENOSPC');
  });

  test('misses calls for which the shadow stack has no room for the arguments, and counts them', () => {
    const fixture = rig(`${profile}, shadowStackWords = ${kernel === '6.12' ? 40 : 34}`);
    attach(fixture, 1, 'fexit', 'rec');
    const { events } = fixture.call('rec').run;
    const seen = events.filter(({ who }) => who === 'prog#1').length;
    expect(events.filter(({ kind }) => kind === 'body')).toHaveLength(2);
    expect([seen, fixture.k.bpf.progs[1]!.misses + fixture.k.fgraph.overrun]).toEqual([1, 1]);
  });

  test('gets a return only if it kept the arguments, also as the user with index 0', () => {
    const fixture = rig(profile);
    attach(fixture, 1, 'fexit', 'f1');
    attach(fixture, 2, 'fexit', 'f2');
    expect(fixture.call('f2').who).toEqual(['f2', 'prog#2']);
    expect(fixture.call('f1').who).toEqual(['f1', 'prog#1']);
  });

  test('encloses what is attached through a direct call', () => {
    const fixture = rig(profile);
    fixture.load(2, 'fexit', 'f2');
    fixture.load(3, 'fentry', 'f2');
    attach(fixture, 1, 'fexit', 'f1', 'f2');
    attach(fixture, 4, 'fentry', 'f1', 'f2');
    expect([fixture.link(2), fixture.link(3)]).toEqual([0, 0]);
    expect(fixture.call('f2').who).toEqual(['prog#4', 'prog#3', 'f2', 'prog#2', 'prog#1']);
  });
});

test('a session has both halves', () => {
  const fixture = rig('7.2, multiLinks = function graph');
  expect(attach(fixture, 1, 'fsession', 'f1', 'f9')).toBe(0);
  expect(callNine(fixture).events.map(({ who, atReturn }) => [who, atReturn === true])).toEqual([
    ['prog#1', false],
    ['f9', false],
    ['prog#1', true],
  ]);
});

test('function graph cannot stand where it has one user, who keeps nothing until the return', () => {
  expect(() => rig('6.1, multiLinks = function graph')).toThrow('function graph cannot run on 6.1: ');
});

describe('a shadow stack of 512 words', () => {
  test.each([
    ['6.12', 'f1', 54],
    ['6.12', 'f9', 28],
    ['7.2', 'f1', 70],
    ['7.2', 'f9', 32],
  ])('on %s follows this number of calls of %s for an exit program: %i', (kernel, fn, most) => {
    const fixture = rig(`${kernel}, multiLinks = function graph`);
    attach(fixture, 1, 'fexit', fn);
    const used = followed(fixture, fn);
    const { fgraph } = fixture.k;
    expect(fgraph.used).toBe(0);
    let calls = 0;
    for (; calls < 200; calls++) {
      fgraph.used = calls * used;
      if (followed(fixture, fn) === 0) break;
    }
    expect(calls).toBe(most);
  });
});

/** Words that a call has on the shadow stack while its body runs; 0 if the program has missed it. */
function followed(rig: Rig, fn: string): number {
  const before = rig.k.fgraph.used;
  const { progs } = rig.k.bpf;
  const missed = progs[1]!.misses + rig.k.fgraph.overrun;
  const words = fn === 'f9' ? 9 : 1;
  const frame = rig.k.profile.startsWith('6.12') ? 6 : 4;
  if (fn === 'f9') callNine(rig);
  else rig.call(fn);
  expect(rig.k.fgraph.used).toBe(before);
  return progs[1]!.misses + rig.k.fgraph.overrun > missed ? 0 : frame + words + 2;
}

test('attaching takes images for layouts and pokes for functions, and no direct call', () => {
  const functions = Array.from({ length: 1000 }, (_, i) => tracedFunction(`f${i + 1}`, i + 1, 'u64 -> u64'));
  const fixture = rig('6.12, multiLinks = function graph', functions);
  fixture.load(1, 'fexit', '', { multi: true });
  const { cost, watch } = counting();
  const targets = functions.map(({ name }) => name);
  expect(
    apply(fixture.k, { do: 'BPF_LINK_CREATE', link: 'link#1', prog: 1, targets }, undefined, watch).errno,
  ).toBe(0);
  expect(cost).toMatchObject({ images: 1, textPokes: 1004, syncIpis: 25, waited: {} });
  expect(fixture.call('f1000').who).toEqual(['f1000', 'prog#1']);
});
