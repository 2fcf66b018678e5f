import fc from 'fast-check';
import { CLIENT_TRAMPS } from '../../../model/text/space.ts';
import { named } from '../draw/weighed.ts';

/** The drawn objects of clients, by their names. */
export const OPS = named('ops', 3);
export const DIRECT = named('direct', 2);
export const GOPS = named('gops', 3);
export const KPROBE = named('kprobe', 3);
export const KRETPROBE = named('kretprobe', 2);
/** A kprobe, or a kretprobe for the one that it embeds. */
export const PROBE = fc.oneof({ weight: 3, arbitrary: KPROBE }, { weight: 1, arbitrary: KRETPROBE });
export const FPROBE = named('fprobe', 2);
export const DATA = named('data', 3);
export const MODULE = fc.constant('m1');

/** Trampolines of clients. */
export const ADDR = fc.constantFrom(...CLIENT_TRAMPS);

/** The client of tables of direct calls; now and then another client's ops. */
export const TABLE = fc.constant('direct#3');
export const ANY_TABLE = fc.oneof({ weight: 9, arbitrary: TABLE }, { weight: 1, arbitrary: OPS });

/** Sites and trampolines. */
export function tables(ip: fc.Arbitrary<string>): fc.Arbitrary<Record<string, string>> {
  return fc
    .array(fc.tuple(ip, ADDR), { maxLength: 2 })
    .map((pairs): Record<string, string> => Object.fromEntries(pairs));
}
