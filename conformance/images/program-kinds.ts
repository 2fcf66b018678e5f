import type { TracingKind } from '../../model/trampoline/program.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';

/** The recorder's names of the trampoline's program kinds; `m` at the end is a multi link. */
const KINDS: Readonly<Record<string, TracingKind>> = {
  fentry: 'fentry',
  fexit: 'fexit',
  fmod: 'fmod_ret',
  fses: 'fsession',
  fentrym: 'fentry',
  fexitm: 'fexit',
  fsesm: 'fsession',
};

/** The cookies of the recorder's programs; a multi link gives each function one, from the second on. */
const COOKIE = fromNumber(0x5ca1ab1e);
const MULTI_COOKIE = fromNumber(0x5ca26b1e);

/** The kind of a recorded program that runs in trampolines; undefined for a kprobe.multi program. */
export function trampolineKind(recorded: string): TracingKind | undefined {
  return KINDS[recorded];
}

/** Whether a recorded program is linked to many functions through their trampolines. */
export function isTracingMulti(recorded: string): boolean {
  return recorded.endsWith('m') && Object.hasOwn(KINDS, recorded);
}

/** The cookie of a recorded program in a trampoline, if any. */
export function recordedCookie(recorded: string, given: boolean): Word {
  if (!given) return ZERO;
  return isTracingMulti(recorded) ? MULTI_COOKIE : COOKIE;
}

/** The return value of a recorded program, by its flags; the later of two counts. */
export function recordedResult(flags: string): Word {
  const last = flags.replace(/[^rR]/g, '').at(-1);
  return fromNumber(last === undefined ? 0 : last === 'R' ? 0x7ead : -13);
}
