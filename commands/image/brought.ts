import type { ImageCase } from '../../checker/images/case.ts';
import { knownPlaces, programsOfCase, targetOfCase } from '../../checker/images/case.ts';
import { excuseFor } from '../../checker/images/known-breach.ts';
import { printCase } from '../../checker/images/spelling.ts';
import type { Besides } from '../../checker/images/verdict.ts';
import { judgeBesides } from '../../checker/images/verdict.ts';
import { foreignImage, stageForeign, UnmatchedImage } from '../../conformance/images/foreign.ts';
import type { Identity, Located } from '../../conformance/images/identity.ts';
import { basicSymbols, compareImage } from '../../conformance/images/identity.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { printReport } from '../../counterexamples/images/report.ts';
import { wrap } from '../../counterexamples/text.ts';
import { InputError } from '../../model/core/input-error.ts';
import type { Attempt } from '../../model/trampoline/attach.ts';
import { attachPrograms, requestFor } from '../../model/trampoline/attach.ts';
import { LAYOUT } from '../../model/trampoline/stage/layout.ts';
import type { Stage } from '../../model/trampoline/stage/stage.ts';
import { isDirectBranch, sweep } from '../../model/x86/sweep.ts';
import { UnsupportedInstruction } from '../../model/x86/unsupported.ts';
import { toHex } from '../../model/x86/word.ts';
import type { Law } from '../../properties/law/image-law.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import type { Subject } from '../../properties/observed/subject.ts';
import { imageJson, imageLines, NO_IMAGE_JSON, verdictJson, verdictLines } from '../abi/abi.ts';
import type { Symbols } from './symbols.ts';

/** A developer's image, with its description. */
export interface OwnImage {
  readonly bytes: Uint8Array;
  readonly symbols: Symbols;
  /** Name of the file of symbols. */
  readonly symbolsFile: string;
  readonly case: ImageCase;
}

/** The same on a command line. */
export interface Brought extends OwnImage {
  /** The command that judged it, for pasting. */
  readonly command: string;
}

/** The bytes of an image file: hexadecimal digits with anything usual between them, or the bytes themselves. */
export function imageBytes(content: Uint8Array, file: string): Uint8Array {
  const text = Buffer.from(content).toString('latin1');
  if (content.length === 0) throw new InputError(`${file}: empty file`);
  const bytes = bytesOf(content, text, file);
  if (bytes.length > BYTES_MOST)
    throw new InputError(`${file}: an image of ${bytes.length} bytes; at most ${BYTES_MOST} are judged`);
  return withoutPadding(bytes);
}

/** Bytes of an image at most: the largest one that a kernel generates has a page. */
const BYTES_MOST = 2 ** 16;

function bytesOf(content: Uint8Array, text: string, file: string): Uint8Array {
  if (!/^[\s0-9a-fx,\\]*$/i.test(text)) return Uint8Array.from(content);
  const digits = text.replace(/0x|\\x|[\s,]/gi, '');
  if (digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits))
    throw new InputError(`${file}: an odd number of hexadecimal digits`);
  return Uint8Array.from(Buffer.from(digits, 'hex'));
}

/**
 * A dump may end in the unused rest of the image's memory, int3 or zero. A zero can also be the end of the last
 * jump, and one int3 belongs to a plain return.
 */
function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0xcc || bytes[end - 1] === 0)) end--;
  const whole = [0, 1, 2, 3, 4].find((more) => isWhole(bytes.subarray(0, end + more)));
  if (whole === undefined) return bytes;
  const code = bytes.subarray(0, end + whole);
  return bytes[code.length] === 0xcc ? bytes.subarray(0, code.length + 1) : code;
}

/** Whether some bytes are whole instructions to their end. */
function isWhole(bytes: Uint8Array): boolean {
  try {
    return sweep(bytes, LAYOUT.image).length > 0;
  } catch (error) {
    if (error instanceof UnsupportedInstruction) return false;
    throw error;
  }
}

/** Runs an image on all its paths and checks every law. */
export function judgeBrought(brought: Brought): Answer {
  const found = locateBrought(brought);
  try {
    const staged = stageBrought(brought, found);
    return answerOf({ ...staged, brought, judged: judgeStaged(staged, brought.case) });
  } catch (error) {
    if (!(error instanceof UnmatchedImage)) throw error;
    const json = {
      command: 'image',
      exit: EXIT.BROKEN,
      case: brought.case,
      difference: found.identity.difference ?? null,
      verdict: 'broken',
      ...NO_IMAGE_JSON,
      report: error.message,
    };
    return { text: `✗ ${error.message}`, json, exit: EXIT.BROKEN, save: [] };
  }
}

