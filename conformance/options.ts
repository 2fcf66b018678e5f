import { randomInt } from 'node:crypto';
import { InputError } from '../model/core/input-error.ts';
import { oneOf, wholeNumber } from '../model/core/input-value.ts';
import { BOOTS, KERNELS, PROFILES } from '../model/core/profile.ts';
import { parseSignature } from '../model/trampoline/signature.ts';
import { BPF_ARGS_MAX } from '../properties/arbitraries.ts';
import type { Case } from '../properties/case.ts';
import type { Search } from '../properties/check.ts';
import { IMAGE_LAWS } from '../properties/laws.ts';
import { PLANTED } from '../properties/planted.ts';
import { parsePrograms } from '../properties/spelling.ts';
import { KNOWN } from './known/known.ts';

/** As the command line gives them. */
export interface SearchOptions {
  readonly seed: string;
  readonly cases: string;
  readonly law?: string;
  readonly planted?: string;
  readonly list?: boolean;
}

/** What describes an attach combination. */
export interface CaseOptions {
  readonly sig: string;
  readonly kinds: string;
  readonly kernel: string;
  readonly boot: string;
  readonly ibt?: boolean;
  readonly livePatch?: boolean;
  readonly tailCalls?: boolean;
}

/** The attach combination that the options describe. */
export function caseOf(options: CaseOptions): Case {
  const kernel = oneOf(options.kernel, KERNELS, '--kernel');
  const { args, ret } = parseSignature(options.sig);
  if (options.tailCalls && (args.length > BPF_ARGS_MAX || args.some(({ size }) => size > 8)))
    throw new InputError(`a BPF program takes at most ${BPF_ARGS_MAX} arguments of one word`);
  return {
    kernel,
    boot: oneOf(options.boot, BOOTS, '--boot'),
    ibt: options.ibt ?? PROFILES[kernel].ibt,
    args: args.map(({ name }) => name),
    ret: ret.name,
    programs: parsePrograms(options.kinds),
    ipmodify: options.livePatch ?? false,
    tailCalls: options.tailCalls ?? false,
  };
}

/** The search that the options ask for. */
export function searchFor(options: SearchOptions): Search {
  const planted = options.planted === undefined ? undefined : named(options.planted, PLANTED, 'planted bug');
  const laws = options.law?.split(',').map((name) => named(name.trim(), IMAGE_LAWS, 'law'));
  const seed =
    options.seed === 'random' ? randomInt(2 ** 31) : wholeNumber(options.seed, '--seed', 2 ** 32 - 1);
  const cases = wholeNumber(options.cases, '--cases', 1e9);
  return {
    seed,
    cases,
    laws: laws ?? (planted === undefined ? IMAGE_LAWS : [planted.law]),
    planted,
    known: KNOWN,
  };
}

function named<T extends { readonly name: string }>(name: string, list: readonly T[], what: string): T {
  const found = list.find((entry) => entry.name === name);
  if (found === undefined) throw new InputError(`there is no ${what} ${name}; --list names them all`);
  return found;
}
