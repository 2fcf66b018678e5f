import type { FunctionName } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import { symbolAt } from '../../model/text/branch.ts';
import { addressOf, branchTarget } from '../../model/text/space.ts';
import { NOP5, siteAddress } from '../../model/text/text.ts';
import { equal } from '../../model/x86/word.ts';
import type { Lab } from './lab.ts';
import { TRAMPS } from './lab.ts';

/*
 * The target of a function's entry, in one wording for what the recorder read and for the model's text: `nop`, `call
 * ftrace_regs_caller`, `jmp a BPF trampoline`. Addresses and numbers depend on what ran before in a boot.
 */

export const NOP = 'nop';
export const BPF_TRAMPOLINE = 'a BPF trampoline';
export const OPS_TRAMPOLINE = 'an ops trampoline';
/** The recorder found the name of what lies in front. */
const NAMELESS_PAGE = 'a page without a name';

/** The entry of a record: a symbol with its offset, or an address. */
export function recordedEntry(symbol: string, jmp: boolean): string {
  return symbol === NOP ? NOP : `${jmp ? 'jmp' : 'call'} ${recordedTarget(symbol)}`;
}

/** What a symbol of a record is. */
export function recordedTarget(symbol: string): string {
  if (/^0x|^ftrace_trampoline\b/.test(symbol)) return OPS_TRAMPOLINE;
  const [, name = symbol, offset = '0x0', size = ''] =
    /^(\S+?)\+(0x[0-9a-f]+)\/(0x[0-9a-f]+)/.exec(symbol) ?? [];
  if (offset === size) return NAMELESS_PAGE;
  const place = offset === '0x0' ? '' : `+${offset}`;
  const tramp = /^lab_tramp_([abc])$/.exec(name)?.[1];
  if (tramp !== undefined) return `trampoline ${tramp}${place}`;
  return name.startsWith('bpf_trampoline_') ? `${BPF_TRAMPOLINE}${place}` : `${name}${place}`;
}

/** The entry in the model's text. */
export function modelEntry({ k }: Pick<Lab, 'k'>, fn: FunctionName): string {
  const site = entry(k.text.sites, fn);
  if (site === NOP5) return NOP;
  const to = branchTarget(site, siteAddress(k, fn));
  // Most entries have one of a few targets; testing those first is much faster than looking up any symbol.
  const symbol = LIKELY.find((name) => equal(addressOf(k, name), to)) ?? symbolAt(k, to);
  return `${site.startsWith('e9') ? 'jmp' : 'call'} ${modelTarget(symbol)}`;
}

const LIKELY = ['ftrace_regs_caller', ...TRAMPS, 'ftrace_caller'];

/** What a symbol of the model is. */
export function modelTarget(symbol: string): string {
  const tramp = TRAMPS.indexOf(symbol);
  if (tramp >= 0) return `trampoline ${'abc'[tramp]}`;
  if (symbol.startsWith('tramp#')) return BPF_TRAMPOLINE;
  return symbol.endsWith('.trampoline') ? OPS_TRAMPOLINE : symbol;
}

/** Whether a text of a record, with a target in it, matches one of the model. */
export function isSamePlace(recorded: string, model: string): boolean {
  if (recorded === model) return true;
  return [BPF_TRAMPOLINE, OPS_TRAMPOLINE].some((page) => recorded.replace(NAMELESS_PAGE, page) === model);
}
