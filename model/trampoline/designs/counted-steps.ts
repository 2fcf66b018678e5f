import { fixedKeys, fixedValues } from '../../core/fixed-keys.ts';
import type { ImageId, OpsId } from '../../core/ids.ts';
import { item } from '../../core/present.ts';
import { hashOf } from '../../ftrace/filter-hash.ts';
import type { Hash } from '../../ftrace/ops.ts';
import { FTRACE_OPS_FL_ENABLED, filterOf, notraceOf, opsOf } from '../../ftrace/ops.ts';
import {
  FTRACE_FL_DIRECT,
  FTRACE_FL_DIRECT_EN,
  ftraceTestRecord,
  has,
  skipRecord,
} from '../../ftrace/record.ts';
import type { Poke } from '../../text/poke.ts';
import type { BpfView } from '../world.ts';
import type { CountRow, Counts } from './count.ts';
import { counted } from './count.ts';

/*
 * The steps that are counted, and their amounts: the loops of kernel/trace/ftrace.c over records and hashes, and
 * those of arch/x86/kernel/alternative.c over pokes. Looking into an empty hash costs nothing. For a site with
 * several ops the search of the list for the one with a trampoline is not counted.
 */

/**
 * text_poke_bp_batch() synchronises after the int3, after the tails and after the heads;
 * smp_text_poke_batch_finish() of 7.2 does the same. Each is a broadcast to all CPUs that waits for them. Pokes of
 * one batch share the three, which is why one change of many sites is cheap, and many changes of one site are not.
 */
const SYNCS = 3;

/** The locals of a step that works on an ops. */
interface OpsAt {
  readonly ops: OpsId;
}

/** The same, with the table of a caller (7.0). */
interface HashAt extends OpsAt {
  readonly hash: Readonly<Record<string, string>>;
}

/**
 * One row for each loop of the kernel that attaching runs through. The amounts are those of the kernel's loops,
 * not of the model's: a hash is walked by the model as a list, but looked up by the kernel.
 */
export const COUNTED_STEPS: readonly CountRow[] = [
  counted('bpf_prog_load', 'keep the program', () => ({ programLoads: 1 })),
  counted<{ image?: ImageId }>('bpf_trampoline_update', 'the image cannot be generated', (k, { image }) =>
    image === undefined ? {} : { images: 1, imageBytes: imageBytes(k, image) },
  ),
  counted<{ pokes: readonly Poke[] }>('text_poke_bp_batch', 'publish the batch', (_, { pokes }) => ({
    textPokes: pokes.length,
    syncIpis: SYNCS,
  })),
  counted('ftrace_run_update_code', 'sync function_trace_op', () => ({ syncIpis: 1 })),
  // All records are visited, whatever the ops traces: ftrace_replace_code() decides for each by its flags.
  counted<Walk>('ftrace_replace_code', 'verify the old instructions', (k, locals) =>
    walkCode(k, locals, FTRACE_FL_DIRECT_EN),
  ),
  counted<Walk>('ftrace_replace_code', 'update the records', (k, locals) =>
    walkCode(k, locals, FTRACE_FL_DIRECT),
  ),
  counted<OpsAt>('ftrace_startup', 'count the ops in its records', walkRecords),
  counted<OpsAt>('ftrace_shutdown', 'take the ops from its records', walkRecords),
  counted<OpsAt & { which: 'filter' | 'notrace'; hash: Hash }>(
    '__ftrace_hash_move_and_update_ops',
    'replace the hash',
    (k, { ops, which, hash }) =>
      sum(walkRecords(k, { ops }), walkRecords(k, { ops }, { [which]: hash }), {
        entriesCopied: hash.length,
      }),
  ),
  counted<{ from: Hash; to: Hash }>('__ftrace_hash_update_ipmodify', 'record', (k, { from, to }) => {
    const visits = fixedValues(k.ftrace.records).length;
    return { recordVisits: visits, hashLookups: visits * (Number(from.length > 0) + Number(to.length > 0)) };
  }),
  counted<OpsAt & { which: 'filter' | 'notrace'; reset: boolean }>(
    'ftrace_set_hash',
    'build the hash',
    (k, { ops, which, reset }) => ({
      entriesCopied: reset ? 0 : hashOf(k, ops, which).length,
    }),
  ),
  counted<{ subops: OpsId }>('ftrace_startup_subops', 'copy its hashes', (k, { subops }) => ({
    entriesCopied: filterOf(k, subops).length,
  })),
  counted<{ subops: OpsId }>('ftrace_startup_subops', 'combine the hashes', (k, { subops }) => ({
    entriesCopied: entriesOf(k, [...k.fgraph.subops, subops]),
  })),
  counted('ftrace_shutdown_subops', 'combine the hashes', (k) => ({
    entriesCopied: entriesOf(k, k.fgraph.subops),
  })),
  counted<OpsAt>('register_ftrace_direct', 'a site of the filter has a direct call', (k, { ops }) => ({
    hashLookups: directCount(k) > 0 ? filterOf(k, ops).length : 0,
  })),
  counted<OpsAt>('register_ftrace_direct', 'publish direct_functions', (k, { ops }) => ({
    entriesCopied: directCount(k) + filterOf(k, ops).length,
  })),
  counted<OpsAt>('register_ftrace_direct', 'enter direct_functions', (k, { ops }) => ({
    entriesCopied: filterOf(k, ops).length,
  })),
  counted<OpsAt>('unregister_ftrace_direct', 'remove the direct calls', (k, { ops }) => ({
    hashLookups: filterOf(k, ops).length,
  })),
  counted('__modify_ftrace_direct', 'change its direct call', () => ({ hashLookups: 1 })),
  counted('update_ftrace_direct_mod: modify', 'change its direct call', () => ({ hashLookups: 1 })),
  counted<HashAt>('update_ftrace_direct_add', 'a site has a direct call', (k, { hash }) => ({
    hashLookups: directCount(k) > 0 ? Object.keys(hash).length : 0,
  })),
  counted<HashAt>('update_ftrace_direct_add', 'publish direct_functions', (k, { ops, hash }) => ({
    entriesCopied: directCount(k) + filterOf(k, ops).length + 2 * Object.keys(hash).length,
  })),
  counted<HashAt>('update_ftrace_direct_del', 'a site does not call there', (_, { hash }) => ({
    hashLookups: Object.keys(hash).length,
  })),
  counted<HashAt>('update_ftrace_direct_del', 'compute the smaller filter', (k, { ops, hash }) => ({
    entriesCopied: filterOf(k, ops).length + directCount(k),
    hashLookups: 2 * Object.keys(hash).length,
  })),
];

