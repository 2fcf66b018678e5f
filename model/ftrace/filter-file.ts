import { fixedKeys } from '../core/fixed-keys.ts';
import type { Ip, OpsId } from '../core/ids.ts';
import type { Part } from '../core/part.ts';
import type { RoutineWords } from '../core/routine.ts';
import { routine } from '../core/routine.ts';
import type { Unloads } from '../text/module.ts';
import { addressesNow, unloadsOf } from '../text/module.ts';
import type { Which } from './filter-hash.ts';
import { hashOf } from './filter-hash.ts';
import { globMatches } from './glob.ts';
import type { Hash } from './ops.ts';
import {
  ensureOps,
  FTRACE_OPS_FL_SUBOP,
  ftraceOpsInit,
  hashOwner,
  opsHas,
  withIps,
  withoutIps,
} from './ops.ts';
import { hashMoveAndUpdateOps, UPDATE_SUBOPS } from './set-filter.ts';
import type { FtraceView, FtraceWorld } from './world.ts';

/*
 * set_ftrace_filter and set_ftrace_notrace of tracefs, as a shell writes them: open(), one write(), close().
 *
 * ```text
 *   open()     ENODEV, ENOMEM; a private hash: empty with O_TRUNC (`>`), otherwise a copy of the current one
 *   write()    EINVAL when no function matches; otherwise the private hash gains or loses all that match
 *   close()    the private hash becomes the current one, whatever write() answered; it answers 0, even without memory
 * ```
 *
 * Between open() and close() no lock is held: of two writers, the second to close wins.
 */

interface FilterFileArgs {
  ops: OpsId;
  which: Which;
  glob: string;
  remove: boolean;
  truncate: boolean;
}

interface FilterFileLocals extends FilterFileArgs {
  hash: Hash;
  /** How often modules had been unloaded when the hash was made: no lock keeps one until it is moved. */
  made: Unloads;
}

/** ftrace_regex_open(), ftrace_regex_write(), ftrace_regex_release(). Without a pattern nothing is written. */
export const ftraceRegexWrite = routine<FtraceWorld, FilterFileArgs, FilterFileLocals>(
  'ftrace_regex_write',
  (words) => {
    const { refuse, step, holding, allocate, attempt } = words;
    return [
      refuse('ENODEV', 'ftrace is dead', (k) => k.ftrace.disabled),
      step('ftrace_ops_init', (k, { ops }) => ftraceOpsInit(ensureOps(k, ops), ops)),
      holding(
        (k, { ops }) => `${hashOwner(k, ops)}.regex_lock`,
        [
          allocate('the private hash'),
          step('copy the hash', (k, locals) => {
            locals.hash = locals.truncate ? [] : hashOf(k, locals.ops, locals.which);
            locals.made = unloadsOf(k);
          }),
        ],
      ),
      attempt(
        [
          refuse('EINVAL', 'no function matches', (k, locals) => {
            return locals.glob !== '' && matching(k, locals).length === 0;
          }),
          step('enter what matches', (k, locals) => {
            const hash = addressesNow(k, locals.hash, locals.made);
            locals.hash = (locals.remove ? withoutIps : withIps)(hash, matching(k, locals));
            locals.made = unloadsOf(k);
          }),
        ],
        [release(words)],
      ),
      release(words),
    ];
  },
);

/** ftrace_regex_release(): its errno is dropped. */
function release({ holding, when, upcall, call }: RoutineWords<FtraceWorld, FilterFileLocals>): Part {
  return holding(
    (k, { ops }) => `${hashOwner(k, ops)}.regex_lock`,
    [
      holding('ftrace_lock', [
        when(
          'a manager traces for the ops',
          (k, locals) => opsHas(k, locals, FTRACE_OPS_FL_SUBOP),
          [
            upcall(
              UPDATE_SUBOPS,
              (_, { ops, which, hash, made }) => ({ subops: ops, which, hash, made }),
              () => {},
            ),
          ],
          [
            call(
              hashMoveAndUpdateOps,
              (_, { ops, which, hash, made }) => ({ ops, which, hash, made }),
              () => {},
            ),
          ],
        ),
      ]),
    ],
  );
}

/** match_records(): the records of loaded text, by the names of their functions. */
function matching(k: FtraceView, { glob }: FilterFileArgs): readonly Ip[] {
  return glob === '' ? [] : fixedKeys(k.ftrace.records).filter((ip) => globMatches(glob, ip));
}
