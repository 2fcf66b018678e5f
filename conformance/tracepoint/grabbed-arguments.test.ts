import { expect, test } from 'vitest';
import { PROFILES } from '../../model/core/profile.ts';
import { assembleStub, executeGrabbing } from '../../model/tracepoint/execute-stub.ts';
import { failureText } from '../../model/tracepoint/failure-words.ts';
import { emitGrabbedArguments } from '../../model/tracepoint/perf-probe.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';
import { STUB_LAWS } from '../../properties/tracepoint-laws.ts';
import { readText } from '../files.ts';
import { parseRecordedStubs } from './recorded-stub.ts';

const PATH = 'conformance/recordings/stubs.jsonl.gz';
const STUBS = parseRecordedStubs(readText(PATH), PATH);

/*
 * The posting of 2017 states 50 to 70 bytes for each perf_trace_X(), and about 30k for about 500. The model's sizes
 * for the event classes of each kernel now:
 */
test.each([
  ['6.1', 422, 23_390],
  ['6.12', 503, 26_784],
  ['7.2', 597, 31_713],
] as const)(
  'arguments that are grabbed in perf_trace_X() of %s take 53 to 56 bytes on average',
  (kernel, stubs, bytes) => {
    const sizes = STUBS.filter((item) => item.kernel === kernel).map(({ args, events }) => {
      const types = args.map((name) => typeNamed(name)!);
      const code = assembleStub((a) => emitGrabbedArguments(a, types, PROFILES[kernel]));
      const run = executeGrabbing(code, types.length);
      if ('is' in run) throw new Error(`${events.join(', ')}: ${failureText(run)}`);
      for (const law of STUB_LAWS) expect(law.judge(types, run), events.join(', ')).toBeUndefined();
      return code.length;
    });
    const sum = sizes.reduce((a, b) => a + b, 0);
    expect([sizes.length, sum]).toEqual([stubs, bytes]);
    expect(sum / stubs).toBeGreaterThan(53);
    expect(sum / stubs).toBeLessThan(56);
  },
);
