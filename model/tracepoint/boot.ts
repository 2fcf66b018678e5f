import type { Argument } from '../abi/x86-64.ts';
import { entry, present } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import { hexText } from '../ftrace/entry/hex-text.ts';
import { addressOf, pageAddress } from '../text/space.ts';
import { allocatePage } from '../text/text.ts';
import { Assembler } from '../x86/assemble.ts';
import type { Assembled } from '../x86/assembled.ts';
import { funcsPointer } from './memory.ts';
import { sectionOf } from './section.ts';
import { CALL_LABEL, emitIterator, emitSite, FUNCS_POINTER, KEY_LABEL } from './site.ts';
import { emitStub, planStub, runName } from './stub.ts';
import { emitTraceRun } from './trace-run.ts';
import type { TracepointWorld } from './tracepoint.ts';
import { bpfStubName, iteratorName, siteName } from './tracepoint.ts';

/*
 * The code of a tracepoint at boot, each piece on its own page: the site, the iterator, the stub for BPF, and
 * bpf_trace_runN() of its argument count. The site has two patchable instructions, in the order in which
 * `static-call.ts` expects them.
 */

/** A tracepoint as the kernel's source declares it: `DECLARE_TRACE(name, prototype)`. */
export interface DeclaredTracepoint {
  readonly name: string;
  /** As `parseSignature()` reads it; nothing is returned. */
  readonly prototype: string;
  readonly args: readonly Argument[];
  /** Its probes may fault and sleep, in kernels that have such tracepoints. */
  readonly faultable?: boolean;
}

/** Adds tracepoints, which are part of the kernel's text, to a state after boot: no probe is registered. */
export function bootTracepoints(k: TracepointWorld, all: readonly DeclaredTracepoint[]): void {
  if (all.length === 0) return;
  const { faultableTracepoints } = profileNamed(k.profile);
  const declared = all.map((tracepoint) => ({
    ...tracepoint,
    faultable: tracepoint.faultable === true && faultableTracepoints,
  }));
  const points = declared.map(({ name, prototype, args, faultable }) => [
    name,
    {
      prototype,
      sizes: args.map(({ size }) => size),
      faultable,
      key: false,
      funcs: '',
      call: iteratorName(name),
    },
  ]);
  k.tracepoints = { points: Object.fromEntries(points), arrays: {}, made: 0, snapshots: {} };
  for (const tracepoint of declared) putCode(k, tracepoint);
}

/** bpf_trace_runN() is shared by all tracepoints with N arguments; the rest belongs to one. */
function putCode(k: TracepointWorld, { name, args, faultable = false }: DeclaredTracepoint): void {
  const profile = profileNamed(k.profile);
  const count = args.length;
  const iterator = iteratorName(name);
  const run = runName(count);
  if (k.text.pages[run] === undefined) put(k, run, name, (a) => emitTraceRun(a, count, profile.ibt));
  put(k, bpfStubName(name), name, (a) => emitStub(a, planStub(args), profile.ibt));
  put(k, iterator, name, (a) => emitIterator(a, count));
  const section = sectionOf(profile, faultable);
  const { labels } = put(k, siteName(name), name, (a) => emitSite(a, { count, iterator, section }));
  const page = entry(k.text.pages, siteName(name));
  const patchable = [KEY_LABEL, CALL_LABEL].map((label) => present(labels.get(label), label));
  k.text.pages[siteName(name)] = { ...page, patchable };
}

/** Writes code to its own page. */
function put(
  k: TracepointWorld,
  symbol: string,
  tracepoint: string,
  emit: (a: Assembler) => void,
): Assembled {
  allocatePage(k, symbol, '');
  const { at: index } = entry(k.text.pages, symbol);
  const resolve = (name: string) =>
    name === FUNCS_POINTER ? funcsPointer(k, tracepoint) : addressOf(k, name);
  const a = new Assembler(pageAddress(index), resolve);
  emit(a);
  const assembled = a.finish();
  k.text.pages[symbol] = { at: index, bytes: hexText(assembled.bytes), isPermanent: true };
  return assembled;
}
