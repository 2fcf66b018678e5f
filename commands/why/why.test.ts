import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow, readText } from '../../conformance/files.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { CORPUS } from '../../counterexamples/corpus-folder.ts';
import { WIDTH } from '../../counterexamples/text.ts';
import { InputError } from '../../model/core/input-error.ts';
import { TOP } from '../../test/sources.ts';
import { errnoAsked } from './errno-asked.ts';
import { whyRefused } from './why-job.ts';

/** A trace written by hand, in a kernel, on `f1` and `f2`. */
function trace(kernel: string, ...actions: readonly string[]): string {
  return [
    `kernel   ${kernel}`,
    '',
    'f1 = function(u64 -> u64)',
    'f2 = function(u64 x2 -> u64)',
    ...actions,
    '',
  ].join('\n');
}

function asked(errno: string, text: string, line = {}) {
  const answer = whyRefused(errnoAsked(errno), { path: 'a.trace', text }, line);
  const [json] = answer.json['kernels'] as Record<string, unknown>[];
  return { ...answer, json };
}

const DIRECT = ['ftrace_set_filter_ip(direct#1, f1)', 'register_ftrace_direct(direct#1, my_tramp1)'];
const LIVE_PATCH = [
  'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY)',
  'ftrace_set_filter_ip(ops#1, f1)',
  'register_ftrace_function(ops#1)',
];
const FENTRY = ['prog#1 = BPF_PROG_LOAD(fentry, f1)', 'link#1 = BPF_LINK_CREATE(prog#1)'];

describe('a refusal has one return site, and the smallest undo', () => {
  test.each([
    [
      'a live patch after a direct call',
      'EBUSY',
      ['6.12', ...DIRECT, ...LIVE_PATCH],
      'prepare_direct_functions_for_ipmodify: EBUSY  the direct ops cannot share',
      ['unregister_ftrace_direct(direct#1, my_tramp1, true)'],
    ],
    [
      'a direct call after a program',
      'EBUSY',
      ['6.12', ...FENTRY, ...DIRECT],
      'register_ftrace_direct: EBUSY  a site of the filter has a direct call',
      ['close(link#1)'],
    ],
    [
      'a direct call after a direct call of two functions, of which one is left',
      'EBUSY',
      [
        '7.2',
        ...DIRECT,
        'ftrace_set_filter_ip(direct#2, f1)',
        'ftrace_set_filter_ip(direct#2, f2)',
        ...FENTRY.map((name) => name.replace('f1', 'f2')),
        'register_ftrace_direct(direct#2, my_tramp2)',
      ],
      'register_ftrace_direct: EBUSY  a site of the filter has a direct call',
      ['close(link#1)', 'unregister_ftrace_direct(direct#1, my_tramp1, true)'],
    ],
    [
      'a program after a program that is attached already',
      'EBUSY',
      ['6.12', ...FENTRY, 'link#2 = BPF_LINK_CREATE(prog#1)'],
      '__bpf_trampoline_link_prog: EBUSY  the program is attached there',
      ['close(link#1)'],
    ],
    [
      'a permanent ops while tracing is off',
      'EBUSY',
      [
        '6.12',
        'sysctl kernel.ftrace_enabled=0',
        'ops#1 = ftrace_ops(PERMANENT)',
        'ftrace_set_filter_ip(ops#1, f1)',
        'register_ftrace_function(ops#1)',
      ],
      '__register_ftrace_function: EBUSY  the ops is permanent and kernel.ftrace_enabled is 0',
      ['sysctl kernel.ftrace_enabled=1'],
    ],
  ])('%s: %s', (_, errno, [kernel = '', ...actions], site, undo) => {
    const { json, text, exit } = asked(errno, trace(kernel, ...actions));
    expect(json).toMatchObject({ site, undo });
    expect(text).toContain('  it read    ');
    expect(exit).toBe(EXIT.HELD);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(WIDTH);
  });

  test('also where others pass its errno on', () => {
    const { json } = asked('EBUSY', trace('6.12', ...DIRECT, ...FENTRY));
    expect(json).toMatchObject({
      site: 'register_ftrace_direct: EBUSY  a site of the filter has a direct call',
      passedOn: ['bpf_trampoline_update: EBUSY  the call site cannot be pointed at the image'],
      undo: ['unregister_ftrace_direct(direct#1, my_tramp1, true)'],
    });
  });

  test('or none, and then another value of one parameter may do', () => {
    const { json, text } = asked(
      'EINVAL',
      trace('6.12', ...DIRECT, 'modify_ftrace_direct(direct#2, my_tramp2)'),
    );
    expect(json).toMatchObject({
      site: 'modify_ftrace_direct: EINVAL  the ops is not direct',
      undo: null,
      otherCalls: [{ parameter: 'ops', call: 'modify_ftrace_direct(direct#1, my_tramp2)' }],
    });
    expect(text).toContain('nothing undoes it: ');
  });

  test('or one call was forgotten before it', () => {
    const { json, text } = asked(
      'EINVAL',
      trace('6.12', 'direct#1 = ftrace_ops(DIRECT)', ...DIRECT.slice(1)),
    );
    expect(json).toMatchObject({ undo: null, first: DIRECT[0], otherCalls: [] });
    expect(text).toContain('  first      ftrace_set_filter_ip(direct#1, f1), and then it answers 0\n');
    const unregistered = trace('6.12', ...LIVE_PATCH, ...Array(2).fill('unregister_ftrace_function(ops#1)'));
    expect(asked('EBUSY', unregistered).json).toMatchObject({ first: 'register_ftrace_function(ops#1)' });
  });

  test('of an injected failure, the same call again', () => {
    const { json } = asked(
      'ENOMEM',
      trace('6.12', 'the next allocation in register_ftrace_direct fails', ...DIRECT),
    );
    expect(json).toMatchObject({ ordered: true, undo: [], tried: 0 });
  });

  test('and no site where no client would call so', () => {
    const { json } = asked('EBADF', trace('6.12', ...DIRECT, 'ftrace_free_filter(direct#1)'));
    expect(json).toMatchObject({ site: null, place: null });
  });

  test('its whole text', () => {
    expect(asked('EBUSY', trace('6.12', ...FENTRY, ...DIRECT)).text).toMatchInlineSnapshot(`
      "EBUSY at step 4 of 4, kernel 6.12

           f1(u64 -> u64)
        1  prog#1 = BPF_PROG_LOAD(fentry, f1)                            = 0
        2  link#1 = BPF_LINK_CREATE(prog#1)                              = 0
             f1+0x4       nop5              →  call tramp#1
             tramp#1      –                 →  live
             direct[f1]   –                 →  tramp#1
        3  ftrace_set_filter_ip(direct#1, f1)                            = 0
        4  register_ftrace_direct(direct#1, my_tramp1)                   = -EBUSY

        site       register_ftrace_direct: a site of the filter has a direct call
        kernel     kernel/trace/ftrace.c  register_ftrace_direct
        it read    local ops is direct#1
                   ftrace.ops[direct#1].hashOf is direct#1
                   ftrace.ops[direct#1].filter.length is 1
                   ftrace.ops[direct#1].filter[0] is f1
                   ftrace.directFunctions[f1] is tramp#1

        undo       close(link#1)
                   and register_ftrace_direct(direct#1, my_tramp1) answers 0; no
                   shorter list does (1 list of inverse calls tried, up to 3 calls
                   each)
        again      npm run check -- why EBUSY a.trace"
    `);
  });
});

