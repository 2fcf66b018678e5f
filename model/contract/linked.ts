import type { FunctionName, Ip, LinkId, ProgId } from '../core/ids.ts';
import { CGROUP_DENIES } from '../trampoline/program.ts';
import type { Word } from '../x86/word.ts';
import { ZERO } from '../x86/word.ts';
import { joined, joinedCgroup, PLAIN } from './changes.ts';
import type { LoadedProgram, ProgramPromise, Promises } from './promises.ts';

/** A link: the program is on each of its targets, with the cookie of its load unless it gets another. */
export function linked(
  p: Promises,
  link: LinkId,
  prog: ProgId,
  targets: readonly FunctionName[],
  cookie = p.programs[prog]?.program.cookie ?? ZERO,
): Promises {
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
  const join = program.cgroup === true ? joinedCgroup : joined;
  return join(p, {
    ...PLAIN,
    who,
    object: link,
    kind: program.kind === 'freplace' ? 'extension' : 'program',
    ips,
    program: programPromise(p, load, ips, cookie),
    getFuncIp,
  });
}

/** A multi link counts the cookie up, from function to function. */
function programPromise(p: Promises, load: LoadedProgram, ips: readonly Ip[], cookie: Word): ProgramPromise {
  const { program, target, returns } = load;
  const { kind, multi, reads, accesses } = program;
  const given = cookie.lo !== 0 || cookie.hi !== 0;
  const cookies = Object.fromEntries(
    ips.map((ip, i) => [ip, given && multi ? { ...cookie, lo: cookie.lo + i } : cookie]),
  );
  const promise = { kind, multi, cookies, returns };
  if (program.cgroup === true) return { ...promise, returns: cgroupAnswer(p, load), cgroup: true };
  if (accesses !== undefined) return { ...promise, accessed: { in: target, numbers: accesses } };
  const stub = multi && reads === 'direct' ? p.stubWords : undefined;
  return stub === undefined ? promise : { ...promise, wordsMost: stub };
}

/** A program for a cgroup denies by 0: its hook returns `-EPERM` as 32 bits. */
function cgroupAnswer({ undeniable }: Promises, { target, returns }: LoadedProgram): Word {
  return returns.lo === 0 && !undeniable.includes(target) ? CGROUP_DENIES : ZERO;
}
