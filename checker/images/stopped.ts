import type { Stage } from '../../model/trampoline/stage/stage.ts';
import { placedFault, placeOf } from '../../model/x86/machine.ts';
import type { FoundInImage, Law } from '../../properties/law/image-law.ts';
import { argumentsAreOnlyCopied } from '../../properties/trampoline/arguments-are-only-copied.ts';
import { imageReturnsWithoutAFault } from '../../properties/trampoline/image-returns-without-a-fault.ts';
import { storesStayInTheFrame } from '../../properties/trampoline/stores-stay-in-the-frame.ts';
import type { StopPoint } from './segment.ts';

type Stopped = Extract<StopPoint, { kind: 'stopped' | 'astray' }>;

/** The law that a run breaks by not returning to the caller, and how. */
export function stopFinding(stage: Stage, point: Stopped): { law: Law; found: FoundInImage } {
  if (point.kind === 'astray') {
    const place = placeOf(stage.machine, point.at);
    return breaks(imageReturnsWithoutAFault, {
      finding: { is: 'runs-where-nothing-starts', place },
      at: point.at,
    });
  }
  const { stop } = point;
  if (stop.kind === 'budget')
    return breaks(imageReturnsWithoutAFault, { finding: { is: 'runs-without-end' }, at: stop.at });
  if (stop.kind === 'depends') {
    const { what, tag } = stop;
    return breaks(argumentsAreOnlyCopied, { finding: { is: 'depends-on-a-value', what, tag }, at: stop.at });
  }
  const fault = placedFault(stage.machine, stop.fault);
  if (fault.access === 'write' && fault.kind === 'not writable')
    return breaks(storesStayInTheFrame, { finding: { is: 'store-is-refused', fault }, at: stop.at });
  return breaks(imageReturnsWithoutAFault, { finding: { is: 'access-is-refused', fault }, at: stop.at });
}

function breaks(law: Law, found: FoundInImage): { law: Law; found: FoundInImage } {
  return { law, found };
}
