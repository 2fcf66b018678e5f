import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import { wordOf } from '../../model/trampoline/stage/event.ts';
import { equal, toHex } from '../../model/x86/word.ts';
import type { FoundInImage, Law } from '../law/image-law.ts';
import {
  ctxSlot,
  foundAt,
  isConstant,
  programNumbered,
  seenWord,
  stopsTheCall,
  toldProgram,
} from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Memory: 1 once the exit part has begun. */
export const functionIpAndArgumentCount: Law = {
  name: 'trampoline/function-ip-and-argument-count',
  sentence:
    "ctx[−1] holds the number of argument words, ctx[−2] the function's address, and a session can tell its two halves apart.",
  source: 'kernel/trace/bpf_trace.c  get_func_arg_cnt, bpf_get_func_ip_tracing, bpf_session_is_return',
  premise: ({ request }) => request.programs.length > 0,
  witness: 'a program attached',
  on: {
    original: () => 1,
    program: (memory, event, subject) => {
      const wrong =
        wrongCount(event, subject) ?? wrongIp(event, subject) ?? wrongHalf(memory, event, subject);
      return wrong ?? (stopsTheCall(event, subject) ? 1 : memory);
    },
  },
};

function wrongCount(event: StageEvent, subject: Subject): FoundInImage | undefined {
  const word = wordOf(event, 3);
  const count = word.lo & 0xff;
  const { length } = subject.contract.slots;
  if (count === length && isConstant(event, 3, word)) return undefined;
  const finding = {
    is: 'argument-count-differs',
    program: toldProgram(subject, event.number),
    expected: length,
    observed: seenWord(event, 3),
  } as const;
  return foundAt(event, finding, ctxSlot(event, -1));
}

function wrongIp(event: StageEvent, subject: Subject): FoundInImage | undefined {
  if (!programNumbered(subject, event.number)?.getFuncIp) return undefined;
  if (equal(wordOf(event, 4), subject.addresses.traced)) return undefined;
  const finding = {
    is: 'told-function-differs',
    program: toldProgram(subject, event.number),
    expected: toHex(subject.addresses.traced),
    observed: seenWord(event, 4),
  } as const;
  return foundAt(event, finding, ctxSlot(event, -2));
}

/** Bit 63 of ctx[−1] is set in the exit half of an image with sessions, and only there. */
function wrongHalf(memory: number, event: StageEvent, subject: Subject): FoundInImage | undefined {
  if (programNumbered(subject, event.number)?.kind !== 'fsession') return undefined;
  const isReturn = wordOf(event, 3).hi < 0;
  if (isReturn === (memory === 1)) return undefined;
  const finding = {
    is: 'told-half-differs',
    program: toldProgram(subject, event.number),
    expected: memory === 1 ? 'exit' : 'entry',
  } as const;
  return foundAt(event, finding, ctxSlot(event, -1));
}
