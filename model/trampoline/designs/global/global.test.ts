import { Decoder, DecoderOptions, Instruction, Mnemonic } from 'iced-x86';
import { describe, expect, test } from 'vitest';
import { profileNamed } from '../../../core/profile.ts';
import { bootKernel } from '../../../kernel.ts';
import { declareTracepoint } from '../../../raw-tracepoint/tracepoints.ts';
import { apply } from '../../../step.ts';
import { Rig } from '../../../testing/attach-rig.ts';
import { goneAddress } from '../../../text/module.ts';
import { DEFAULT_PRIO } from '../../../tracepoint/tracepoint.ts';
import { Assembler } from '../../../x86/assemble.ts';
import { fromNumber, ZERO } from '../../../x86/word.ts';
import { moduleFunction, targetProgram, tracedFunction } from '../../traced-function.ts';
import { designOf } from '../chosen.ts';
import { hashLookup, paddingLookup } from './lookup.ts';

const FUNCTIONS = Array.from({ length: 8 }, (_, n) =>
  tracedFunction(`f${n}`, n, n === 0 ? '-> u64' : `u64 x${n} -> u64`),
);
const NAMES = FUNCTIONS.slice(0, 7).map(({ name }) => name);

function rig(design: string, functions = FUNCTIONS): Rig {
  return new Rig(`6.12, multiLinks = ${design}`, functions);
}

function linkTo(rig: Rig, prog: number, ...targets: string[]) {
  return rig.answer({ do: 'BPF_LINK_CREATE', link: `link#${prog}`, prog, targets });
}

describe.each(['global', 'global padding'])('%s', (design) => {
  test.each(['fentry', 'fexit', 'fmod_ret'] as const)(
    'runs a program of kind %s for any count of arguments',
    (kind) => {
      const fixture = rig(design);
      expect(fixture.load(1, kind, '', { multi: true })).toBe(0);
      expect(linkTo(fixture, 1, ...NAMES)).toBe(0);
      for (const [n, fn] of NAMES.entries()) {
        expect(fixture.site(fn)).toBe(`call bpf_global_caller_${n}`);
        const { who, run } = fixture.call(fn);
        expect(run.fault).toBeUndefined();
        expect(who).toEqual(kind === 'fexit' ? [fn, 'prog#1'] : ['prog#1', fn]);
        expect(run.events.find(({ kind: is }) => is === 'program')?.args).toEqual(
          Array.from({ length: n }, (_, i) => `0x${i + 1}`),
        );
        expect(run.stackBalanced && run.callerStackIntact).toBe(true);
        expect(run.calleeSaved).toEqual([]);
      }
      expect(fixture.close(1)).toEqual([]);
      for (const fn of NAMES) expect(fixture.call(fn).who).toEqual([fn]);
    },
  );

  test('refuses more arguments than there are registers, and functions that have a direct call', () => {
    const fixture = rig(design);
    fixture.load(1, 'fentry', '', { multi: true });
    expect(linkTo(fixture, 1, 'f1', 'f7')).toBe('EOPNOTSUPP');
    fixture.load(2, 'fexit', 'f2');
    expect(fixture.link(2)).toBe(0);
    expect(linkTo(fixture, 1, 'f1', 'f2')).toBe('EEXIST');
    expect(fixture.call('f1').who).toEqual(['f1']);
    expect(fixture.k.bpf.progs[1]!.refs).toBe(1);
    expect(linkTo(fixture, 1, 'f1')).toBe(0);
    fixture.load(3, 'fentry', 'f1');
    expect(fixture.link(3)).toBe('EBUSY');
  });

  test('runs the oldest program first, and skips the rest when one modifies the return', () => {
    const fixture = rig(design);
    fixture.load(1, 'fmod_ret', '', { multi: true }, fromNumber(7));
    fixture.load(2, 'fmod_ret', '', { multi: true });
    fixture.load(3, 'fexit', '', { multi: true, cookie: fromNumber(0x20), getFuncIp: true });
    for (const prog of [1, 2, 3]) expect(linkTo(fixture, prog, 'f1', 'f6')).toBe(0);
    const { who, run } = fixture.call('f6');
    expect(who).toEqual(['prog#1', 'prog#3']);
    expect(run.rax).toBe('0x7');
    expect(run.events.at(-1)).toMatchObject({ ret: '0x7', cookie: '0x21', fn: 'f6' });
  });
});

