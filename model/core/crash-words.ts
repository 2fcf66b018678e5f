import type { Crash } from './crash.ts';
import { objectText } from './object-words.ts';
import { placeName } from './whereabouts.ts';

/** The sentence that a report prints of a crash: nothing reads it back. */
export function crashText<K extends Crash['is']>(crash: Crash<K>): string {
  return WORDS[crash.is](crash);
}

const WORDS: { readonly [K in Crash['is']]: (crash: Crash<K>) => string } = {
  'use after free': ({ object, by }) =>
    `use after free: ${objectText(object)} has been freed${inFunction(by)}`,
  'read of freed data': ({ object, by }) =>
    `read of freed data: ${objectText(object)}${object.is === 'link' ? ' has been freed' : ''}${inFunction(by)}`,
  'ops without func': ({ ops }) => `NULL pointer: ${ops} has no func any more`,
  'ops without filter hash': ({ ops, pointer }) => `NULL pointer: ${ops} has no ${pointer}`,
  'fprobe without exit handler': ({ fprobe }) => `NULL pointer: ${fprobe} has no exit handler`,
  'fgraph_stub for a link': () => 'wrong type: fgraph_stub is part of no link (gops->entryfunc)',
  'function without metadata': ({ address }) =>
    `read through NULL: a function without metadata, at ${address}`,
  'direct_ops without filter': () =>
    'unregister_ftrace_direct: direct_ops has no filter hash: NULL pointer dereference',
  'hash without memory': () => 'intersect_hash: the new notrace hash is NULL, and gets a function',
  'trampoline without image': () => 'bpf_trampoline_update: cur_image is NULL',
  'target without BTF': ({ target }) => `NULL pointer: ${target} is a BPF program, and has no attach_btf`,
  'run context of an event': ({ prog, field }) =>
    field === 'link'
      ? `wrong type: prog#${prog} follows the link of a kprobe.multi run context in that of trace_call_bpf() (bpf_get_attach_cookie_kprobe_multi)`
      : `NULL pointer: prog#${prog} follows the session cookie of a kprobe.multi run context in that of trace_call_bpf()`,
  'node without fprobe': ({ by }) =>
    `NULL pointer: a node whose fprobe has been unregistered${inFunction(by)}`,
  'fgraph_stub without hash': () => 'NULL pointer: the ops of fgraph_stub has no func_hash',
  'kretprobe without pool': ({ kretprobe }) =>
    `NULL pointer: ${kretprobe}, which was refused while it is in the table, has no pool (rethook_try_get)`,
  'probe without event': ({ event }) =>
    `NULL pointer: the kprobe of ${event}, which was closed, has no event (kprobe_dispatcher)`,
  'reused kprobe': () => 'aggr_pre_handler: a kprobe whose memory was used again is in the list',
  'reused fprobe': () => 'fprobe_handler: an fprobe whose memory was used again is on ftrace_ops_list',
  'no trampoline': ({ target }) =>
    `wrong type: ${target} is no struct bpf_trampoline (bpf_tramp_ftrace_ops_func)`,
  'shadow stack overflows': () => 'the shadow stack overflows: its task variables are overwritten',
  'lost return': () => 'panic: no return address is known',
  'torn instruction': ({ place, bytes }) => `torn instruction: ${place} is executed as ${bytes}`,
  'unknown int3': ({ place }) => `unhandled int3 at ${place}`,
  'retired batch': ({ place }) => `the handler of the int3 at ${place} searches a text poke that is over`,
  // Traps of hardware from here on: what a stack trace would show, with the place as a symbol.
  fault: faultText,
  'bad address': ({ access, place, why, at: whereabouts }) =>
    `${access} at ${placeName(place)}: ${why}, in ${placeName(whereabouts)}`,
  endless: ({ at: whereabouts, instructions }) => {
    const within = instructions === undefined ? '' : ` within ${instructions} instructions`;
    return `does not end${within}, at ${placeName(whereabouts)}`;
  },
  'lost stack': () => 'code that was called through a pointer returns with another rsp',
  'written over': ({ at: whereabouts }) => `executes what was written over it, at ${placeName(whereabouts)}`,
  exception: ({ error, file }) => `${error}${file === '' ? '' : ` (thrown in ${file})`}`,
  deadlock: ({ routine, lock, holder }) => `${routine} waits for ${lock}, which ${holder} holds`,
};

/** `fetch of 1 byte at page 3: unmapped, at f2+0x4`. */
function faultText({ why, access, place, bytes, at: whereabouts, behind }: Crash<'fault'>): string {
  const where = placeName(whereabouts);
  if (why === 'breakpoint trap' || why === 'invalid opcode') return `${why} at ${where}`;
  const verb = { read: 'read', write: 'write', execute: 'fetch' }[access];
  const from = behind === '' ? `at ${where}` : `after ${behind}`;
  return `${verb} of ${bytes} ${bytes === 1 ? 'byte' : 'bytes'} at ${placeName(place)}: ${why}, ${from}`;
}

function inFunction(by: string): string {
  return by === '' ? '' : ` (${by})`;
}
