import type { CallEvent } from '../../model/core/event.ts';
import type { Client } from '../../model/promises.ts';
import { addressOf } from '../../model/text/space.ts';
import { toHex, ZERO } from '../../model/x86/word.ts';
import type { AttachFinding, AttachLaw } from '../attach/moment.ts';
import { seenCall } from '../attach/seen-call.ts';

export const programsKnowTheirCookieAndFunction: AttachLaw = {
  name: 'ftrace/programs-know-their-cookie-and-function',
  sentence:
    'A program gets the cookie that it was attached with, and bpf_get_func_ip() gives it the function that was called.',
  source: 'kernel/trace/bpf_trace.c  bpf_get_attach_cookie_tracing, bpf_get_func_ip_tracing',
  witness: 'a program ran that has a cookie or asked for its function',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'no say';
    let witness = false;
    for (const { event, call, client } of seen.events) {
      if (event.kind !== 'program' || call === undefined || client === undefined) continue;
      const wrong =
        wrongCookie(event, client, call.fn) ??
        wrongIp(event, client, toHex(addressOf(moment.after, call.fn)));
      if (wrong !== undefined) return wrong;
      witness ||= event.cookie !== toHex(ZERO) || event.ip !== undefined;
    }
    return witness ? 'held' : 'no say';
  },
};

function wrongCookie({ who, cookie }: CallEvent, { program }: Client, fn: string): AttachFinding | undefined {
  const expected = toHex(program!.cookies[fn] ?? ZERO);
  if (cookie === expected) return undefined;
  return { expected: `${who} on ${fn} has the cookie ${expected}`, observed: `it gets ${cookie ?? 'none'}` };
}

function wrongIp(
  { who, fn, ip }: CallEvent,
  { program }: Client,
  expected: string,
): AttachFinding | undefined {
  if (!program!.asksIp || ip === expected) return undefined;
  return {
    expected: `${who} is told that it is at ${expected} (${fn})`,
    observed: `it is told ${ip ?? 'nothing'}`,
  };
}
