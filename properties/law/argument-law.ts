import type { ArchName, passing } from '../../model/abi/arch.ts';
import type { Sharing, Traced, trampolinesNeeded } from '../../model/abi/sharing.ts';
import type { Signature } from '../../model/trampoline/signature.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import type { AbiFinding, SharedFinding } from '../finding/abi-finding.ts';

/** Functions that something is to be attached to, on one architecture, and when they may share an image. */
export interface FunctionSample {
  readonly arch: ArchName;
  readonly how: Sharing;
  readonly functions: readonly (Signature & Traced)[];
  /** The same functions in another order, by index. */
  readonly order: readonly number[];
}

/** What is put to the test: the model's own functions, unless a planted bug has changed one of them. */
export interface AbiTools {
  readonly passing: typeof passing;
  readonly trampolinesNeeded: typeof trampolinesNeeded;
  /** What an image is made for that serves a function of this signature and others. */
  readonly sharedSignature: (signature: Signature) => Signature;
  /** Executes a call of one function through the image that was made for another; what is wrong, if anything. */
  readonly callThrough: (made: Signature, called: Signature) => SharedFinding | undefined;
}

/** A property of where arguments lie, and of who may share an image: one sentence, its source, a witness. */
export interface AbiLaw {
  /** `abi/<file name>`. */
  readonly name: string;
  readonly sentence: string;
  /** Kernel file and function. */
  readonly source: string;
  /** Whether a sample puts it to the test. */
  readonly premise: (sample: FunctionSample) => boolean;
  /** What that is, to be read after "held while". */
  readonly witness: string;
  readonly breach: (sample: FunctionSample, tools: AbiTools) => AbiFinding | undefined;
}

/** `x86-32, prefix: u64 -> u64; u32 -> u64`, with what else is asked after the kind of plan. */
export function printSample({ arch, how, functions }: FunctionSample): string {
  const { plans, ...rest } = how;
  const more = Object.values(rest).filter((value) => !USUAL.includes(value));
  const listed = functions.map((item) => {
    const programs = how.programs === 'their own' ? ` (${item.programs})` : '';
    return `${printSignature(item)}${programs}`;
  });
  return `${[arch, plans, ...more].join(', ')}: ${listed.join('; ')}`;
}

const USUAL: readonly string[] = ['the same for all', 'fixed', 'all registers', 'most words'];
