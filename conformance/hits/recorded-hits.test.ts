import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HIT_KINDS, hitCost } from '../../checker/cost/hit.ts';
import { codeOf } from '../../checker/cost/recorded-hit.ts';
import { readText } from '../files.ts';
import { parseRecordedHits } from './recorded-hits.ts';

const PATH = 'conformance/recordings/hits.jsonl';
const RECORDED = parseRecordedHits(readText(join(import.meta.dirname, '../recordings/hits.jsonl')), PATH);

describe('recorded hits', () => {
  const images = RECORDED.filter(({ code }) => 'image' in code);

  test.each(images.map((hit) => [hit.kernel, hit.hit, hit] as const))(
    '%s, %s: the model and the real kernel execute the same number of instructions of the image',
    (kernel, name, recorded) => {
      const cost = hitCost(kernel, HIT_KINDS.find((kind) => kind.name === name)!)!;
      expect(cost.instructions).toBe(codeOf(recorded));
      const called = Object.entries(recorded.functions).map(([fn, { calls }]) => [fn, calls]);
      expect(cost.cFunctions).toEqual(Object.fromEntries(called));
    },
  );

  test('cover all three kernels', () => {
    expect(new Set(images.map(({ kernel }) => kernel)).size).toBe(3);
  });

  /* ftrace_caller and its variants are our own code with the same interface. */
  test('that go through code of ftrace call the same functions, with about the same number of instructions', () => {
    const others = RECORDED.filter((hit) => !images.includes(hit));
    expect(others.length).toBeGreaterThan(7);
    for (const recorded of others) {
      const kind = HIT_KINDS.find(({ name }) => name === recorded.hit)!;
      const cost = hitCost(recorded.kernel, kind)!;
      expect(Object.keys(cost.cFunctions).toSorted()).toEqual(Object.keys(recorded.functions).toSorted());
      expect(Math.abs(cost.instructions / codeOf(recorded) - 1)).toBeLessThan(0.15);
    }
  });

  test('an invalid line is named', () => {
    expect(() => parseRecordedHits('{"kernel":"6.12"}\n', 'a.jsonl')).toThrow(
      'a.jsonl:1: this is no recorded hit',
    );
  });

  test('of the benchmark are those with a path that the model lacks, on two kernels', () => {
    const path = join(import.meta.dirname, '../recordings/benchmark-hits.jsonl');
    const hits = parseRecordedHits(readText(path), path);
    for (const kernel of ['6.12', '7.2'])
      expect(hits.filter((hit) => hit.kernel === kernel).map(({ hit }) => hit)).toEqual([
        'kprobe',
        'kretprobe',
        'rawtp',
        'tp',
        'syscall-count',
        'bpf_read_argN',
      ]);
    // The handler of a probe is the kernel's here, and it runs the programs of the event: more than in the other recording.
    const recorded = (from: typeof hits) =>
      from.find(({ kernel, hit }) => kernel === '6.12' && hit === 'kprobe')!;
    expect(codeOf(recorded(hits))).toBe(codeOf(recorded(RECORDED)));
    expect(recorded(hits).inner).toMatchObject({
      kprobe_dispatcher: { calls: 1 },
      trace_call_bpf: { calls: 1 },
    });
  });
});
