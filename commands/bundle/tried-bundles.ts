import type { RecordedVersion } from '../../model/core/profile.ts';

/** The bundles that were built for a recorded kernel, and loaded there. */
export interface TriedBundles {
  readonly kernel: RecordedVersion;
  /** Names of the listed breaches that showed there. */
  readonly shown: readonly string[];
  /** The others: no check of the module failed, and the kernel survived it. */
  readonly hidden: readonly string[];
}

/** What `npm run bundles` has seen, a table, long on purpose. */
export const TRIED_BUNDLES: readonly TriedBundles[] = [
  {
    kernel: '6.1',
    shown: [
      'client-of-a-destroyed-entry-stays',
      'descriptor-that-another-site-took-is-missed',
      'direct-ops-has-no-hash-yet',
      'foreign-direct-call-is-unregistered',
      'ftrace-dies-of-a-destroyed-entry',
      'ftrace-dies-of-a-record-without-users',
      'kprobe-is-disarmed-by-another-ops',
      'kprobe-is-disarmed-by-another-ops-and-warns',
      'kprobe-is-disarmed-by-another-ops-seen-by-only-requested-functions-are-traced',
      'kprobe-is-not-armed-after-a-wrong-count',
      'kprobe-memory-is-reused',
      'kprobe-of-another-ops-stays',
      'kretprobe-disarmed-by-another-ops-counts-misses',
      'kretprobe-disarmed-by-another-ops-reads-its-freed-pool',
      'leaked-descriptor-serves-another-interface',
      'ops-keeps-pointers-to-freed-filters',
      'patch-without-filter-is-registered',
      'patch-without-filter-is-unregistered',
      'site-of-another-direct-call-is-poked',
      'site-of-another-kprobe-is-poked',
      'walk-follows-a-freed-filter',
      'wrong-address-warns',
    ],
    hidden: [],
  },
  {
    kernel: '6.12',
    shown: [
      'fprobe-keeps-pointers-to-freed-filters',
      'ftrace-dies-of-a-record-without-users',
      'kprobe-is-disarmed-by-another-ops',
      'kprobe-is-disarmed-by-another-ops-and-warns',
      'kprobe-is-disarmed-by-another-ops-seen-by-only-requested-functions-are-traced',
      'kprobe-is-not-armed-after-a-wrong-count',
      'kprobe-memory-is-reused',
      'kprobe-of-another-ops-stays',
      'kretprobe-disarmed-by-another-ops-counts-misses',
      'kretprobe-disarmed-by-another-ops-reads-its-freed-pool',
      'ops-keeps-pointers-to-freed-filters',
      'patch-without-filter-is-registered',
      'patch-without-filter-is-unregistered',
      'site-of-another-kprobe-is-poked',
      'walk-follows-a-freed-filter',
    ],
    hidden: ['fprobe-that-has-unregistered-stops-a-freed-pool'],
  },
  {
    kernel: '7.2',
    shown: [
      'dead-kprobe-is-not-registered',
      'dead-kprobe-is-registered-again',
      'ftrace-dies-of-a-record-without-users',
      'kprobe-is-disarmed-by-another-ops',
      'kprobe-is-disarmed-by-another-ops-and-warns',
      'kprobe-is-disarmed-by-another-ops-seen-by-only-requested-functions-are-traced',
      'kprobe-memory-is-reused',
      'kprobe-of-another-ops-stays',
      'kretprobe-disarmed-by-another-ops-counts-misses',
      'kretprobe-disarmed-by-another-ops-reads-its-freed-pool',
      'patch-without-filter-is-registered',
      'patch-without-filter-is-unregistered',
      'site-of-another-kprobe-is-poked',
    ],
    hidden: [],
  },
  {
    kernel: '7.3',
    shown: [
      'dead-kprobe-is-not-registered',
      'dead-kprobe-is-registered-again',
      'kprobe-is-disarmed-by-another-ops',
      'kprobe-is-disarmed-by-another-ops-and-warns',
      'kprobe-is-disarmed-by-another-ops-seen-by-only-requested-functions-are-traced',
      'kprobe-memory-is-reused',
      'kprobe-of-another-ops-stays',
      'kretprobe-disarmed-by-another-ops-counts-misses',
      'kretprobe-disarmed-by-another-ops-reads-its-freed-pool',
      'patch-without-filter-is-registered',
      'patch-without-filter-is-unregistered',
      'site-of-another-kprobe-is-poked',
    ],
    hidden: [],
  },
];
