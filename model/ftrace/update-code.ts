import { fixedKeys, fixedValues } from '../core/fixed-keys.ts';
import type { Ip } from '../core/ids.ts';
import { item } from '../core/present.ts';
import { profileNamed } from '../core/profile.ts';
import { routine } from '../core/routine.ts';
import { fails } from '../core/world.ts';
import type { Poke } from '../text/poke.ts';
import { holds, textPokeBpBatch, textPokeFlush } from '../text/poke.ts';
import { addressOf, branchBytes } from '../text/space.ts';
import { branchAtSite, NOP5, siteOf } from '../text/text.ts';
import { plus, ZERO } from '../x86/word.ts';
import { ftraceGetAddrCurr, ftraceGetAddrNew } from './accounting.ts';
import type { PassedEntry } from './direct-table.ts';
import { leaveEntry, passedEntries } from './direct-table.ts';
import { innerCallOffset } from './entry/entry-code.ts';
import { ftraceIsJmp, ftraceJmpGet } from './jmp.ts';
import { FTRACE_FL_DIRECT, ftraceTestRecord, ftraceUpdateRecord, has } from './record.ts';
import type { FtraceView, FtraceWorld } from './world.ts';
import { ftraceWarnOn } from './world.ts';

/*
 * Records become text: ftrace_run_update_code() for the sites, update_ftrace_func() for the calls inside the
 * shared entry code. `ftrace_lock` is held, and `text_mutex` is taken here.
 *
 * ```text
 *   inner call: ftrace_ops_list_func     every ops is tested against its hashes
 *   sites: verify all, then patch all    one unexpected byte kills ftrace before anything has changed
 *   inner call: the single handler       only if one is left, and only after the sites
 * ```
 *
 * A handler that is called directly is not tested against its hash. It may be called that way only while exactly
 * its functions call the entry code, hence the list function in between.
 */

/** Bits of the `command` of ftrace_run_update_code(). */
export const FTRACE_UPDATE_CALLS = 1 << 0;
export const FTRACE_DISABLE_CALLS = 1 << 1;
export const FTRACE_UPDATE_TRACE_FUNC = 1 << 2;

/** `ftrace_ops_list_func`, as x86-64 defines it. */
export const LIST_FUNC = 'arch_ftrace_ops_list_func';

interface Args {
  command: number;
}

interface InnerArgs {
  func: string;
}

interface InnerLocals extends InnerArgs {
  pokes: readonly Poke[];
}

/**
 * update_ftrace_func(): the calls inside ftrace_caller and ftrace_regs_caller, patched one after the other. Both
 * are in code that CPUs may be executing, so between the two pokes they may call different functions. 6.1 has only
 * ftrace_update_ftrace_func(), which compares nothing.
 */
const updateFtraceFunc = routine<FtraceWorld, InnerArgs, InnerLocals>(
  'update_ftrace_func',
  ({ finish, step, each, call }) => [
    finish(
      'the inner calls call it already',
      (k, { func }) => k.ftrace.innerFunction === func && profileNamed(k.profile).innerCallsCompared,
    ),
    step('remember the inner function', (k, { func }) => {
      k.ftrace.innerFunction = func;
    }),
    each(
      'inner call',
      (k, { func }) => (['ftrace_call', 'ftrace_regs_call'] as const).map((name) => innerPoke(k, name, func)),
      (locals, poke) => {
        locals.pokes = [poke];
      },
      [call(textPokeBpBatch, (_, locals) => ({ pokes: locals.pokes }))],
    ),
  ],
);

/** The only ops on the list may have been freed there: its func reads as NULL, and the call goes to address 0. */
function innerPoke(k: FtraceView, name: 'ftrace_call' | 'ftrace_regs_call', func: string): Poke {
  const caller = name === 'ftrace_call' ? 'ftrace_caller' : 'ftrace_regs_caller';
  const offset = innerCallOffset(caller);
  const from = plus(addressOf(k, caller), offset);
  const to = func === '' ? ZERO : addressOf(k, func);
  return { place: { kind: 'inner', name, offset }, to: branchBytes('e8', from, to) };
}

interface ReplaceArgs {
  enable: boolean;
}

interface ReplaceLocals extends ReplaceArgs {
  pokes: readonly Poke[];
  /** Entries of other sites that a lookup is on while those are freed. */
  passed?: readonly PassedEntry[];
}

/**
 * ftrace_replace_code(), arch/x86/kernel/ftrace.c. First every site that will change is compared with what its
 * record says it holds (ftrace_verify_code()): one difference, and ftrace dies with nothing changed
 * (ftrace_bug()). Then the records are updated and the new instructions queued, in batches of text_poke_queue().
 * Records are updated while the text still holds the old instructions: after a crash between them the two differ.
 */
