import { tagName } from '../../model/trampoline/stage/groups.ts';
import type { Stage } from '../../model/trampoline/stage/stage.ts';
import { describeFault, placeOf } from '../../model/x86/machine.ts';
import type { Finding, Law } from '../../properties/law/image-law.ts';
import { onlyMovesArguments } from '../../properties/trampoline/only-moves-arguments.ts';
import { runsToItsReturn } from '../../properties/trampoline/runs-to-its-return.ts';
import { storesStayInTheFrame } from '../../properties/trampoline/stores-stay-in-the-frame.ts';
import type { StopPoint } from './segment.ts';

type Stopped = Extract<StopPoint, { kind: 'stopped' | 'astray' }>;

/** Which law a run breaks that does not come back to the caller, and how. */
export function stopFinding(stage: Stage, point: Stopped): { law: Law; finding: Finding } {
  if (point.kind === 'astray') {
    const observed = `it executes ${placeOf(stage.machine, point.at)}, where no instruction starts`;
    return { law: runsToItsReturn, finding: { expected: RETURNS, observed, at: point.at } };
  }
  const { stop } = point;
  if (stop.kind === 'budget')
    return {
      law: runsToItsReturn,
      finding: { expected: RETURNS, observed: 'it runs on without end', at: stop.at },
    };
  if (stop.kind === 'depends') {
    const expected = `no ${stop.what} depends on the value of an argument`;
    const observed = `this ${stop.what} depends on ${tagName(stop.tag)}`;
    return { law: onlyMovesArguments, finding: { expected, observed, at: stop.at } };
  }
  const outside = stop.fault.access === 'write' && stop.fault.kind === 'not writable';
  const law = outside ? storesStayInTheFrame : runsToItsReturn;
  const expected = outside ? 'the image stores below its saved rbp' : RETURNS;
  return { law, finding: { expected, observed: describeFault(stage.machine, stop.fault), at: stop.at } };
}

const RETURNS = 'the call comes back to the caller';
