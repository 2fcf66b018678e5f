import { expect, test } from 'vitest';
import { judgeStub } from '../../checker/stubs/judge-stub.ts';
import { isSame, stubsCommand } from '../../commands/stubs/stubs.ts';
import { KERNELS, PROFILES } from '../../model/core/profile.ts';
import { assembleStub } from '../../model/tracepoint/execute-stub.ts';
import { emitStub, planStub, runName } from '../../model/tracepoint/stub.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';
import { hexBytes } from '../../model/x86/listing.ts';
import { someOf } from '../../test/thorough.ts';
import { readText } from '../files.ts';
import type { RecordedStub } from './recorded-stub.ts';
import { parseRecordedStubs } from './recorded-stub.ts';

const PATH = 'conformance/recordings/stubs.jsonl.gz';
const STUBS = parseRecordedStubs(readText(PATH), PATH);

const typesOf = ({ args }: RecordedStub) => args.map((name) => typeNamed(name)!);
const bytesOf = ({ code }: RecordedStub) => Uint8Array.from(Buffer.from(code, 'hex'));

test.each(KERNELS)('the stubs of %s are generated to the byte', (kernel) => {
  for (const stub of STUBS.filter((item) => item.kernel === kernel)) {
    const made = assembleStub((a) => emitStub(a, planStub(typesOf(stub)), PROFILES[kernel].ibt));
    expect(hexBytes(made.subarray(0, -4)).replaceAll(' ', ''), stub.events.join(', ')).toBe(stub.code);
    expect(stub.jumpsTo).toBe(runName(stub.args.length));
  }
});

/** Of some; the command below executes all. */
test.each(KERNELS)('the recorded bytes of %s are executed: all laws hold for all arguments', (kernel) => {
  const stubs = STUBS.filter((item) => item.kernel === kernel);
  for (const stub of someOf(stubs, 4))
    expect(judgeStub(bytesOf(stub), typesOf(stub)), stub.events.join(', ')).toBeUndefined();
});

test('the numbers of tracepoints, stubs and bytes', () => {
  const counted = KERNELS.map((kernel) => {
    const stubs = STUBS.filter((item) => item.kernel === kernel);
    const events = stubs.reduce((sum, item) => sum + item.events.length, 0);
    const bytes = stubs.reduce((sum, item) => sum + item.code.length / 2 + 4, 0);
    return `${kernel}: ${events} tracepoints, ${stubs.length} stubs, ${bytes} bytes`;
  });
  expect(counted).toEqual([
    '6.1: 639 tracepoints, 422 stubs, 3503 bytes',
    '6.12: 772 tracepoints, 503 stubs, 6201 bytes',
    '7.2: 858 tracepoints, 597 stubs, 7375 bytes',
  ]);
});

test('the command reports that all agree, and prints the stub of one prototype', () => {
  const all = stubsCommand(undefined, {}, PATH);
  expect(all.exit).toBe(0);
  expect(all.text).toContain('6.12          772    503         503   503  6,201    9,088   26,784');
  expect(stubsCommand('ptr, ptr, u32', {}, PATH).text).toContain('+0x0     mov    %ecx,%ecx');
  expect(() => stubsCommand('ptr, s24b', {}, PATH)).toThrow('stub: s24b has 24 bytes');
});

test('a planted bug is reported with its smallest prototype, and searched for by its own command', () => {
  const { text, exit } = stubsCommand(undefined, { planted: 'cast-is-forgotten' }, PATH);
  expect(exit).toBe(1);
  expect(text).toContain('__bpf_trace_X(data, u32), 5 bytes\n');
  expect(text).toContain('  replay     npm run check -- stubs u32 --planted cast-is-forgotten\n');
  const other = { law: 'tracepoint/arguments-reach-the-context', planted: 'cast-is-forgotten' };
  expect(stubsCommand('u64', other, PATH)).toMatchObject({ exit: 4, json: { planted: other.planted } });
});

test.each([
  [{ planted: 'nothing' }, 'there is no planted bug of stubs nothing; --list names them all'],
  [{ law: 'tracepoint/none' }, 'there is no law of stubs tracepoint/none; --list names them all'],
])('%j is named', (line, why) => {
  expect(() => stubsCommand(undefined, line, PATH)).toThrow(why);
});

test('a stub with a changed byte differs', () => {
  const [first] = STUBS.filter(({ args }) => args.includes('u32'));
  expect(isSame(first!)).toBe(true);
  expect(isSame({ ...first!, code: first!.code.replace('e9', '90e9') })).toBe(false);
});

test('an invalid line is named with its number', () => {
  expect(() => parseRecordedStubs('{}\n', 'stubs.jsonl')).toThrow('stubs.jsonl:1: this is no recorded stub');
});
