import type { ImageBench } from '../../checker/images/bench.ts';
import { benchFor } from '../../checker/images/bench.ts';
import type { CaseOutcome, CaseProgram, ImageCase } from '../../checker/images/case.ts';
import { knownPlaces, programsOfCase, runCase, targetOfCase } from '../../checker/images/case.ts';
import { excuseFor } from '../../checker/images/known-breach.ts';
import { judgeBesides } from '../../checker/images/verdict.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import type { Action } from '../../model/client/all.ts';
import { entry } from '../../model/core/present.ts';
import type { BootName, KernelVersion } from '../../model/core/profile.ts';
import { BOOTS, PROFILES, profileNamed } from '../../model/core/profile.ts';
import type { KernelView } from '../../model/kernel.ts';
import { SITE_BYTES } from '../../model/text/text.ts';
import { requestFor } from '../../model/trampoline/attach.ts';
import type { BpfProgram } from '../../model/trampoline/program.ts';
import { knownFunction } from '../../model/trampoline/traced-function.ts';
import { programsOf } from '../../model/trampoline/update.ts';
import { toHex } from '../../model/x86/word.ts';
import { rendered } from '../../properties/finding/render.ts';
import type { Moment } from '../../properties/law/sequence-law.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { subjectFor } from '../../properties/observed/subject.ts';
import type { DesignTally } from './tally.ts';

const LINKS: ReadonlySet<Action['do']> = new Set([
  'BPF_LINK_CREATE',
  'BPF_RAW_TRACEPOINT_OPEN',
  'close(link)',
]);

/** Their images are those of the default boot. */
const SAME_AS_DEFAULT: ReadonlySet<BootName> = new Set(['mitoff', 'kaslr']);

/** The request that an image was generated for. */
interface Seen {
  readonly case: ImageCase;
  /**
   * Of an image shared by many functions: bytes from a function's start to the return address of its call
   * site.
   */
  readonly returnOffset?: number;
}

/** The requests that images were generated for while multi links were attached: each once. */
export class ImagesSeen {
  private readonly all = new Map<string, Seen>();

  /** After a link has been attached or detached: notes the images that have a program of a multi link. */
  look({ action, after: k }: Moment): 'not applicable' {
    if (LINKS.has(action.do)) this.lookInto(k);
    return 'not applicable';
  }

  private lookInto(k: KernelView): void {
    for (const [target, { nodes, curImage, imageWords }] of Object.entries(k.bpf.trampolines)) {
      const isOfOne = nodes.some(({ link }) => k.bpf.links[link]?.kind === 'tracing multi');
      if (curImage === '' || !isOfOne || imageWords !== undefined) continue;
      this.note({ case: caseOf(k, target) });
    }
    for (const { state, words, programs } of Object.values(k.bpf.images))
      if (state === 'live' && words !== undefined)
        this.note({ case: sharedCase(k, words, programs), returnOffset: k.text.siteOffset + SITE_BYTES });
  }

  private note(seen: Seen): void {
    this.all.set(JSON.stringify(seen), seen);
  }

  /** Decides each for all argument values, with each of the mitigations, and counts what met the premise of each law. */
  judge(tally: DesignTally): void {
    const bench = benchFor(undefined);
    const boots = BOOTS.filter((boot) => !SAME_AS_DEFAULT.has(boot));
    for (const { case: seen, returnOffset } of this.all.values())
      for (const boot of boots) {
        const c = { ...seen, boot };
        count(
          returnOffset === undefined
            ? runCase(bench, c, { laws: IMAGE_LAWS, known: KNOWN })
            : runShared(bench, c, returnOffset),
          tally,
        );
      }
  }
}

type Judged = Pick<CaseOutcome, 'subject' | 'verdict' | 'known'>;

function count({ subject, verdict, known }: Judged, tally: DesignTally): void {
  if (subject === undefined || verdict === undefined) return;
  for (const law of IMAGE_LAWS) if (law.premise(subject)) tally.meet(law.name);
  for (const { name } of known) tally.known.add(name);
  if (verdict.breach !== undefined) tally.find(verdict.breach.law.name, rendered(verdict.breach.finding));
}

/** An image shared by many functions, around a function with exactly the arguments that it prepares. */
function runShared({ stage, tools }: ImageBench, c: ImageCase, returnOffset: number): Judged {
  const target = targetOfCase(c);
  const attempt = { attached: programsOfCase(c), shareIpmodify: true, refusal: undefined };
  const subject = subjectFor(stage, { ...requestFor(target, attempt), returnOffset }, tools);
  if (typeof subject === 'string')
    throw new Error(`the kernel generated an image that the judge refuses: ${subject}`);
  const excuse = excuseFor(KNOWN, subject, () => knownPlaces(ownOf(c), KNOWN));
  return { subject, ...judgeBesides(stage, subject, IMAGE_LAWS, excuse) };
}

/** The request for which the kernel itself generates an image with these programs: some kernels have only single links. */
function ownOf(c: ImageCase): ImageCase {
  const programs = c.programs.map((program) => ({
    ...program,
    multi: program.multi && takesMulti(c.kernel),
  }));
  return { ...c, programs };
}

function takesMulti(kernel: KernelVersion): boolean {
  return PROFILES[kernel].multiLinks !== 'none';
}

/**
 * The request that a trampoline's image is generated for. Where single and multi links give the same bytes,
 * it counts as single.
 */
function caseOf(k: KernelView, target: string): ImageCase {
  const { kernel, ibt } = profileNamed(k.profile);
  const { signature } = knownFunction(k.functions, target);
  return {
    kernel,
    boot: 'default',
    ibt,
    args: signature.args.map(({ name }) => name),
    ret: signature.ret.name,
    programs: programsOf(k, entry(k.bpf.trampolines, target).nodes).map((program) =>
      caseProgram(program, takesMulti(kernel)),
    ),
    ipmodify: entry(k.bpf.trampolines, target).flags.SHARE_IPMODIFY,
    tailCalls: false,
  };
}

/** The request for an image shared by many functions: words, without their types. */
function sharedCase(k: KernelView, words: number, programs: readonly number[]): ImageCase {
  const { kernel, ibt } = profileNamed(k.profile);
  return {
    kernel,
    boot: 'default',
    ibt,
    args: Array.from({ length: words }, () => 'u64'),
    ret: 'u64',
    programs: programs.map((id) => caseProgram(entry(k.bpf.progs, id).program, true)),
    ipmodify: true,
    tailCalls: false,
  };
}

function caseProgram(program: BpfProgram, takesMulti: boolean): CaseProgram {
  const { kind, multi, cookie, getFuncIp, sessionCookie, sleepable } = program;
  return { kind, multi: multi && takesMulti, cookie: toHex(cookie), getFuncIp, sessionCookie, sleepable };
}
