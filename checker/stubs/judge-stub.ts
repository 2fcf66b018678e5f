import type { Argument } from '../../model/abi/x86-64.ts';
import { item } from '../../model/core/present.ts';
import { executeStub } from '../../model/tracepoint/execute-stub.ts';
import type { StubFinding } from '../../properties/finding/stub-finding.ts';
import type { StubLaw } from '../../properties/law/stub-law.ts';
import { STUB_LAWS } from '../../properties/tracepoint-laws.ts';

/** The law that a stub breaks, and how. */
export interface StubBreach {
  readonly law: StubLaw;
  readonly finding: StubFinding;
}

/** Executes a stub and checks the laws; a run that fails breaks the first. */
export function judgeStub(
  stub: Uint8Array,
  args: readonly Argument[],
  laws: readonly StubLaw[] = STUB_LAWS,
): StubBreach | undefined {
  const run = executeStub(stub, args.length);
  if ('is' in run) return { law: item(laws, 0), finding: { is: 'stub-does-not-arrive', failure: run } };
  for (const law of laws) {
    const finding = law.judge(args, run);
    if (finding !== undefined) return { law, finding };
  }
  return undefined;
}
