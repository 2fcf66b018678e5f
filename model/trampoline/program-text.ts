import { InputError } from '../core/input-error.ts';
import { item } from '../core/present.ts';
import type { TracingKind } from './program.ts';
import { KINDS } from './program.ts';

/** A program as a line of text. */
export interface SpelledProgram {
  readonly kind: TracingKind;
  readonly multi: boolean;
  /** Hexadecimal. */
  readonly cookie: string;
  readonly getFuncIp: boolean;
  readonly sessionCookie: boolean;
  readonly sleepable: boolean;
  readonly lsm?: true;
  readonly cgroup?: true;
  readonly shim?: true;
  readonly structOps?: true;
}

/** A program's kind and its options: `fexit multi cookie=0x1 get_func_ip session_cookie sleepable`, `fmod_ret lsm`. */
export function printProgram(program: SpelledProgram): string {
  const words: string[] = [program.kind];
  if (program.lsm === true) words.push('lsm');
  if (program.cgroup === true) words.push('cgroup');
  if (program.shim === true) words.push('shim');
  if (program.structOps === true) words.push('struct_ops');
  if (program.multi) words.push('multi');
  if (program.cookie !== '0x0') words.push(`cookie=${program.cookie}`);
  if (program.getFuncIp) words.push('get_func_ip');
  if (program.sessionCookie) words.push('session_cookie');
  if (program.sleepable) words.push('sleepable');
  return words.join(' ');
}

const WORDS = ['lsm', 'cgroup', 'shim', 'struct_ops', 'multi', 'get_func_ip', 'session_cookie', 'sleepable'];

/** The kernel function that makes an image with a program. */
export function imageMaker({ structOps }: SpelledProgram): string {
  return structOps === true ? 'bpf_struct_ops_prepare_trampoline' : 'bpf_trampoline_link_prog';
}

/** What a program of a struct_ops member can have. */
const OF_MEMBER = ['struct_ops', 'sleepable'];

/** Reads programs as `printProgram()` writes them, separated by commas. */
export function parsePrograms(text: string): SpelledProgram[] {
  return text.split(',').map((item) => parseProgram(item.trim()));
}

/** Reads one program as `printProgram()` writes it. */
export function parseProgram(text: string, kinds: readonly string[] = KINDS): SpelledProgram {
  const [kind = '', ...words] = text.split(/\s+/);
  if (!KINDS.includes(kind as TracingKind))
    throw new InputError(`"${kind}" is not a kind of program; there are ${kinds.join(', ')}`, kind);
  const cookies = words.filter((word) => word.startsWith('cookie='));
  const unknown = words.find((word) => !cookies.includes(word) && !WORDS.includes(word));
  if (unknown !== undefined)
    throw new InputError(
      `"${unknown}" in "${text}" is nothing a program has; there are ${WORDS.join(', ')}, cookie=N`,
      unknown,
    );
  if (words.includes('session_cookie') && kind !== 'fsession')
    throw new InputError(`only an fsession program has a session cookie, not "${text}"`);
  if (words.includes('lsm') && ((kind !== 'fmod_ret' && kind !== 'fexit') || words.includes('multi')))
    throw new InputError(`a program of BPF LSM is an fmod_ret or fexit program for one hook, not "${text}"`);
  const ofLsm = words.find((word) => word === 'cgroup' || word === 'shim');
  if (ofLsm !== undefined && !words.includes('lsm'))
    throw new InputError(`only a program of BPF LSM is a ${ofLsm} program, not "${text}"`, ofLsm);
  if (words.includes('struct_ops') && (kind !== 'fentry' || words.some((word) => !OF_MEMBER.includes(word))))
    throw new InputError(
      `a program of a struct_ops member is an fentry program, sleepable or not, not "${text}"`,
    );
  return {
    kind: kind as TracingKind,
    multi: words.includes('multi'),
    cookie: cookies.length === 0 ? '0x0' : parseCookie(item(cookies, 0).slice('cookie='.length)),
    getFuncIp: words.includes('get_func_ip'),
    sessionCookie: words.includes('session_cookie'),
    sleepable: words.includes('sleepable'),
    ...(words.includes('lsm') ? { lsm: true as const } : {}),
    ...(words.includes('cgroup') ? { cgroup: true as const } : {}),
    ...(words.includes('shim') ? { shim: true as const } : {}),
    ...(words.includes('struct_ops') ? { structOps: true as const } : {}),
  };
}

/** A cookie of up to 64 bits, as C writes numbers; hexadecimal in a case. */
function parseCookie(text: string): string {
  const value = /^(0x[0-9a-f]+|[0-9]+)$/i.test(text) ? BigInt(text) : -1n;
  if (value < 0n || value >= 1n << 64n) throw new InputError(`cookie ${text} is not a number of 64 bits`);
  return `0x${value.toString(16)}`;
}
