import { PROFILES } from '../../model/core/profile.ts';
import { printProgram } from '../../model/trampoline/program-text.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import type { ImageCase } from './case.ts';
import { targetOfCase } from './case.ts';

/** A case on one line: `6.12 stuff: u64 x7 -> u64; fexit get_func_ip, fentry cookie=0x1; live patch`. */
export function printCase(c: ImageCase): string {
  const where = [c.kernel, ...(c.boot === 'default' ? [] : [c.boot]), ...ibtNote(c)].join(' ');
  const { signature } = targetOfCase(c);
  const around = [...(c.ipmodify ? ['live patch'] : []), ...(c.tailCalls ? ['tail calls'] : [])];
  return [`${where}: ${printSignature(signature)}`, c.programs.map(printProgram).join(', '), ...around].join(
    '; ',
  );
}

/** Printed only when it differs from the recorded builds of that kernel. */
function ibtNote(c: ImageCase): string[] {
  if (c.ibt === PROFILES[c.kernel].ibt) return [];
  return [c.ibt ? 'ibt' : 'no-ibt'];
}
