import { InputError } from '../../model/core/input-error.ts';
import { PROFILES } from '../../model/core/profile.ts';
import type { Kind } from '../../model/trampoline/program.ts';
import { KINDS } from '../../model/trampoline/program.ts';
import { printSignature } from '../../model/trampoline/signature.ts';
import type { Case, CaseProgram } from './case.ts';
import { targetOfCase } from './case.ts';

/** A case on one line: `6.12 stuff: u64 x7 -> u64; fexit get_func_ip, fentry cookie=0x1; live patch`. */
export function printCase(c: Case): string {
  const where = [c.kernel, ...(c.boot === 'default' ? [] : [c.boot]), ...ibtNote(c)].join(' ');
  const { signature } = targetOfCase(c);
  const around = [...(c.ipmodify ? ['live patch'] : []), ...(c.tailCalls ? ['tail calls'] : [])];
  return [`${where}: ${printSignature(signature)}`, c.programs.map(printProgram).join(', '), ...around].join(
    '; ',
  );
}

/** Said only when it is not what the recorded builds of that kernel have. */
function ibtNote(c: Case): string[] {
  if (c.ibt === PROFILES[c.kernel].ibt) return [];
  return [c.ibt ? 'ibt' : 'no-ibt'];
}

/** A program's kind and whatever else is set: `fexit multi cookie=0x1 get_func_ip session_cookie sleepable`. */
export function printProgram(program: CaseProgram): string {
  const words: string[] = [program.kind];
  if (program.multi) words.push('multi');
  if (program.cookie !== '0x0') words.push(`cookie=${program.cookie}`);
  if (program.getFuncIp) words.push('get_func_ip');
  if (program.sessionCookie) words.push('session_cookie');
  if (program.sleepable) words.push('sleepable');
  return words.join(' ');
}

const WORDS = ['multi', 'get_func_ip', 'session_cookie', 'sleepable'];

/** Reads programs as `printProgram()` writes them, separated by commas. */
export function parsePrograms(text: string): CaseProgram[] {
  return text.split(',').map((item) => parseProgram(item.trim()));
}

/** Reads one program as `printProgram()` writes it. */
export function parseProgram(text: string): CaseProgram {
  const [kind = '', ...words] = text.split(/\s+/);
  if (!KINDS.includes(kind as Kind))
    throw new InputError(`"${kind}" is not a kind of program; there are ${KINDS.join(', ')}`);
  const cookies = words.filter((word) => word.startsWith('cookie='));
  const unknown = words.find((word) => !cookies.includes(word) && !WORDS.includes(word));
  if (unknown !== undefined)
    throw new InputError(
      `"${unknown}" in "${text}" is nothing a program has; there are ${WORDS.join(', ')}, cookie=N`,
    );
  if (words.includes('session_cookie') && kind !== 'fsession')
    throw new InputError(`only an fsession program has a session cookie, not "${text}"`);
  return {
    kind: kind as Kind,
    multi: words.includes('multi'),
    cookie: cookies.length === 0 ? '0x0' : parseCookie(cookies[0]!.slice('cookie='.length)),
    getFuncIp: words.includes('get_func_ip'),
    sessionCookie: words.includes('session_cookie'),
    sleepable: words.includes('sleepable'),
  };
}

/** A cookie of up to 64 bits, as C writes numbers; hexadecimal in a case. */
function parseCookie(text: string): string {
  const value = /^(0x[0-9a-f]+|[0-9]+)$/i.test(text) ? BigInt(text) : -1n;
  if (value < 0n || value >= 1n << 64n) throw new InputError(`cookie ${text} is not a number of 64 bits`);
  return `0x${value.toString(16)}`;
}
