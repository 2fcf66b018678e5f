import { innerCallOffset } from '../../model/ftrace/entry/entry-code.ts';
import type { Kernel } from '../../model/kernel.ts';
import { addressOf } from '../../model/text/space.ts';
import { describeBranch, siteAddress } from '../../model/text/text.ts';
import { plus } from '../../model/x86/word.ts';

/** One thing that an action has changed: what, before, after. */
export interface Change {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
}

/** What is not there. */
const NOTHING = '–';

/** Only what changed, in the order in which a reader asks: text, images, tables, ftrace itself. */
export function delta(before: Kernel, after: Kernel): Change[] {
  return [
    ...changes(sitesOf(before), sitesOf(after)),
    ...changes(imagesOf(before), imagesOf(after)),
    ...changes(before.ftrace.directFunctions, after.ftrace.directFunctions, (ip) => `direct[${ip}]`),
    ...changes(stateOf(before), stateOf(after)),
  ];
}

function changes(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  name: (key: string) => string = (key) => key,
): Change[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => {
    const from = before[key] ?? NOTHING;
    const to = after[key] ?? NOTHING;
    return from === to ? [] : [{ subject: name(key), from, to }];
  });
}

/** Call sites, and the calls inside ftrace's entry code. */
function sitesOf(k: Kernel): Record<string, string> {
  const offset = k.text.siteOffset.toString(16);
  const sites = Object.entries(k.text.sites).map(([fn, bytes]) => [
    `${fn}+0x${offset}`,
    describeBranch(k, bytes, siteAddress(k, fn)),
  ]);
  const inner = (['ftrace_caller', 'ftrace_regs_caller'] as const).map((caller) => {
    const name = caller.replace('caller', 'call');
    const at = plus(addressOf(k, caller), innerCallOffset(caller));
    return [name, describeBranch(k, k.text.inner[name]!, at)];
  });
  return Object.fromEntries([...sites, ...inner]) as Record<string, string>;
}

/** Executable memory: BPF images with their state, ftrace's trampolines. */
function imagesOf(k: Kernel): Record<string, string> {
  return Object.fromEntries(
    Object.keys(k.text.pages).map((name) => {
      const image = k.bpf.images[name];
      if (image === undefined) return [name, 'allocated'];
      const flags = image.callOrig ? ', CALL_ORIG' : '';
      return [name, `${image.state}${flags}`];
    }),
  );
}

/** What is rarely otherwise. */
function stateOf(k: Kernel): Record<string, string> {
  return {
    ftrace: k.ftrace.disabled ? 'dead' : k.ftrace.enabled ? 'enabled' : 'disabled',
    ...Object.fromEntries(
      Object.entries(k.bpf.trampolines)
        .filter(([, { flags }]) => flags.SHARE_IPMODIFY)
        .map(([target]) => [`tr(${target})`, 'SHARE_IPMODIFY']),
    ),
  };
}