test('a BPF program is no target: no call enters the global trampoline with a tail-call counter', () => {
  const fixture = rig('global', [...FUNCTIONS, targetProgram('p1', 20, 'u64 -> u64')]);
  fixture.load(1, 'fentry', '', { multi: true });
  expect(linkTo(fixture, 1, 'p1')).toBe('EOPNOTSUPP');
});

test.each([
  ['hash', hashLookup, 11],
  ['padding', paddingLookup, 5],
])('metadata is found by %s in this number of instructions, without a collision', (_, lookup, most) => {
  const a = new Assembler(ZERO, () => undefined);
  lookup(a);
  const decoder = new Decoder(64, a.finish().bytes, DecoderOptions.None);
  const row = new Instruction();
  let found = 0;
  for (; decoder.canDecode && row.mnemonic !== Mnemonic.Cmp; found++) decoder.decodeOut(row);
  // After the comparison comes the jump that ends the walk.
  if (row.mnemonic === Mnemonic.Cmp) found++;
  expect(found).toBe(most);
  row.free();
  decoder.free();
});

describe('a link to functions of a module', () => {
  const inModule = ['m1_a', 'm1_b'].map((name, i) => moduleFunction(name, 20 + i, 'u64 -> u64', 'm1'));
  const UNLOAD = { do: 'delete_module', module: 'm1' } as const;
  const fixture = () => {
    const own = rig('global', [...FUNCTIONS, ...inModule]);
    own.load(1, 'fexit', '', { multi: true });
    return own;
  };
  const references = (own: Rig) => own.k.text.modules['m1']!.refcnt;

  test('runs the program, and holds the module once until it is closed', () => {
    const own = fixture();
    expect(linkTo(own, 1, 'm1_a', 'f1', 'm1_b')).toBe(0);
    expect(references(own)).toBe(1);
    for (const fn of ['m1_a', 'f1', 'm1_b']) expect(own.call(fn).who).toEqual([fn, 'prog#1']);
    expect(own.answer(UNLOAD)).toBe('EAGAIN');
    expect(own.close(1)).toEqual([]);
    expect(references(own)).toBe(0);
    expect(own.answer(UNLOAD)).toBe(0);
    expect(own.call('f1').who).toEqual(['f1']);
  });

  test('that is refused holds no module', () => {
    const own = fixture();
    expect(linkTo(own, 1, 'm1_a', 'f7')).toBe('EOPNOTSUPP');
    own.load(2, 'fentry', 'f2');
    expect(own.link(2)).toBe(0);
    expect(linkTo(own, 1, 'm1_a', 'f2')).toBe('EEXIST');
    expect(references(own)).toBe(0);
    expect(own.call('m1_a').who).toEqual(['m1_a']);
    expect(own.answer(UNLOAD)).toBe(0);
  });

  test('of a module that is gone is ENOENT, and of one that is loaded again is not', () => {
    const own = fixture();
    own.answer(UNLOAD);
    expect(linkTo(own, 1, 'f1', 'm1_a')).toBe('ENOENT');
    own.answer({ do: 'init_module', module: 'm1' });
    expect(linkTo(own, 1, 'f1', 'm1_a')).toBe(0);
    expect(own.call('m1_a').who).toEqual(['m1_a', 'prog#1']);
  });
});

test('a tracepoint is hit beside it: the data of the one is not that of the other', () => {
  const tracepoint = declareTracepoint('tp1', 'ptr, u32');
  const k = bootKernel({
    profile: '6.12, multiLinks = global',
    boot: 'default',
    functions: [],
    tracepoints: [tracepoint],
  });
  const probe = { tracepoint: 'tp1', func: 'my_probe1', data: 'data#1', prio: DEFAULT_PRIO };
  expect(apply(k, { do: 'tracepoint_probe_register_prio', ...probe }).errno).toBe(0);
  const registers = Array.from({ length: 6 }, () => ZERO);
  const { call, died } = apply(k, { do: 'call', fn: 'tp1', registers, stack: [] });
  expect(died).toBeUndefined();
  expect(call?.events.map(({ who }) => who)).toEqual(['my_probe1']);
});

test('text that is gone has no image', () => {
  const { k } = rig('global', [moduleFunction('m1_a', 9, 'u64 -> u64', 'm1')]);
  expect(designOf(profileNamed(k.profile))?.imageOf?.(k, goneAddress('m1_a', 1))).toBe('');
});
