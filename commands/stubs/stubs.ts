import { judgeStub } from '../../checker/stubs/judge-stub.ts';
import { readText } from '../../conformance/files.ts';
import type { RecordedStub } from '../../conformance/tracepoint/recorded-stub.ts';
import { parseRecordedStubs } from '../../conformance/tracepoint/recorded-stub.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { count, WIDTH, wrap } from '../../counterexamples/text.ts';
import { item, present } from '../../model/core/present.ts';
import type { KernelVersion } from '../../model/core/profile.ts';
import { KERNELS, PROFILES } from '../../model/core/profile.ts';
import { assembleStub } from '../../model/tracepoint/execute-stub.ts';
import { emitGrabbedArguments } from '../../model/tracepoint/perf-probe.ts';
import { emitStub, planStub } from '../../model/tracepoint/stub.ts';
import { typeNamed } from '../../model/trampoline/signature.ts';
import { hexBytes } from '../../model/x86/listing.ts';
import type { StubLaw } from '../../properties/law/stub-law.ts';
import { PLANTED_STUBS } from '../../properties/planted/stubs/stubs.ts';
import { STUB_LAWS } from '../../properties/tracepoint-laws.ts';
import { lawLines } from '../check/pass.ts';
import { grid } from '../compare/grid.ts';
import { named } from '../line/options.ts';
import { plantedStub, stubOf } from './stub-answer.ts';

/** The stubs of one kernel: their number, how many are generated to the byte, and for how many all laws hold. */
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

/** The options of `stubs`, as the command line gives them. */
export interface StubsLine {
  readonly law?: string;
  readonly planted?: string;
}

/** The command `stubs`: of one prototype, with a planted bug, or those of recorded kernels against the model. */
export function stubsCommand(types: string | undefined, line: StubsLine, path: string): Answer {
  const planted =
    line.planted === undefined ? undefined : named(line.planted, PLANTED_STUBS, 'planted bug of stubs');
  const asked = line.law?.split(',').map((name) => named(name.trim(), STUB_LAWS, 'law of stubs'));
  const laws = asked ?? (planted === undefined ? STUB_LAWS : [planted.law]);
  if (types !== undefined) return stubOf(types, { laws, planted });
  return planted === undefined ? stubsAnswer(path, laws) : plantedStub(planted, laws);
}

/** The stubs of recorded kernels against the model. */
export function stubsAnswer(path: string, laws: readonly StubLaw[] = STUB_LAWS): Answer {
  const all = parseRecordedStubs(readText(path), path);
  const kernels = KERNELS.map((kernel) => {
    const own = all.filter((item) => item.kernel === kernel);
    return kernelStubs(kernel, own, laws);
  });
  const met = laws.map((law) => all.filter((stub) => law.premise(typesOf(stub))).length);
  const good = kernels.every(({ stubs, sameBytes, held }) => sameBytes === stubs && held === stubs);
  const exit = good ? EXIT.HELD : EXIT.BROKEN;
  const lawful = good
    ? laws.flatMap((law, i) => lawLines(law, { met: item(met, i), of: all.length, noun: 'stub' }))
    : [];
  return {
    text: [...summary(kernels), ...(good ? ['', ...lawful] : [])].join('\n'),
    json: {
      command: 'stubs',
      exit,
      kernels,
      laws: laws.map(({ name }, i) => ({ name, stubs: item(met, i) })),
    },
    exit,
    save: [],
  };
}

/** `jmp` with its distance, of which a recording has the opcode. */
const DISTANCE_BYTES = 4;
const ALIGNMENT = 16;

function kernelStubs(
  kernel: KernelVersion,
  stubs: readonly RecordedStub[],
  laws: readonly StubLaw[],
): KernelStubs {
  const sizes = stubs.map(({ code }) => code.length / 2 + DISTANCE_BYTES);
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    kernel,
    tracepoints: sum(stubs.map(({ events }) => events.length)),
    stubs: stubs.length,
    sameBytes: stubs.filter(isSame).length,
    held: stubs.filter((stub) => judgeStub(Buffer.from(stub.code, 'hex'), typesOf(stub), laws) === undefined)
      .length,
    bytes: sum(sizes),
    aligned: sum(sizes.map((bytes) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT)),
    grabbed: sum(
      stubs.map(
        (stub) => assembleStub((a) => emitGrabbedArguments(a, typesOf(stub), PROFILES[kernel])).length,
      ),
    ),
  };
}

function typesOf({ args }: RecordedStub) {
  return args.map((name) => present(typeNamed(name), name));
}

/** Whether the model generates the same code. */
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
      'same bytes: the model generates the same code. hold: executed once for all arguments, every law holds. ' +
        'aligned: each at a multiple of 16 bytes. grabbed: bytes of the 2017 alternative, which builds an array of the ' +
        'arguments in each perf_trace_X(). Kernels with IBT have 4 bytes of endbr64 in each stub.',
      WIDTH,
    ),
  ];
}