export const ftraceReplaceCode = routine<FtraceWorld, ReplaceArgs, ReplaceLocals>(
  'ftrace_replace_code',
  ({ step, finish, when, call }) => [
    step('verify the old instructions', verifySites),
    finish('ftrace has died', (k) => k.ftrace.disabled),
    when('a look-up passes other entries', (k, locals) => entriesOnTheWay(k, locals).length > 0, [
      step('be on an entry of direct_functions', (k, locals) => {
        locals.passed = entriesOnTheWay(k, locals);
      }),
    ]),
    step('update the records', (k, locals) => {
      for (const entry of locals.passed ?? []) leaveEntry(k, entry);
      locals.pokes = updateRecords(k, locals);
    }),
    call(textPokeFlush, (_, locals) => ({ pokes: locals.pokes })),
  ],
);

/** ftrace_find_rec_direct() of the sites that become direct: with `ftrace_lock` held, but not `direct_mutex`. */
function entriesOnTheWay(k: FtraceView, locals: ReplaceArgs): PassedEntry[] {
  if (k.ftrace.directOpsHasHash) return [];
  const records = fixedValues(k.ftrace.records);
  const looked = fixedKeys(k.ftrace.records).filter((_, i) => {
    const rec = item(records, i);
    const isDirect = has(rec, FTRACE_FL_DIRECT) && rec.count === 1;
    return isDirect && ftraceTestRecord(rec, locals.enable) !== 'FTRACE_UPDATE_IGNORE';
  });
  return passedEntries(k, looked);
}

function verifySites(k: FtraceWorld, { enable }: ReplaceArgs): void {
  const ips = fixedKeys(k.ftrace.records);
  const records = fixedValues(k.ftrace.records);
  for (let i = 0; i < ips.length; i++) {
    const [ip, rec] = [item(ips, i), item(records, i)];
    const update = ftraceTestRecord(rec, enable);
    if (update === 'FTRACE_UPDATE_IGNORE') continue;
    const old = update === 'FTRACE_UPDATE_MAKE_CALL' ? NOP5 : callTo(k, ip, ftraceGetAddrCurr(k, ip, rec));
    if (isFtraceBug(k, ip, old)) return;
  }
}

/** ftrace_verify_code() of a site, and ftrace_bug() where it differs; the failure `poke` makes one differ. */
export function isFtraceBug(k: FtraceWorld, ip: Ip, old: string): boolean {
  const wrong = !holds(k, siteOf(ip), old) || fails(k, 'poke', 'ftrace_replace_code');
  return ftraceWarnOn(k, wrong, { is: 'ftrace bug', ip });
}

function updateRecords(k: FtraceWorld, { enable }: ReplaceArgs): Poke[] {
  const pokes: Poke[] = [];
  const ips = fixedKeys(k.ftrace.records);
  const records = fixedValues(k.ftrace.records);
  for (let i = 0; i < ips.length; i++) {
    const [ip, rec] = [item(ips, i), item(records, i)];
    const update = ftraceTestRecord(rec, enable);
    if (update === 'FTRACE_UPDATE_IGNORE') continue;
    const to = update === 'FTRACE_UPDATE_MAKE_NOP' ? NOP5 : callTo(k, ip, ftraceGetAddrNew(k, ip, rec));
    ftraceUpdateRecord(rec, enable);
    pokes.push({ place: siteOf(ip), to });
  }
  return pokes;
}

/** ftrace_call_replace(): a call, or since 7.x a jump when the lowest bit of the address is set. */
export function callTo(k: FtraceView, ip: Ip, address: string): string {
  return branchAtSite(k, ip, ftraceIsJmp(address) ? 'e9' : 'e8', ftraceJmpGet(address));
}

/**
 * ftrace_run_update_code() and ftrace_modify_all_code(). `function_trace_op` is set, and seen by every CPU
 * (ftrace_sync_ipi()), before the entry code may call the handler that reads it.
 */
export const ftraceRunUpdateCode = routine<FtraceWorld, Args>(
  'ftrace_run_update_code',
  ({ holding, when, call, step }) => [
    holding('text_mutex', [
      when('the function is updated', (_, locals) => updatesFunction(locals), [
        // Until all sites are patched, only the list function tests each ops against its hash.
        call(updateFtraceFunc, () => ({ func: LIST_FUNC })),
      ]),
      when(
        'calls are updated',
        (_, { command }) => (command & FTRACE_UPDATE_CALLS) !== 0,
        [call(ftraceReplaceCode, () => ({ enable: true }))],
        [
          when('calls are disabled', (_, { command }) => (command & FTRACE_DISABLE_CALLS) !== 0, [
            call(ftraceReplaceCode, () => ({ enable: false })),
          ]),
        ],
      ),
      when(
        'one handler is left',
        (k, locals) => updatesFunction(locals) && k.ftrace.traceFunction !== LIST_FUNC,
        [
          // The handler reads it through the entry code: written before the code calls the handler.
          step('set function_trace_op', (k) => {
            k.ftrace.functionTraceOp = k.ftrace.setFunctionTraceOp;
          }),
          step('sync function_trace_op', () => {}),
          call(updateFtraceFunc, (k) => ({ func: k.ftrace.traceFunction })),
        ],
      ),
    ]),
  ],
);

function updatesFunction({ command }: Args): boolean {
  return (command & FTRACE_UPDATE_TRACE_FUNC) !== 0;
}
