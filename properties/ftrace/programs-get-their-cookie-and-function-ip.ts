import type { PromisedClient } from '../../model/contract/promises.ts';
import type { CallEvent } from '../../model/core/event.ts';
import { addressOf } from '../../model/text/space.ts';
import { toHex, ZERO } from '../../model/x86/word.ts';
import type { AttachFinding } from '../finding/attach-finding.ts';
import type { AttachLaw } from '../law/sequence-law.ts';
import type { SeenEvent } from '../observed/seen-call.ts';
import { isTwice, seenCall } from '../observed/seen-call.ts';

export const programsGetTheirCookieAndFunctionIp: AttachLaw = {
  name: 'ftrace/programs-get-their-cookie-and-function-ip',
  sentence:
    'A program gets the cookie that it was attached with, and bpf_get_func_ip() returns the address of the called function.',
  source:
    'kernel/trace/bpf_trace.c  bpf_get_attach_cookie_tracing, bpf_get_func_ip_tracing, bpf_get_func_ip_kprobe_multi',
  witness: 'a program with a cookie, or one that calls bpf_get_func_ip()',
  judge: (moment) => {
    const seen = seenCall(moment);
    if (seen === undefined) return 'not applicable';
    let witness = false;
    for (const seenEvent of seen.events) {
      const { event, call, client } = seenEvent;
      if (call === undefined || client === undefined) continue;
      const wrong =
        (client.program?.cgroup === true ? undefined : wrongCookie(seenEvent, seen.events)) ??
        wrongIp(event, client, toHex(addressOf(moment.after, call.fn)));
      if (wrong !== undefined) return wrong;
      witness ||= client.onEvent === undefined && (hasCookie(event) || event.ip !== undefined);
    }
    return witness ? 'held' : 'not applicable';
  },
};

function hasCookie({ cookie = toHex(ZERO) }: CallEvent): boolean {
  return cookie !== toHex(ZERO);
}

/** If two links have attached the program, each of their cookies has to be seen, in whichever event. */
function wrongCookie(seenEvent: SeenEvent, all: readonly SeenEvent[]): AttachFinding | undefined {
  const { kind, who } = seenEvent.event;
  if (kind !== 'program') return undefined;
  const { fn } = seenEvent.call!;
  const alike = isTwice(seenEvent) ? all.filter((other) => isAlike(seenEvent, other)) : [seenEvent];
  const cookies = alike.map(({ event }) => event.cookie ?? null).sort();
  const expected = alike.map(({ client }) => toHex(client!.program!.cookies[fn] ?? ZERO)).sort();
  if (cookies.join() === expected.join()) return undefined;
  return { is: 'cookies-differ', who, fn, expected, observed: cookies };
}

/** Two events of one program in the same half of one call. */
function isAlike({ event, call, half }: SeenEvent, other: SeenEvent): boolean {
  return (
    other.event.kind === 'program' &&
    other.event.who === event.who &&
    other.call === call &&
    other.half === half
  );
}

function wrongIp(
  { who, fn, ip }: CallEvent,
  { getFuncIp, onEvent }: PromisedClient,
  expected: string,
): AttachFinding | undefined {
  // Of perf events on kprobes another law judges it.
  if (!getFuncIp || onEvent !== undefined || ip === expected) return undefined;
  return { is: 'function-ip-differs', who, fn, expected, observed: ip ?? null };
}
