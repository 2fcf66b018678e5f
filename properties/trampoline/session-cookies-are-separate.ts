import { sessionValue } from '../../model/trampoline/stage/cells.ts';
import { SESSION_COOKIE } from '../../model/trampoline/stage/event.ts';
import { ZERO } from '../../model/x86/word.ts';
import type { Law } from '../law/image-law.ts';
import { foundAt, isConstant, seenWord, toldProgram } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** At most this many sessions use their cookie: whether each one ran at the entry doubles the states of an image. */
const LOOKING_MOST = 4;

/** The programs that use their session cookies and store a value there, by number. */
export function lookingSessions({ request }: Subject): number[] {
  const asking = request.programs.filter(({ sessionCookie }) => sessionCookie);
  return asking.slice(0, LOOKING_MOST).map(({ id }) => id);
}

/** Memory: a bit for each such session whose entry half has run, in order. */
export const sessionCookiesAreSeparate: Law = {
  name: 'trampoline/session-cookies-are-separate',
  sentence:
    "A session's cookie is zero in the half that runs first, and in the other half what the first one stored.",
  source: 'kernel/trace/bpf_trace.c  bpf_session_cookie (BPF_TRAMP_COOKIE_INDEX_SHIFT)',
  premise: (subject) => lookingSessions(subject).length > 0,
  witness: 'a session program that reads its cookie',
  on: {
    program: (memory, event, subject) => {
      const rank = lookingSessions(subject).indexOf(event.number);
      if (rank < 0) return memory;
      const wasLeft = ((memory >> rank) & 1) === 1;
      const expected = wasLeft ? sessionValue(event.number) : ZERO;
      if (isConstant(event, SESSION_COOKIE, expected)) return memory | (1 << rank);
      return foundAt(event, {
        is: 'session-cookie-differs',
        program: toldProgram(subject, event.number),
        expected: wasLeft ? 'left there' : 'zero',
        observed: seenWord(event, SESSION_COOKIE),
      });
    },
  },
};
