import type { Action } from '../../model/action.ts';
import type { BootName } from '../../model/core/profile.ts';
import { BOOTS, PROFILES, profileNamed } from '../../model/core/profile.ts';
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

/** Their images are those of the default boot. */
const SAME_AS_DEFAULT: ReadonlySet<BootName> = new Set(['mitoff', 'kaslr']);

/** The attach combinations for which images were made while multi links were attached: each once. */
export class ImagesSeen {
  private readonly cases = new Map<string, Case>();

  /** After a link has come or gone: notes the images of trampolines that have a program of a multi link. */
  look({ action, after: k }: Moment): 'no say' {
    if (LINKS.has(action.do)) this.lookInto(k);
    return 'no say';
  }

  private lookInto(k: Kernel): void {
    for (const [target, { nodes, curImage, imageWords }] of Object.entries(k.bpf.trampolines)) {
      const isOfOne = nodes.some(({ link }) => k.bpf.links[link]?.kind === 'tracing multi');
      if (curImage === '' || !isOfOne || imageWords !== undefined) continue;
      const c = caseOf(k, target);
      this.cases.set(JSON.stringify(c), c);
    }
  }

  /** Decides each for all argument values, with each of the mitigations, and counts what met the premise of each law. */
  judge(tally: Tally): void {
    const bench = benchFor(undefined);
    const boots = BOOTS.filter((boot) => !SAME_AS_DEFAULT.has(boot));
    const cases = [...this.cases.values()].flatMap((c) => boots.map((boot) => ({ ...c, boot })));
    for (const c of cases) {
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
    programs: programsOf(k, k.bpf.trampolines[target]!.nodes).map((program) =>
      caseProgram(program, takesMulti),
    ),
    ipmodify: k.bpf.trampolines[target]!.flags.SHARE_IPMODIFY,
    tailCalls: false,
  };
}

function caseProgram(program: Program, takesMulti: boolean): CaseProgram {
  const { kind, multi, cookie, getFuncIp, sessionCookie, sleepable } = program;
  return { kind, multi: multi && takesMulti, cookie: toHex(cookie), getFuncIp, sessionCookie, sleepable };
}
