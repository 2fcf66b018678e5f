import { readText } from '../../conformance/files.ts';
import { KNOWN } from '../../conformance/known/known.ts';
import type { Answer } from '../../counterexamples/answer.ts';
import { ARCHES } from '../../model/abi/arch.ts';
import { InputError, located } from '../../model/core/input-error.ts';
import { oneOf, wholeNumber } from '../../model/core/input-value.ts';
import { parseSignature } from '../../model/trampoline/signature.ts';
import { ABI_LAWS } from '../../properties/abi-laws.ts';
import { ABI_PLANTED } from '../../properties/planted/arguments/abi.ts';
import { requirePlace } from '../line/asked-place.ts';
import type { CaseOptions } from '../line/options.ts';
import { caseOf, named, seedOf } from '../line/options.ts';
import { judgeCombination } from './abi.ts';
import { holdAbiLaws } from './laws.ts';
import type { NamedFunction } from './places.ts';
import { tellPlaces } from './places.ts';

/** The options of `abi`, as the command line gives them. */
export interface AbiLine extends Omit<CaseOptions, 'sig' | 'kinds'> {
  readonly sig?: readonly string[];
  readonly sigs?: string;
  readonly kinds?: string;
  readonly arch: string;
  readonly law?: string;
  readonly planted?: string;
  readonly cases: string;
  readonly seed: string;
  readonly html?: string;
}

/** `abi`: with programs an image, without them the places of arguments, and without a function the laws. */
export function abiCommand(line: AbiLine): Answer {
  const { sig = [], sigs, kinds, html } = line;
  if (html !== undefined) requirePlace('--html', html);
  const arch = oneOf(line.arch, ARCHES, '--arch');
  if (kinds !== undefined) {
    const [name, ...more] = sig;
    if (name === undefined || more.length > 0 || sigs !== undefined)
      throw new InputError('--kinds attaches programs to one function: give exactly one --sig');
    if (arch !== 'x86-64')
      throw new InputError(`--kinds generates an x86-64 image: not supported on ${arch}`);
    return judgeCombination(caseOf({ ...line, sig: name, kinds }), KNOWN, html);
  }
  const given = sig.map((text, i) => ({ name: `f${i + 1}`, signature: parseSignature(text) }));
  const functions = [...given, ...(sigs === undefined ? [] : parseFunctions(readText(sigs), sigs))];
  refuseUnasked(line, functions.length > 0);
  if (functions.length > 0) return tellPlaces(arch, functions);
  if (sigs !== undefined) throw new InputError(`${sigs}: no function in this file`);
  return holdLaws(line);
}

/**
 * Options that would have no effect: a search draws its functions, and only an image has an entry and a
 * target.
 */
function refuseUnasked({ law, planted, ibt, livePatch, tailCalls, html }: AbiLine, isTold: boolean): void {
  if (html !== undefined) throw new InputError('--html draws an image: it needs --kinds');
  if (isTold && (law !== undefined || planted !== undefined))
    throw new InputError('--law and --planted draw their own functions: drop --sig and --sigs');
  if (ibt !== undefined || livePatch === true || tailCalls === true)
    throw new InputError(
      '--ibt, --no-ibt, --live-patch and --tail-calls need --kinds: they change the image',
    );
}

function holdLaws({ law, planted, cases, seed }: AbiLine): Answer {
  const bug = planted === undefined ? undefined : named(planted, ABI_PLANTED, 'planted bug');
  const asked = law?.split(',').map((name) => named(name.trim(), ABI_LAWS, 'law'));
  return holdAbiLaws({
    seed: seedOf(seed),
    cases: wholeNumber(cases, '--cases', 1e6),
    laws: asked ?? (bug === undefined ? ABI_LAWS : [bug.law]),
    planted: bug,
  });
}

/** Functions in a file: one on a line, `name: u64, u32 -> u64`; `#` starts a comment. */
function parseFunctions(text: string, path: string): NamedFunction[] {
  return text.split('\n').flatMap((line, i) => {
    const content = line.replace(/#.*/, '').trim();
    if (content === '') return [];
    const [, name, signature] = /^([\w.]+)\s*:\s*(.*)$/.exec(content) ?? [];
    if (name === undefined || signature === undefined)
      throw new InputError(`${path}:${i + 1}: "${content}" is not of the form name: signature`);
    return [{ name, signature: located(`${path}:${i + 1}`, () => parseSignature(signature)) }];
  });
}
