import { argumentOrigin, DATA_ORIGIN } from '../../model/tracepoint/execute-stub.ts';
import { tagOf, wholeGroup } from '../../model/x86/origin.ts';
import type { StubLaw } from '../law/stub-law.ts';
import { wrongByte } from '../observed/context-bytes.ts';

export const argumentsReachTheContext: StubLaw = {
  name: 'tracepoint/arguments-reach-the-context',
  sentence:
    'The stub of a raw tracepoint stores argument i in ctx[i] and passes on the data that was registered.',
  source: 'include/trace/bpf_probe.h  __BPF_DECLARE_TRACE; kernel/trace/bpf_trace.c  bpf_trace_run1',
  witness: 'a stub with an argument',
  premise: (args) => args.length > 0,
  judge: (args, { data, context }) => {
    if (wholeGroup(data.tagLo, data.tagHi) !== DATA_ORIGIN)
      return { is: 'data-of-the-probe-is-lost', observed: data };
    return wrongByte(
      args,
      context,
      (byte, size) => byte < size,
      (i, byte) => tagOf(argumentOrigin(i), byte),
    );
  },
};