/** The attach combination that an image is judged as, and how it compares with the model's. */
export interface LocatedBrought {
  readonly attempt: Attempt;
  readonly located: Located;
  readonly identity: Identity;
}

/** Throws an InputError if the image refers to an address without a name. */
export function locateBrought(brought: OwnImage): LocatedBrought {
  const { attempt, located } = locate(brought);
  requireNames(brought, located);
  return { attempt, located, identity: compareImage(located) };
}

/** An image on a stage, ready to be called. */
export interface StagedBrought extends Omit<LocatedBrought, 'located'> {
  readonly stage: Stage;
  readonly subject: Subject;
}

/** Throws an UnmatchedImage when it does not do what its programs require. */
export function stageBrought({ symbols }: OwnImage, found: LocatedBrought): StagedBrought {
  const { attempt, located, identity } = found;
  const image = foreignImage(located, identity);
  const { patchPoints, entry } = symbols;
  const { stage, subject } = stageForeign({ ...image, patchPoints: patchPoints ?? image.patchPoints });
  const jmp = entry === undefined ? subject.entry.jmp : entry === 'jmp';
  return { attempt, identity, stage, subject: { ...subject, entry: { ...subject.entry, jmp } } };
}

/** Checks laws on it; known breaches of the kernel's own image are set aside. */
export function judgeStaged(
  { identity, stage, subject }: StagedBrought,
  c: ImageCase,
  laws: readonly Law[] = IMAGE_LAWS,
): Besides {
  const own = identity.difference === undefined ? undefined : () => knownPlaces(c, KNOWN);
  return judgeBesides(stage, subject, laws, excuseFor(KNOWN, subject, own));
}

/** The image is judged as if all programs were attached, even if the model refuses some. */
function locate({ bytes, symbols, case: c }: OwnImage): { attempt: Attempt; located: Located } {
  const target = targetOfCase(c);
  const programs = programsOfCase(c);
  const model = attachPrograms(target, programs, { base: LAYOUT.image, resolve: () => undefined });
  const shareIpmodify = c.ipmodify && programs.some(({ kind }) => kind !== 'fentry');
  const attempt = { ...model, attached: programs, shareIpmodify };
  const request = requestFor(target, attempt);
  const base = symbols.image;
  const known = new Map([...basicSymbols(base, symbols.traced, c.ibt), ...symbols.named]);
  return {
    attempt,
    located: { request, bytes, base, traced: symbols.traced, symbols: known, nameless: new Set() },
  };
}

/** Every branch out of the image needs a target with a name. */
function requireNames({ bytes, symbolsFile }: OwnImage, { base, symbols }: Located): void {
  const named = new Set([...symbols.values()].map(toHex));
  for (const swept of sweep(bytes, base)) {
    const inside = swept.target.hi === base.hi && (swept.target.lo - base.lo) >>> 0 < bytes.length;
    if (!isDirectBranch(swept) || inside || named.has(toHex(swept.target))) continue;
    const from = `tramp#1+0x${swept.offset.toString(16)}`;
    throw new InputError(
      `${from} branches to ${toHex(swept.target)}, which has no name in ${symbolsFile}: add it there, or the image is damaged`,
    );
  }
}

interface Judged extends StagedBrought {
  readonly brought: Brought;
  readonly judged: Besides;
}

function answerOf(j: Judged): Answer {
  const { verdict, known } = j.judged;
  const broken = verdict.breach !== undefined;
  const exit = broken ? EXIT.BROKEN : EXIT.HELD;
  const { difference } = j.identity;
  const text = [
    ...wrap(printCase(j.brought.case), 80),
    ...wrap(
      `the model ${difference === undefined ? 'generates the same bytes' : `differs: ${difference}`}`,
      80,
    ),
    ...(broken ? reportOf(j) : verdictLines(verdict, j.subject, known)),
    '',
    ...imageLines(j.subject, difference === undefined),
  ];
  const json = {
    command: 'image',
    exit,
    case: j.brought.case,
    difference: difference ?? null,
    ...verdictJson(verdict, j.subject, known),
    ...imageJson(j.subject),
    report: broken ? reportOf(j).join('\n') : null,
  };
  return { text: text.join('\n'), json, exit, save: [] };
}

function reportOf({ brought, attempt, subject, judged }: Judged): string[] {
  return printReport({
    case: brought.case,
    attempt: { ...attempt, refusal: undefined },
    subject,
    breach: judged.verdict.breach!,
    shrunkFrom: undefined,
    planted: undefined,
    why: undefined,
    narrow: 'only this image was judged',
    minimal: 'not searched: the image is given',
    replay: brought.command,
    search: undefined,
  }).split('\n');
}
