import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readText } from '../files.ts';
import { bodyNumber } from '../images/bodies.ts';
import { parseSequences } from './record.ts';
import { TARGETS } from './targets.ts';

const TEXT = readText(join(import.meta.dirname, '../recordings/sequences.jsonl.gz'));
const LINE = TEXT.slice(0, TEXT.indexOf('\n'));
const VALUE = JSON.parse(LINE);
const [STEP] = VALUE.steps;
const [OBS] = STEP.obs;

const problemsOf = (change: object) =>
  parseSequences(JSON.stringify({ ...VALUE, ...change }), 'a.jsonl').problems;
const withStep = (change: object) => ({ steps: [{ ...STEP, ...change }] });
const withCall = (change: object) => withStep({ obs: [{ ...OBS, call: { ...OBS.call, ...change } }] });

describe('the recorder', () => {
  test('has the functions that the recordings of images have, with the same numbers', () => {
    expect(TARGETS).toHaveLength(46);
    for (const { name, id } of TARGETS) expect(bodyNumber(name)).toBe(id);
  });
});

describe('a damaged recording is named with file, line and field', () => {
  test('a sound line has no problem', () => {
    expect(problemsOf({})).toEqual([]);
  });

  test.each(['release', 'seq', 'set', 'fns', 'steps', 'after_reset'])('a line without %s', (field) => {
    expect(problemsOf({ [field]: undefined })).toEqual([`a.jsonl:1: field ${field} is missing`]);
  });

  test.each([
    [{ release: '5.4.0' }, 'kernel 5.4.0 has no profile; there are 6.1, 6.12, 7.2, 7.3'],
    [{ fns: ['f99'] }, 'field fns: the recorder has no function f99'],
    [{ after_reset: [] }, 'field after_reset does not fit the field fns'],
    [withStep({ errno: undefined }), 'field steps.0.errno is missing'],
    [withStep({ stage: 'bake' }), /^field steps\.0\.stage: /],
    [withStep({ obs: [] }), 'field steps.0.obs does not hold a call of each of f2'],
    [withCall({ rax: undefined }), 'field steps.0.obs.0.call.rax is missing'],
    [withCall({ ev: [{ h: 'ghost' }] }), /^field steps\.0\.obs\.0\.call\.ev\.0\.h: /],
    [withCall({ ev: [{ h: 'body', mood: 1 }] }), /^field steps\.0\.obs\.0\.call\.ev\.0: .*mood/],
    [
      withStep({ obs: [{ ...OBS, enabled: '(1) R' }] }),
      'field steps.0.obs.0.enabled is not a line of enabled_functions',
    ],
  ])('%j', (change, problem) => {
    const [found] = problemsOf(change);
    const expected = typeof problem === 'string' ? problem : expect.stringMatching(problem);
    expect(found!.replace('a.jsonl:1: ', '')).toEqual(expected);
  });

  test.each([
    ['frob f2', /^the recorder has no operation "frob"; there are nop dreg /],
    ['dreg f2 0', '"dreg f2 0" has 2 words after dreg instead of 3'],
    ['dreg f99 0 0', 'the recorder has no function f99 in "dreg f99 0 0"'],
    ['bm+ f2,f99 0 kpm', 'the recorder has no function f99 in "bm+ f2,f99 0 kpm"'],
    ['dreg f2 2 0', '"2" is not a number from 0 to 1 in "dreg f2 2 0"'],
    ['b+ f2 0 fancy', /^"fancy" is not a kind of program, fentry fexit .*, in "b\+ f2 0 fancy"$/],
    ['b+ f2 0 fexit:x', '"x" has a flag that is none of c i s h n r R in "b+ f2 0 fexit:x"'],
    ['bm+ f2 0 fexit', /^"fexit" is not a kind of program, fentrym /],
    ['bm+ f2 0 fexitm:n', 'flag n of fexitm is not modelled in "bm+ f2 0 fexitm:n"'],
    ['b- 0 0', '"0" is not - in "b- 0 0"'],
  ])('an operation %j', (op, problem) => {
    const [found] = problemsOf(withStep({ op }));
    const expected = typeof problem === 'string' ? problem : expect.stringMatching(problem);
    expect(found!.replace('a.jsonl:1: field steps.0.op: ', '')).toEqual(expected);
  });

  test('a truncated line does not affect the others', () => {
    const { sequences, problems } = parseSequences(`${LINE}\n${LINE.slice(0, 100)}\n${LINE}\n`, 'a.jsonl');
    expect(sequences.map(({ place }) => place)).toEqual(['a.jsonl:1', 'a.jsonl:3']);
    expect(problems).toEqual(['a.jsonl:2: this line is not JSON; is the file cut off?']);
  });

  test('an empty file is a problem, not a success', () => {
    expect(parseSequences('\n', 'a.jsonl').problems).toEqual(['a.jsonl: there is no sequence in it']);
  });
});
