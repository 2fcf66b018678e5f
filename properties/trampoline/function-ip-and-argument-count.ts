import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { wordOf } from '../../model/trampoline/stage/event.ts';
import { equal, toHex } from '../../model/x86/word.ts';
import type { Finding, Law } from '../law/image-law.ts';
import {
  ctxSlot,
  describe,
  finding,
  isConstant,
  programName,
  programNumbered,
  stopsTheCall,
} from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Memory: 1 once the exit part has begun. */
export const functionIpAndArgumentCount: Law = {
  name: 'trampoline/function-ip-and-argument-count',
  sentence:
    'ctx[−1] counts the argument words, ctx[−2] is the address of the function, and a session knows its halves apart.',
  source: 'kernel/trace/bpf_trace.c  get_func_arg_cnt, bpf_get_func_ip_tracing, bpf_session_is_return',
  premise: ({ request }) => request.programs.length > 0,
  witness: 'a program could ask',
  on: {
    original: () => 1,
    program: (memory, event, subject) => {
      const wrong =
        wrongCount(event, subject) ?? wrongIp(event, subject) ?? wrongHalf(memory, event, subject);
      return wrong ?? (stopsTheCall(event, subject) ? 1 : memory);
    },
  },
};

function wrongCount(event: StageEvent, subject: Subject): Finding | undefined {
  const word = wordOf(event, 3);
  const count = word.lo & 0xff;
  const { length } = subject.contract.slots;
  if (count === length && isConstant(event, 3, word)) return undefined;
  return finding(
    event,
    `ctx[−1] of ${programName(subject, event.number)} counts ${length} argument words`,
    count === length ? `it is ${describe(event, 3)}` : `it counts ${count}`,
    ctxSlot(event, -1),
  );
}

function wrongIp(event: StageEvent, subject: Subject): Finding | undefined {
  if (!programNumbered(subject, event.number)?.getFuncIp) return undefined;
  if (equal(wordOf(event, 4), subject.addresses.traced)) return undefined;
  const expected = `ctx[−2] of ${programName(subject, event.number)} is ${toHex(subject.addresses.traced)}, the function`;
  return finding(event, expected, `it is ${describe(event, 4)}`, ctxSlot(event, -2));
}

/** Bit 63 of ctx[−1] is set in the exit half of an image with sessions, and only there. */
function wrongHalf(memory: number, event: StageEvent, subject: Subject): Finding | undefined {
  if (programNumbered(subject, event.number)?.kind !== 'fsession') return undefined;
  const isReturn = wordOf(event, 3).hi < 0;
  if (isReturn === (memory === 1)) return undefined;
  const halves = ['entry', 'exit'];
  return finding(
    event,
    `${programName(subject, event.number)} is told that this is its ${halves[memory]} half`,
    `it is told ${halves[1 - memory]}`,
    ctxSlot(event, -1),
  );
}
