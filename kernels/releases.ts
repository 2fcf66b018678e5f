import { present } from '../model/core/present.ts';
import type { RecordedVersion } from '../model/core/profile.ts';

/*
 * Where the recorded kernels can be had: the packages of Debian, by name and version. A build takes place among the
 * unpacked packages, so that the machine's own compiler does not matter.
 */

/** A kernel of a distribution. */
export interface Release {
  readonly kernel: RecordedVersion;
  /** `uname -r`. */
  readonly release: string;
  /** The suites that its packages and their compiler are in. */
  readonly suites: readonly string[];
  /** The package of the kernel, and the image in it. */
  readonly package: string;
  readonly image: string;
  /** Bytes that are fetched and that they take unpacked, as measured; for the announcement alone. */
  readonly megabytes: { readonly fetched: number; readonly unpacked: number };
}

export const RELEASES: readonly Release[] = [
  {
    kernel: '6.1',
    release: '6.1.0-56-amd64',
    suites: ['bookworm-security', 'bookworm'],
    package: 'linux-image-6.1.0-56-amd64',
    image: 'boot/vmlinuz-6.1.0-56-amd64',
    megabytes: { fetched: 160, unpacked: 650 },
  },
  {
    kernel: '6.12',
    release: '6.12.117+deb12-amd64',
    suites: ['bookworm-security', 'bookworm'],
    package: 'linux-image-6.12.117+deb12-amd64',
    image: 'boot/vmlinuz-6.12.117+deb12-amd64',
    megabytes: { fetched: 190, unpacked: 700 },
  },
  {
    kernel: '7.2',
    release: '7.2.13+deb14-amd64',
    suites: ['sid'],
    package: 'linux-binary-7.2.13+deb14-amd64',
    image: 'usr/lib/modules/7.2.13+deb14-amd64/vmlinuz',
    megabytes: { fetched: 100, unpacked: 400 },
  },
  {
    kernel: '7.3',
    release: '7.3.4+deb13-amd64',
    suites: ['trixie-backports', 'trixie'],
    package: 'linux-binary-7.3.4+deb13-amd64',
    image: 'usr/lib/modules/7.3.4+deb13-amd64/vmlinuz',
    megabytes: { fetched: 100, unpacked: 400 },
  },
];

/** The recorded kernel of a version. */
export function releaseOf(kernel: RecordedVersion): Release {
  return present(
    RELEASES.find((release) => release.kernel === kernel),
    kernel,
  );
}
