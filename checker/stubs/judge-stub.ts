import type { Argument } from '../../model/abi/x86-64.ts';
import { executeStub } from '../../model/tracepoint/execute-stub.ts';
import type { StubFinding, StubLaw } from '../../properties/law/stub-law.ts';
import { STUB_LAWS } from '../../properties/tracepoint-laws.ts';

/** The law that a stub breaks, and how. */
export interface StubBreach extends StubFinding {
  readonly law: StubLaw;
}

/** Executes a stub and asks the laws; a run that goes wrong breaks the first. */
export function judgeStub(
  stub: Uint8Array,
  args: readonly Argument[],
  laws: readonly StubLaw[] = STUB_LAWS,
): StubBreach | undefined {
  const run = executeStub(stub, args.length);
  if (typeof run === 'string')
    return { law: laws[0]!, expected: 'the stub comes to __bpf_trace_run()', observed: run };
  for (const law of laws) {
    const found = law.judge(args, run);
    if (found !== undefined) return { law, ...found };
  }
  return undefined;
}
