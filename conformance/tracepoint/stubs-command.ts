import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { grid } from '../../counterexamples/compare/grid.ts';
import { count, WIDTH, wrap } from '../../counterexamples/text.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import { KERNELS, PROFILES } from '../../model/core/profile.ts';
import { assembleStub } from '../../model/tracepoint/execute-stub.ts';
import { emitGrabbedArguments } from '../../model/tracepoint/perf-probe.ts';
import { emitStub, planStub } from '../../model/tracepoint/stub.ts';
import { declareTracepoint } from '../../model/tracepoints.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';
import { disassemble, hexBytes } from '../../model/x86/listing.ts';
import { ZERO } from '../../model/x86/word.ts';
import { judgeStub, STUB_LAWS } from '../../properties/tracepoint/stub-law.ts';
import { readText } from '../files.ts';
import type { RecordedStub } from './recorded-stub.ts';
import { parseRecordedStubs } from './recorded-stub.ts';

/** The stubs of one kernel: how many there are, how many are made to the byte, and of how many all laws hold. */
interface KernelStubs {
  readonly kernel: KernelVersion;
  readonly tracepoints: number;
  readonly stubs: number;
  readonly sameBytes: number;
  readonly held: number;
  /** Bytes of all, and with each at a multiple of sixteen. */
  readonly bytes: number;
  readonly aligned: number;
  /** Bytes that grabbing the arguments in each perf_trace_X() would take instead. */
  readonly grabbed: number;
}

/** The command `stubs`: those of recorded kernels against the model. */
export function stubsAnswer(path: string): Answer {
  const all = parseRecordedStubs(readText(path), path);
  const kernels = KERNELS.map((kernel) =>
    kernelStubs(
      kernel,
      all.filter((one) => one.kernel === kernel),
    ),
  );
  const good = kernels.every(({ stubs, sameBytes, held }) => sameBytes === stubs && held === stubs);
  const exit = good ? EXIT.HELD : EXIT.BROKEN;
  return { text: summary(kernels).join('\n'), json: { command: 'stubs', exit, kernels }, exit, save: [] };
}

/** `jmp` with its distance, of which a recording has the opcode. */
const DISTANCE_BYTES = 4;
const ALIGNMENT = 16;

function kernelStubs(kernel: KernelVersion, stubs: readonly RecordedStub[]): KernelStubs {
  const sizes = stubs.map(({ code }) => code.length / 2 + DISTANCE_BYTES);
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    kernel,
    tracepoints: sum(stubs.map(({ events }) => events.length)),
    stubs: stubs.length,
    sameBytes: stubs.filter(isSame).length,
    held: stubs.filter((stub) => judgeStub(Buffer.from(stub.code, 'hex'), typesOf(stub)) === undefined)
      .length,
    bytes: sum(sizes),
    aligned: sum(sizes.map((bytes) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT)),
    grabbed: sum(
      stubs.map((stub) => assembleStub((a) => emitGrabbedArguments(a, typesOf(stub), kernel)).length),
    ),
  };
}

function typesOf({ args }: RecordedStub) {
  return args.map((name) => typeNamed(name)!);
}

/** Whether the model makes the same code. */
export function isSame(stub: RecordedStub): boolean {
  const made = assembleStub((a) => emitStub(a, planStub(typesOf(stub)), PROFILES[stub.kernel].ibt));
  return hexBytes(made.subarray(0, -DISTANCE_BYTES)).replaceAll(' ', '') === stub.code;
}

const HEAD = ['', 'tracepoints', 'stubs', 'same bytes', 'hold', 'bytes', 'aligned', 'grabbed', ''];

function summary(kernels: readonly KernelStubs[]): string[] {
  const rows = kernels.map(({ kernel, tracepoints, stubs, sameBytes, held, bytes, aligned, grabbed }) => [
    kernel,
    ...[tracepoints, stubs, sameBytes, held, bytes, aligned, grabbed].map(count),
    '',
  ]);
  return [
    ...wrap('stubs of raw tracepoints, __bpf_trace_X(), that are built into the recorded kernels', WIDTH),
    '',
    ...grid([HEAD, ...rows]),
    '',
    ...wrap(
      'same bytes: the model makes the same code. hold: executed once for all arguments, every law holds of it. ' +
        'aligned: each at a multiple of 16 bytes. grabbed: bytes of the other way of 2017, which makes an array of the ' +
        'arguments in each perf_trace_X(). Kernels with IBT have 4 bytes of endbr64 in each stub.',
      WIDTH,
    ),
  ];
}

/** The same for the types of one prototype: its code, and the verdict. */
export function stubOfAnswer(types: string): Answer {
  const { args } = declareTracepoint('stub', types);
  const bytes = assembleStub((a) => emitStub(a, planStub(args), false));
  const found = judgeStub(bytes, args);
  const code = disassemble(bytes, ZERO, () => `bpf_trace_run${args.length}`).map(({ offset, text }) => ({
    offset,
    text,
  }));
  const exit = found === undefined ? EXIT.HELD : EXIT.BROKEN;
  const verdict =
    found === undefined
      ? STUB_LAWS.filter(({ premise }) => premise(args)).map(({ name }) => `✓ ${name}`)
      : [`✗ ${found.law.name}`, `  expected   ${found.expected}`, `  observed   ${found.observed}`];
  const text = [
    `__bpf_trace_X(data, ${types}), ${bytes.length} bytes`,
    '',
    ...code.map((line) => `  +0x${line.offset.toString(16).padEnd(4)}  ${line.text}`),
    '',
    ...verdict,
  ];
  const breach =
    found === undefined ? null : { law: found.law.name, expected: found.expected, observed: found.observed };
  return {
    text: text.join('\n'),
    json: { command: 'stubs', exit, types, bytes: bytes.length, code, breach },
    exit,
    save: [],
  };
}
