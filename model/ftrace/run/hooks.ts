import { present } from '../../core/present.ts';
import type { CFunction } from '../../text/cpu.ts';
import { addressOf } from '../../text/space.ts';
import { bodyAddress, SITE_BYTES } from '../../text/text.ts';
import { RCX, RDI, RDX, RSI } from '../../x86/register.ts';
import type { Word } from '../../x86/word.ts';
import { equal, plus, toHex, toNumber } from '../../x86/word.ts';
import type { ProbeView, ProbeWorld } from '../probes.ts';
import { functionAt } from './regs.ts';

/*
 * What clients' own code reports when execution comes there: the direct trampoline, the replacement of a live
 * patch, the body of a traced function. Everything is read from registers and the stack, as a real client would
 * see it.
 */

/**
 * direct_hook(number, saved registers, return address); replacement_hook(); body_hook(number of the function, its
 * narrowed arguments, their count, its return value).
 */
export const CLIENT_FUNCTIONS: Readonly<Record<string, CFunction<ProbeWorld>>> = {
  direct_hook: (k, cpu) => {
    const saved = cpu.register(RSI);
    const ret = cpu.register(RDX);
    cpu.events.push({
      kind: 'direct',
      who: `my_tramp${toNumber(cpu.register(RDI))}`,
      fn: equal(ret, addressOf(k, 'replacement')) ? '?' : functionAt(k, ret),
      args: [0, 1, 2, 3, 4, 5].map((i) => toHex(cpu.read(plus(saved, 8 * i)))),
      returnsTo: returnPlace(k, ret),
    });
  },
  replacement_hook: (_, cpu) => {
    cpu.events.push({ kind: 'replacement', who: 'replacement', fn: '?' });
  },
  body_hook: (k, cpu) => {
    const order = toNumber(cpu.register(RDI));
    const fn = present(
      Object.keys(k.text.functions).find((name) => k.text.functions[name] === order),
      `function at ${order}`,
    );
    const values = cpu.register(RSI);
    const count = toNumber(cpu.register(RDX));
    cpu.events.push({
      kind: 'body',
      who: fn,
      fn,
      args: Array.from({ length: count }, (_, i) => toHex(cpu.read(plus(values, 8 * i)))),
      ret: toHex(cpu.register(RCX)),
    });
  },
};

/** `f2+0x9`: into the traced function, past its call site; or the replacement; anything else as an address. */
function returnPlace(k: ProbeView, ret: Word): string {
  if (equal(ret, addressOf(k, 'replacement'))) return 'replacement';
  const fn = functionAt(k, ret);
  const body = bodyAddress(k, fn);
  return equal(ret, body) ? `${fn}+0x${(k.text.siteOffset + SITE_BYTES).toString(16)}` : toHex(ret);
}
