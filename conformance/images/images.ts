import type { Known } from '../../checker/images/known-breach.ts';
import { excuseFor } from '../../checker/images/known-breach.ts';
import type { Breach } from '../../checker/images/paths.ts';
import { judgeBesides } from '../../checker/images/verdict.ts';
import { ERRNO, errnoName } from '../../model/core/errno.ts';
import type { BootName, RecordedVersion } from '../../model/core/profile.ts';
import type { Attempt } from '../../model/trampoline/attach.ts';
import { attachPrograms, requestFor } from '../../model/trampoline/attach.ts';
import type { PlanRequest } from '../../model/trampoline/plan/planner.ts';
import { LAYOUT } from '../../model/trampoline/stage/layout.ts';
import type { TracedFunction } from '../../model/trampoline/traced-function.ts';
import { nestingOf } from '../../model/trampoline/traced-function.ts';
import { UnsupportedInstruction } from '../../model/x86/unsupported.ts';
import { rendered } from '../../properties/finding/render.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import { KNOWN } from '../known/known.ts';
import { bodyNumber, numberInHash } from './bodies.ts';
import { compareCall, makeCall } from './call.ts';
import type { ForeignImage } from './foreign.ts';
import { foreignImage, UnmatchedImage } from './foreign.ts';
import { compareImage, locateRecorded } from './identity.ts';
import type { RecordedImage } from './record.ts';
import type { RecordedStage } from './stage.ts';
import { installRecorded, stageRecorded } from './stage.ts';
import { attachedPrograms, bootOf, programsOf, refusedProgram, targetOf, versionOf } from './target.ts';

/** The comparison of one record with the model. A sentence names a difference; undefined is agreement. */
export interface ImageResult {
  readonly place: string;
  readonly kernel: RecordedVersion;
  readonly boot: BootName;
  readonly func: string;
  readonly programs: readonly string[];
  /** What the kernel refused: `EINVAL at load`. */
  readonly refused: string | undefined;
  readonly attempt: ImageAspect<'agrees' | 'differs' | 'not decided'>;
  readonly image: ImageAspect<'identical' | 'different' | 'none' | 'not the attached one'>;
  readonly call: ImageAspect<'reproduced' | 'differs' | 'not modelled' | 'none'>;
  readonly laws: ImageAspect<'hold' | 'known' | 'broken' | 'not modelled' | 'none'>;
  /** Names of the known breaches that occurred. */
  readonly known: readonly string[];
  /** Paths through the image, each for all argument values. */
  readonly paths: bigint;
}

export interface ImageAspect<Status extends string> {
  readonly status: Status;
  readonly why: string | undefined;
}

function compared<Status extends string>(status: Status, why?: string): ImageAspect<Status> {
  return { status, why };
}

/** Compares one record in every way: the errno, the image, the call through it, and the laws on it. */
export function checkRecord(record: RecordedImage): ImageResult {
  const attempt = compareAttempt(record);
  const summary = {
    place: record.place,
    kernel: versionOf(record),
    boot: bootOf(record),
    func: record.func,
    programs: record.progs.map(({ spec }) => spec),
    refused: record.errno === 0 ? undefined : `${errnoName(record.errno)} at ${record.errno_stage}`,
    attempt,
  };
  const none = { call: compared('none'), laws: compared('none'), known: [], paths: 0n } as const;
  if (record.image_hex === undefined) return { ...summary, image: compared('none'), ...none };
  const stale = notTheAttached(record);
  if (stale !== undefined) return { ...summary, image: compared('not the attached one', stale), ...none };
  const request = recordedRequest(record);
  const located = locateRecorded(record, request);
  const identity = compareImage(located);
  const image =
    identity.difference === undefined
      ? compared('identical' as const)
      : compared('different' as const, identity.difference);
  return { ...summary, image, ...runRecorded(record, foreignImage(located, identity)) };
}

/** The stage of a record's image; undefined where none was recorded, or not that of the attached programs. */
export function stageOf(record: RecordedImage): RecordedStage | undefined {
  if (record.image_hex === undefined || notTheAttached(record) !== undefined) return undefined;
  const located = locateRecorded(record, recordedRequest(record));
  const image = foreignImage(located, compareImage(located));
  return stageRecorded(image, tracedBy(record, image));
}

/** The model's answers to the same attempts. */
function attemptOf(record: RecordedImage, count: number): Attempt {
  return attachPrograms(targetOf(record), programsOf(record).slice(0, count), {
    base: LAYOUT.image,
    resolve: () => undefined,
  });
}

