import { codeAt } from '../../model/call/body-code.ts';
import { multiLinksOnGraph } from '../../model/contract/on-graph.ts';
import { profileNamed } from '../../model/core/profile.ts';
import { abiSlots } from '../../model/trampoline/signature.ts';
import { functionNamed } from '../../model/trampoline/traced-function.ts';
import type { Moment } from '../law/sequence-law.ts';
import type { AskedCall, DeclaredInKernel } from './contract.ts';

/** A call of a sequence, for the conditions in its description. */
export function askedIn({ action, promised, before }: Moment): AskedCall<Moment['action']> {
  const points = Object.entries(before.tracepoints?.points ?? {});
  const declared: DeclaredInKernel = {
    isInstruction: (ip) => codeAt(before, ip).length > 0,
    argumentWords: (fn) => {
      const called = functionNamed(before.functions, fn);
      return called === undefined ? 0 : abiSlots(called.signature).length;
    },
    tracepoints: Object.fromEntries(
      points.map(([name, { sizes, faultable }]) => [name, { arguments: sizes.length, faultable }]),
    ),
    multiLinksOnGraph: multiLinksOnGraph(before),
  };
  return { action, promised, profile: profileNamed(before.profile), declared };
}
