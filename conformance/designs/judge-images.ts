import type { Action } from '../../model/action.ts';
import { PROFILES, profileNamed } from '../../model/core/profile.ts';
import type { Kernel } from '../../model/kernel.ts';
import type { Program } from '../../model/trampoline/program.ts';
import { functionNamed } from '../../model/trampoline/traced-function.ts';
import { programsOf } from '../../model/trampoline/update.ts';
import { toHex } from '../../model/x86/word.ts';
import type { Moment } from '../../properties/attach/moment.ts';
import { benchFor } from '../../properties/bench.ts';
import type { Case, CaseProgram } from '../../properties/case.ts';
import { runCase } from '../../properties/case.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { KNOWN } from '../known/known.ts';
import type { Tally } from './tally.ts';

const LINKS: ReadonlySet<Action['do']> = new Set([
  'BPF_LINK_CREATE',
  'BPF_RAW_TRACEPOINT_OPEN',
  'close(link)',
]);

/** The attach combinations for which images were made while multi links were attached: each once. */
export class ImagesSeen {
  private readonly cases = new Map<string, Case>();

  /** After a link has come or gone: notes the images of trampolines that have a program of a multi link. */
  look({ action, after: k }: Moment): void {
    if (!LINKS.has(action.do)) return;
    for (const [target, { nodes, curImage }] of Object.entries(k.bpf.trampolines)) {
      const isOfOne = nodes.some(({ link }) => k.bpf.links[link]?.kind === 'tracing multi');
      if (curImage === '' || !isOfOne) continue;
      const c = caseOf(k, target);
      this.cases.set(JSON.stringify(c), c);
    }
  }

  /** Decides each for all argument values, and counts what met the premise of each law. */
  judge(tally: Tally): void {
    const bench = benchFor(undefined);
    for (const c of this.cases.values()) {
      const { subject, verdict, known } = runCase(bench, c, { laws: IMAGE_LAWS, known: KNOWN });
      if (subject === undefined || verdict === undefined) continue;
      for (const law of IMAGE_LAWS) if (law.premise(subject)) tally.meet(law.name);
      for (const { name } of known) tally.known.add(name);
      if (verdict.breach !== undefined) tally.find(verdict.breach.law.name, verdict.breach.finding);
    }
  }
}

/** What a trampoline's image is made for. Where the bytes are the same for single and multi links, they are single. */
function caseOf(k: Kernel, target: string): Case {
  const { kernel, ibt } = profileNamed(k.profile);
  const { signature } = functionNamed(k.functions, target)!;
  const takesMulti = PROFILES[kernel].multiLinks !== 'none';
  return {
    kernel,
    boot: 'default',
    ibt,
    args: signature.args.map(({ name }) => name),
    ret: signature.ret.name,
    programs: programsOf(k, target).map((program) => caseProgram(program, takesMulti)),
    ipmodify: k.bpf.trampolines[target]!.flags.SHARE_IPMODIFY,
    tailCalls: false,
  };
}

function caseProgram(program: Program, takesMulti: boolean): CaseProgram {
  const { kind, multi, cookie, getFuncIp, sessionCookie, sleepable } = program;
  return { kind, multi: multi && takesMulti, cookie: toHex(cookie), getFuncIp, sessionCookie, sleepable };
}
