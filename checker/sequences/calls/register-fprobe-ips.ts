import fc from 'fast-check';
import type { RegisterFprobeIps } from '../../../model/client/register-fprobe-ips.ts';
import { rarely, weighed } from '../draw/weighed.ts';
import { FPROBE } from './drawn-names.ts';
import { isLive } from './promised-now.ts';
import type { SearchedCall } from './searched-call.ts';
import { count } from './searched-call.ts';

export const searchedRegisterFprobeIps: SearchedCall<RegisterFprobeIps> = {
  draw: ({ profile, ips }) => [weighed(profile.fprobe === 'none' ? 0 : 3, registrations(ips))],
  isLikely: (p, { fprobe }) => !isLive(p, fprobe),
  effort: 3,
  optionEffort: ({ ips, entry, exit, entryDataSize, shared = false }) =>
    ips.length - 1 + 2 * count(exit) + count(entry && exit, entryDataSize !== undefined, shared),
  plainer: (action) => [
    ...withoutEntryData(action),
    ...withoutSharing(action),
    ...(action.ips.length > 1 ? action.ips.map((ip) => ({ ...action, ips: [ip] })) : []),
    ...(action.exit ? [{ ...action, entry: true, exit: false }] : []),
    ...(action.exit && action.entry ? [{ ...action, entry: false }] : []),
  ],
  lifeOf: ({ fprobe }) => fprobe,
  objectsOf: ({ fprobe }) => [`fprobe ${fprobe}`],
};

function withoutEntryData({ entryDataSize, ...plain }: RegisterFprobeIps): RegisterFprobeIps[] {
  return entryDataSize === undefined ? [] : [plain];
}

function withoutSharing({ shared, ...plain }: RegisterFprobeIps): RegisterFprobeIps[] {
  return shared === undefined ? [] : [plain];
}

/** An fprobe has at least one handler. One that has both keeps a word of each call. */
function registrations(ips: fc.Arbitrary<readonly string[]>): fc.Arbitrary<RegisterFprobeIps> {
  const handlers = fc.constantFrom([true, true], [true, false], [false, true]);
  return fc
    .tuple(FPROBE, ips, handlers, rarely)
    .map(([fprobe, sites, [entry = false, exit = false], shared]) => ({
      do: 'register_fprobe_ips',
      fprobe,
      ips: sites,
      entry,
      exit,
      ...(entry && exit ? { entryDataSize: 8 } : {}),
      ...(shared ? { shared } : {}),
    }));
}
