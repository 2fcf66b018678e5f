import type { Ip, ProgId } from '../core/ids.ts';
import { Oops } from '../core/oops.ts';
import { profileNamed } from '../core/profile.ts';
import type { KernelView } from '../kernel.ts';
import { ENDBR_BYTES, functionOf, isInBody, probedAt } from '../text/body-address.ts';
import { addressOf } from '../text/space.ts';
import type { EventProbe } from '../tracepoint/perf-events.ts';
import type { BpfProg } from '../trampoline/world.ts';
import { plus, toHex, ZERO } from '../x86/word.ts';

/*
 * Helpers of a program of kprobe.multi on the perf event of a kprobe, kernel/trace/bpf_trace.c. PERF_EVENT_IOC_SET_BPF does not
 * compare `expected_attach_type`, by which the verifier has chosen the helpers: they take `current->bpf_ctx` for a
 * `struct bpf_kprobe_multi_run_ctx`, and trace_call_bpf() has a shorter one on its stack:
 *
 * ```text
 *           taken for            is (6.12.117, 7.2.13 of Debian)
 *   +0x00   is_return            bpf_cookie
 *   +0x08   data                 is_uprobe, and zeroes
 *   +0x10   link                 the stack's canary
 *   +0x18   entry_ip             rbx of the caller
 * ```
 *
 * The canary is no canonical address, but for one in 2^16: following it is a general protection fault. Without fprobes (6.1.192)
 * both helpers are stubs that return 0.
 */

/** Whether a program has the helpers of kprobe.multi. A kernel without sessions loads one as a kprobe program. */
export function hasMultiHelpers({ profile }: KernelView, { probe }: Pick<BpfProg, 'probe'>): boolean {
  if (probe === 'session') return profileNamed(profile).kprobeSession;
  return probe === 'entry' || probe === 'return';
}

/** `BPF_PROG_TYPE_KPROBE`. */
export function isOfTypeKprobe({ probe }: Pick<BpfProg, 'probe'>): boolean {
  return probe === 'kprobe' || probe === 'entry' || probe === 'return' || probe === 'session';
}

/** Calls bpf_get_attach_cookie() and bpf_session_cookie(), if the program does. */
export function callCookieHelpers(k: KernelView, prog: ProgId, { probe, program }: BpfProg): void {
  if (profileNamed(k.profile).fprobe === 'none') return;
  if (program.cookie.lo !== 0 || program.cookie.hi !== 0)
    throw new Oops({ is: 'run context of an event', prog, field: 'link' });
  // The address of the cookie: `data`, which is NULL.
  if (probe === 'session' && program.sessionCookie)
    throw new Oops({ is: 'run context of an event', prog, field: 'data' });
}

/** bpf_get_func_ip_kprobe_multi(): what kprobe_perf_func() and kretprobe_perf_func() have in rbx, for `entry_ip`. */
export function entryIp(k: KernelView, on: EventProbe, ip: Ip): string {
  const { fprobe, kprobePerfFuncRbx, ibt } = profileNamed(k.profile);
  if (fprobe === 'none') return toHex(ZERO);
  if (on === 'kretprobe' || kprobePerfFuncRbx === 'tp->event') return TRACE_PROBE_EVENT;
  const offset = isInBody(ip) ? probedAt(ip).offset : ibt ? ENDBR_BYTES : 0;
  return toHex(plus(addressOf(k, functionOf(ip)), offset + INT3_BYTES));
}

/** A pointer to a `struct trace_probe_event`, whose address is that of its allocation. */
const TRACE_PROBE_EVENT = 'tp->event';

/** `regs->ip` of a pre_handler is after an int3, which kprobe_ftrace_handler() and optimized_callback() emulate. */
const INT3_BYTES = 1;
