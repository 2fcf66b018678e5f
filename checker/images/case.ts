import { InputError } from '../../model/core/input-error.ts';
import type { BootName, KernelVersion } from '../../model/core/profile.ts';
import { PROFILES } from '../../model/core/profile.ts';
import type { Attempt, Target } from '../../model/trampoline/attach.ts';
import { requestFor } from '../../model/trampoline/attach.ts';
import type { BpfProgram, TracingKind } from '../../model/trampoline/program.ts';
import { isOfMember } from '../../model/trampoline/program.ts';
import type { SpelledProgram } from '../../model/trampoline/program-text.ts';
import type { Type } from '../../model/trampoline/signature.ts';
import { slotCount, typeNamed } from '../../model/trampoline/signature.ts';
import { stageSymbols } from '../../model/trampoline/stage/symbols.ts';
import { fromHex } from '../../model/x86/word.ts';
import type { Law } from '../../properties/law/image-law.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import type { Subject } from '../../properties/observed/subject.ts';
import { subjectFor } from '../../properties/observed/subject.ts';
import type { ImageBench } from './bench.ts';
import { benchFor } from './bench.ts';
import type { Known } from './known-breach.ts';
import { excuseFor } from './known-breach.ts';
import type { Besides, ImageVerdict } from './verdict.ts';
import { judgeBesides } from './verdict.ts';

/** One attach combination: what a search draws, a trace stores and a report shows. Plain data throughout. */
export interface ImageCase {
  readonly kernel: KernelVersion;
  readonly boot: BootName;
  /** The traced function starts with `endbr64`. */
  readonly ibt: boolean;
  /** Type names of the arguments and of the return value. */
  readonly args: readonly string[];
  readonly ret: string;
  /** In order of attachment; the first is prog#1. */
  readonly programs: readonly CaseProgram[];
  /** A live patch redirects the function before the first program attaches. */
  readonly ipmodify: boolean;
  /** The target is a BPF program that may make tail calls. */
  readonly tailCalls: boolean;
}

export type CaseProgram = SpelledProgram;

/** The program as a tracing program of some kind: only a session has a session cookie. */
export function ofKind({ structOps: _, ...program }: CaseProgram, kind: TracingKind): CaseProgram {
  return { ...program, kind, sessionCookie: program.sessionCookie && kind === 'fsession' };
}

/** The kernels, each with functions that may sleep: those of 6.1 are in ALLOW_ERROR_INJECTION(). */
const SLEEPABLE = Object.fromEntries(
  Object.entries(PROFILES).map(([kernel, profile]) => [kernel, { ...profile, sleepableTargets: true }]),
) as typeof PROFILES;

export function targetOfCase(c: ImageCase): Target {
  if (isOfMember(c.programs) && (c.programs.length > 1 || c.ipmodify || c.tailCalls))
    throw new InputError(
      'a struct_ops member has one program, and is no function that a live patch redirects',
    );
  const profile = SLEEPABLE[c.kernel];
  return {
    profile,
    mitigations: profile.boots[c.boot],
    ibt: c.ibt,
    signature: { args: c.args.map(requireType), ret: requireType(c.ret) },
    listing: c.programs.some(({ lsm }) => lsm === true) ? 'sleepable_lsm' : 'traced',
    noreturn: false,
    ipmodify: c.ipmodify,
    bpf: c.tailCalls,
    tailCallCtx: c.tailCalls,
  };
}

function requireType(name: string): Type {
  const type = typeNamed(name);
  if (type === undefined) throw new Error(`${name} is not a type`);
  return type;
}

export function programsOfCase(c: ImageCase): BpfProgram[] {
  return c.programs.map(
    ({ kind, multi, cookie, getFuncIp, sessionCookie, sleepable, lsm, cgroup, shim, structOps }, i) => ({
      id: i + 1,
      kind,
      multi,
      cookie: fromHex(cookie),
      getFuncIp,
      sessionCookie,
      sleepable,
      ...(lsm === undefined ? {} : { lsm }),
      ...(cgroup === undefined ? {} : { cgroup }),
      ...(shim === undefined ? {} : { shim }),
      ...(structOps === undefined ? {} : { structOps }),
      reads: 'helpers',
    }),
  );
}

/** The outcome of a case: refused with nothing attached, or judged with the programs that did attach. */
export interface CaseOutcome extends Omit<Besides, 'verdict'> {
  readonly attempt: Attempt;
  readonly subject: Subject | undefined;
  readonly verdict: ImageVerdict | undefined;
}

/** The questions about a case. */
export interface CaseQuestion {
  readonly laws: readonly Law[];
  readonly known: readonly Known[];
}

/** Attaches the programs of a case, generates the image, and judges it. */
export function runCase(bench: ImageBench, c: ImageCase, { laws, known }: CaseQuestion): CaseOutcome {
  const { stage, tools } = bench;
  const target = targetOfCase(c);
  const where = {
    base: stage.layout.image,
    resolve: stageSymbols(stage, slotCount(target.signature), c.ibt),
  };
  const attempt = tools.attach(target, programsOfCase(c), where);
  const refused = { attempt, subject: undefined, verdict: undefined, known: [], places: NOWHERE };
  if (attempt.attached.length === 0) return refused;
  const subject = subjectFor(stage, requestFor(target, attempt), tools);
  if (typeof subject === 'string') return refused;
  const own = bench.isChanged ? () => knownPlaces(c, known) : undefined;
  return { attempt, subject, ...judgeBesides(stage, subject, laws, excuseFor(known, subject, own)) };
}

const NOWHERE: ReadonlySet<string> = new Set();

/** Which known breaches the kernel's own image for a case shows, and where. */
export function knownPlaces(c: ImageCase, known: readonly Known[]): ReadonlySet<string> {
  kernelBench ??= benchFor(undefined);
  return runCase(kernelBench, c, { laws: IMAGE_LAWS, known }).places;
}

/** A bench of its own: it is used while another one is in use. */
let kernelBench: ImageBench | undefined;