/** The request for the image of the programs that did attach. */
function recordedRequest(record: RecordedImage): PlanRequest {
  return requestFor(targetOf(record), attemptOf(record, attachedPrograms(record)));
}

function compareAttempt(record: RecordedImage): ImageResult['attempt'] {
  if (record.errno !== 0 && refusedProgram(record) === undefined)
    return compared('not decided', 'kprobe.multi is not a trampoline program');
  const recorded = answer(attachedPrograms(record), record.errno, record.errno_stage);
  const attempt = attemptOf(record, programsOf(record).length);
  const { attached, refusal } = attempt;
  const model = answer(attached.length, refusal === undefined ? 0 : ERRNO[refusal.errno], refusal?.stage);
  return recorded === model
    ? compared('agrees')
    : compared('differs', `the kernel has ${recorded}, the model ${model}`);
}

function answer(attached: number, errno: number, stage: string | undefined): string {
  return `${attached} attached${errno === 0 ? '' : `, then ${errnoName(errno)} at ${stage}`}`;
}

/** Why an image in a record is not that of the attached programs, if so: the recorder found an older one. */
function notTheAttached(record: RecordedImage): string | undefined {
  if (attachedPrograms(record) === 0)
    return 'nothing is attached: the recorder found the image of a failed attempt';
  const live = /direct(?:\(jmp\))?-->bpf_trampoline_\d+\+0x0\/0x([0-9a-f]+)/.exec(
    record.enabled_functions ?? '',
  );
  const size = record.image_size_alloc;
  if (live === null || size === undefined || Number.parseInt(live[1]!, 16) === size) return undefined;
  return `the live image has 0x${live[1]} bytes, the recorded one 0x${size.toString(16)}: the recorder found a retired image`;
}

/** Runs the recorded bytes: once with the recorded registers, and on all paths for the laws. */
function runRecorded(
  record: RecordedImage,
  image: ForeignImage,
): Pick<ImageResult, 'call' | 'laws' | 'known' | 'paths'> {
  try {
    const staged = stageRecorded(image, tracedBy(record, image));
    const { stage, subject } = staged;
    const { verdict, known } = judgeBesides(stage, subject, IMAGE_LAWS, excuseFor(KNOWN, subject));
    installRecorded(staged, record);
    const observed = makeCall(staged, record);
    const difference = typeof observed === 'string' ? observed : compareCall(record, observed);
    const call =
      difference === undefined ? compared('reproduced' as const) : compared('differs' as const, difference);
    return {
      call,
      laws: lawsOf(verdict.breach, known),
      known: known.map(({ name }) => name),
      paths: verdict.paths,
    };
  } catch (error) {
    if (error instanceof UnmatchedImage)
      return {
        call: compared('differs', error.message),
        laws: compared('broken', error.message),
        known: [],
        paths: 0n,
      };
    if (error instanceof UnsupportedInstruction) {
      const unread = compared('not modelled' as const, error.message);
      return { call: unread, laws: unread, known: [], paths: 0n };
    }
    throw error;
  }
}

function tracedBy(record: RecordedImage, image: ForeignImage): TracedFunction {
  const name = record.func.replace(/^security_lab_/, '');
  return {
    name,
    id: numberOf(record),
    signature: image.request.signature,
    nesting: nestingOf(name),
    bpf: false,
    module: '',
    noreturn: false,
    listing: 'traced',
  };
}

/** The number of the traced function: from its name, or else from the hash that it returned in the recorded call. */
function numberOf(record: RecordedImage): number {
  const known = bodyNumber(record.func);
  if (known !== undefined) return known;
  const event = record.call.ev.find(({ h, fn }) => h === 'body' && fn === undefined);
  if (event?.ret === undefined) return 0;
  const id = numberInHash(BigInt(event.ret), (event.a ?? []).map(BigInt));
  if (id === undefined) throw new UnmatchedImage(`${record.func} does not return the hash of its arguments`);
  return id;
}

function lawsOf(breach: Breach | undefined, known: readonly Known[]): ImageResult['laws'] {
  if (breach !== undefined) return compared('broken', brokenText(breach));
  return compared(known.length === 0 ? 'hold' : 'known');
}

function brokenText({ law, finding }: Breach): string {
  const { expected, observed } = rendered(finding);
  return `${law.name}: ${expected}; ${observed}`;
}