describe('a wrong question is refused in one sentence', () => {
  const busy = trace('6.12', ...FENTRY, ...DIRECT);
  test.each([
    ['EAGAIN', busy, {}, 'a.trace: no step answers EAGAIN; step 4 EBUSY'],
    ['EBUSY', trace('6.12', ...DIRECT), {}, 'a.trace: no step answers EBUSY; all of them answer 0'],
    ['EBUSY', busy, { step: '3' }, 'a.trace: step 3 answers 0, not EBUSY'],
    ['EBUSY', busy, { step: '0' }, '--step 0 is not a whole number from 1 to 4'],
    ['EBUSY', busy, { step: '9' }, '--step 9 is not a whole number from 1 to 4'],
    ['EBUSY', busy, { undo: '7' }, '--undo 7 is not a whole number from 0 to 6'],
    ['EWHY', busy, {}, 'errno EWHY: no modelled call answers it; there are EPERM, '],
    [
      'EBUSY',
      busy.replace('my_tramp1)', 'my_tramp1)  = 0'),
      {},
      'a.trace: step 4 answers -EBUSY, but the file says 0',
    ],
    [
      'EBUSY',
      busy.replace('kernel ', 'colonel '),
      {},
      'a.trace: line 1, column 1: "colonel   6.12" is no header field',
    ],
    [
      'EBUSY',
      readText(join(TOP, filesBelow(TOP, `${CORPUS}/task`, '.trace')[0]!)),
      {},
      'a.trace: it is a trace of an interleaving; ',
    ],
    [
      'EBUSY',
      readText(join(TOP, filesBelow(TOP, `${CORPUS}/refine`, '.trace')[0]!)),
      {},
      'a.trace: it is a history of two designs; ',
    ],
    [
      'EBUSY',
      readText(join(TOP, filesBelow(TOP, `${CORPUS}/trampoline`, '.trace')[0]!)),
      {},
      'a.trace: it is a trace of one attach combination; ',
    ],
  ])('%s', (errno, text, line, sentence) => {
    expect(() => asked(errno, text, line)).toThrow(InputError);
    expect(() => asked(errno, text, line)).toThrow(sentence);
  });
});

describe('a question about a file', () => {
  const busy = (kernel: string) =>
    trace(kernel, ...DIRECT, ...DIRECT.map((line) => line.replace('#1', '#2')));
  const kernels = (text: string, line = {}, errno?: 'EBUSY') =>
    whyRefused(errno, { path: 'a.trace', text }, line).json['kernels'] as { kernel: string; step: number }[];

  test('without an errno it is the first step that is refused', () => {
    expect(kernels(busy('6.12'))).toMatchObject([{ kernel: '6.12', step: 4, errno: 'EBUSY' }]);
    expect(() => kernels(trace('6.12', ...DIRECT))).toThrow(
      'a.trace: no step is refused; all of them answer 0',
    );
    expect(() => kernels(busy('6.12'), { step: '2' })).toThrow(
      'a.trace: step 2 answers 0, and is not refused',
    );
  });

  test('for all kernels each of them says its own', () => {
    const own = kernels(busy('all'), {}, 'EBUSY');
    expect(own.map(({ kernel, step }) => [kernel, step])).toEqual([
      ['6.1', 4],
      ['6.12', 4],
      ['7.2', 4],
    ]);
    const descriptor = trace('all', 'prog#1 = BPF_PROG_LOAD(fsession, f1)');
    const { text, json } = whyRefused(undefined, { path: 'a.trace', text: descriptor }, {});
    expect(json['others']).toEqual([{ kernel: '7.2', why: 'no step is refused; all of them answer 0' }]);
    expect(text).toContain('\nkernel 7.2: no step is refused; all of them answer 0');
  });
});
