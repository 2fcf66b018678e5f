import fc from 'fast-check';
import type { Profile } from '../../../model/core/profile.ts';
import {
  FTRACE_OPS_FL_IPMODIFY,
  FTRACE_OPS_FL_PERMANENT,
  FTRACE_OPS_FL_RECURSION,
  FTRACE_OPS_FL_SAVE_REGS,
} from '../../../model/ftrace/ops.ts';
import type { Weighed } from './weighed.ts';
import { actions, named, rarely, weighed } from './weighed.ts';

const LIVE_PATCH = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY;
const PERMANENT_PATCH = LIVE_PATCH | FTRACE_OPS_FL_PERMANENT;
const FLAGS = [0, 0, FTRACE_OPS_FL_SAVE_REGS, FTRACE_OPS_FL_RECURSION, LIVE_PATCH];

const ops = named('ops', 3);
/** The third ops is always a live patch, so that there often is one. */
const opsWithFlags = fc.oneof(
  fc.record({ ops, flags: fc.constantFrom(...FLAGS) }),
  fc.record({
    ops: fc.constant('ops#3'),
    flags: fc.constantFrom(LIVE_PATCH, LIVE_PATCH, LIVE_PATCH, PERMANENT_PATCH),
  }),
);
const direct = named('direct', 2);
const addr = fc.constantFrom('my_tramp1', 'my_tramp2', 'my_tramp3');
/** The client of hash updates; now and then somebody else's ops. */
const table = fc.constant('direct#3');
const anyTable = fc.oneof({ weight: 9, arbitrary: table }, { weight: 1, arbitrary: ops });

/** Handlers of clients: their memory, their filters, and coming and going. */
export function ftraceActions({ fgraph }: Profile, ip: fc.Arbitrary<string>): Weighed[] {
  const gops = named('gops', 3).map((name) => `${name}.ops`);
  const filtered = fc.oneof(
    { weight: 4, arbitrary: ops },
    { weight: 2, arbitrary: direct },
    { weight: fgraph === 'multi' ? 1 : 0, arbitrary: gops },
  );
  return [
    weighed(
      6,
      opsWithFlags.map((made) => ({ do: 'ftrace_ops', ...made, direct: false })),
    ),
    actions(1, 'ftrace_ops', { ops: direct, flags: fc.constant(0), direct: fc.constant(true) }),
    actions(14, 'ftrace_set_filter_ip', { ops: filtered, ip, remove: rarely, reset: rarely }),
    actions(1, 'ftrace_set_notrace', { ops, ip, reset: rarely }),
    actions(1, 'ftrace_free_filter', { ops: fc.oneof(ops, direct) }),
    actions(14, 'register_ftrace_function', { ops }),
    actions(4, 'unregister_ftrace_function', { ops }),
    actions(1, 'kernel.ftrace_enabled', { value: fc.boolean() }),
    actions(fgraph === 'single' ? 3 : 0, 'set_ftrace_filter', { ip, remove: rarely }),
  ];
}

/** Direct calls, by all interfaces that the kernel has. */
export function directActions({ directApi }: Profile, ip: fc.Arbitrary<string>): Weighed[] {
  const perIp = directApi === 'ip and multi' ? 3 : 0;
  const hashes = directApi === 'ops and hash' ? 3 : 0;
  const freeFilters = directApi === 'ip and multi' ? fc.constant(false) : fc.boolean();
  const hash = fc
    .array(fc.tuple(ip, addr), { maxLength: 2 })
    .map((pairs): Record<string, string> => Object.fromEntries(pairs));
  return [
    actions(6, 'register_ftrace_direct', { ops: direct, addr }),
    actions(3, 'modify_ftrace_direct', { ops: direct, addr }),
    actions(4, 'unregister_ftrace_direct', { ops: direct, addr, freeFilters }),
    actions(perIp, 'register_ftrace_direct(ip)', { ip, addr }),
    actions(perIp, 'modify_ftrace_direct(ip)', { ip, oldAddr: addr, newAddr: addr }),
    actions(perIp, 'unregister_ftrace_direct(ip)', { ip, addr }),
    actions(hashes, 'update_ftrace_direct_add', { ops: table, hash }),
    actions(hashes, 'update_ftrace_direct_mod', { ops: anyTable, hash }),
    actions(hashes, 'update_ftrace_direct_del', { ops: anyTable, hash }),
  ];
}
