import type { ArchName, passing } from '../../model/abi/arch.ts';
import type { Sharing, Traced, trampolinesNeeded } from '../../model/abi/sharing.ts';
import type { Signature } from '../../model/trampoline/signature.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import type { AbiFinding, SharedFinding } from '../finding/abi-finding.ts';

/** A set of functions to attach to, on one architecture, and the rule by which they share images. */
export interface FunctionSample {
  readonly arch: ArchName;
  readonly how: Sharing;
  readonly functions: readonly (Signature & Traced)[];
  /** The same functions in another order, by index. */
  readonly order: readonly number[];
}

/** The functions under test: the model's own, unless a planted bug replaces one. */
export interface AbiTools {
  readonly passing: typeof passing;
  readonly trampolinesNeeded: typeof trampolinesNeeded;
  /** The signature that a shared image for this function is generated for. */
  readonly sharedSignature: (signature: Signature) => Signature;
  /** Executes a call of one function through the image generated for another; what is wrong, if anything. */
  readonly callThrough: (made: Signature, called: Signature) => SharedFinding | undefined;
}

/** A property of argument locations and image sharing. */
export interface AbiLaw {
  /** `abi/<file name>`. */
  readonly name: string;
  readonly sentence: string;
  /** Kernel file and function. */
  readonly source: string;
  /** Whether a sample exercises the law. */
  readonly premise: (sample: FunctionSample) => boolean;
  /** Its text in "exercised in 8.2 % of sequences (…)". */
  readonly witness: string;
  readonly breach: (sample: FunctionSample, tools: AbiTools) => AbiFinding | undefined;
}

/** `x86-32, prefix: u64 -> u64; u32 -> u64`, with any other sharing options after the kind of plan. */
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
