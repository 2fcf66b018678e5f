import type { FunctionName, Ip, LinkId, ProgId } from '../core/ids.ts';
import { joined, PLAIN } from './changes.ts';
import type { LoadedProgram, ProgramPromise, Promises } from './promises.ts';

/** A link: the program is on each of its targets. */
export function linked(p: Promises, link: LinkId, prog: ProgId, targets: readonly FunctionName[]): Promises {
  const load = p.programs[prog];
  if (load === undefined) return p;
  const { program, target, probe, returns } = load;
  const { getFuncIp } = program;
  const who = `prog#${prog}`;
  if (probe !== '') {
    // A session program that returns another value than 0 at the entry has no call at the return.
    const nonzero = returns.lo !== 0 || returns.hi !== 0;
    return joined(p, {
      ...PLAIN,
      who,
      object: link,
      kind: 'kprobe.multi',
      ips: targets,
      entry: probe !== 'return',
      exit: probe !== 'entry',
      vetoes: probe === 'session' && nonzero,
      getFuncIp,
    });
  }
  const ips = program.multi ? targets : [target];
  return joined(p, {
    ...PLAIN,
    who,
    object: link,
    kind: program.kind === 'freplace' ? 'extension' : 'program',
    ips,
    program: programPromise(p, load, ips),
    getFuncIp,
  });
}

/** A multi link counts the cookie up, from function to function. */
function programPromise(
  { stubWords }: Promises,
  { program, target, returns }: LoadedProgram,
  ips: readonly Ip[],
): ProgramPromise {
  const { kind, cookie, multi, reads, accesses } = program;
  const given = cookie.lo !== 0 || cookie.hi !== 0;
  const cookies = Object.fromEntries(
    ips.map((ip, i) => [ip, given && multi ? { ...cookie, lo: cookie.lo + i } : cookie]),
  );
  const promise = { kind, multi, cookies, returns };
  if (accesses !== undefined) return { ...promise, accessed: { in: target, numbers: accesses } };
  const stub = multi && reads === 'direct' && stubWords !== undefined;
  return stub ? { ...promise, wordsMost: stubWords } : promise;
}
