import { hasContextHelpers } from '../../../model/client/bpf-prog-load-text.ts';
import type { LoadedProgram } from '../../../model/contract/promises.ts';
import type { BpfProgram } from '../../../model/trampoline/program.ts';
import { count } from '../calls/searched-call.ts';

const KINDS = ['fentry', 'fexit', 'fmod_ret', 'fsession', 'freplace'];
const PROBES = ['', 'entry', 'return', 'session'];

/** The requests of a program. */
export function loadEffort({ program, btf, probe, returns }: LoadedProgram): number {
  const { kind, multi, cookie, getFuncIp, sessionCookie, sleepable, lsm, cgroup, reads, accesses } = program;
  const hasCookie = cookie.lo !== 0 || cookie.hi !== 0;
  const returnsOther = returns.lo !== 0 || returns.hi !== 0;
  const isUsual = reads === usualReads({ program, probe });
  const options = count(
    hasCookie,
    getFuncIp,
    sessionCookie,
    sleepable,
    lsm === true,
    cgroup === true,
    !isUsual,
    returnsOther,
    btf !== undefined,
  );
  const read = accesses === undefined ? 0 : accessEffort(accesses, reads);
  return KINDS.indexOf(kind) + 3 * PROBES.indexOf(probe) + 10 * count(multi) + 4 * options + read;
}

/** Of a first function few arguments are read, the first ones best, and not what it returns. */
function accessEffort(accesses: readonly number[], reads: BpfProgram['reads']): number {
  return 1 + accesses.reduce((total, number) => total + 1 + number, 0) + count(reads === 'return directly');
}

/** How a program reads its context, if nothing says otherwise: through helpers, where it has those. */
export function usualReads({
  program,
  probe,
}: Pick<LoadedProgram, 'program' | 'probe'>): BpfProgram['reads'] {
  return hasContextHelpers(probe, program.cgroup === true) ? 'helpers' : 'direct';
}