/** append_hashes(): every entry of each. */
function entriesOf(k: BpfView, ops: readonly OpsId[]): number {
  return ops.reduce((sum, name) => sum + filterOf(k, name).length, 0);
}

/** Bytes of an image, as text on its page. */
function imageBytes({ text }: BpfView, image: ImageId): number {
  return (text.pages[image]?.bytes.length ?? 0) / 2;
}

/** Entries of direct_functions: each registration copies them. */
function directCount({ ftrace }: BpfView): number {
  return Object.keys(ftrace.directFunctions).length;
}

interface Walk {
  readonly enable: boolean;
}

/**
 * One of the two walks of ftrace_replace_code() on x86, `arch/x86/kernel/ftrace.c`: the first checks what
 * sites hold (ftrace_get_addr_curr()), the second queues the pokes (ftrace_get_addr_new()). A site that is, or
 * will be, a direct call needs a lookup in `direct_functions`.
 */
function walkCode(k: BpfView, { enable }: Walk, direct: number): Partial<Counts> {
  const records = fixedValues(k.ftrace.records);
  let hashLookups = 0;
  for (const rec of records) {
    const update = ftraceTestRecord(rec, enable);
    if (update === 'FTRACE_UPDATE_IGNORE' || !has(rec, direct)) continue;
    const looks =
      direct === FTRACE_FL_DIRECT_EN
        ? update !== 'FTRACE_UPDATE_MAKE_CALL'
        : update !== 'FTRACE_UPDATE_MAKE_NOP' && rec.count === 1;
    if (looks) hashLookups++;
  }
  return { recordVisits: records.length, hashLookups };
}

/** __ftrace_hash_rec_update(): it stops after the last record of the filter, and looks each up in both hashes. */
function walkRecords(
  k: BpfView,
  { ops }: OpsAt,
  given: { readonly filter?: Hash; readonly notrace?: Hash } = {},
): Partial<Counts> {
  const { filter = filterOf(k, ops), notrace = notraceOf(k, ops) } = given;
  if ((opsOf(k, ops).flags & FTRACE_OPS_FL_ENABLED) === 0) return {};
  const wanted = new Set(filter);
  const ips = fixedKeys(k.ftrace.records);
  const records = fixedValues(k.ftrace.records);
  let left = wanted.size;
  let recordVisits = 0;
  while (recordVisits < ips.length) {
    const i = recordVisits++;
    if (!skipRecord(item(records, i)) && wanted.has(item(ips, i)) && --left === 0) break;
  }
  const hashes = Number(filter.length > 0) + Number(notrace.length > 0);
  return { recordVisits, hashLookups: recordVisits * hashes };
}

/** The amounts of one step added up: a step may contain several loops. */
function sum(...parts: readonly Partial<Counts>[]): Partial<Counts> {
  const total: Partial<Counts> = {};
  for (const part of parts)
    for (const key of Object.keys(part) as (keyof Counts)[])
      total[key] = (total[key] ?? 0) + (part[key] ?? 0);
  return total;
}
