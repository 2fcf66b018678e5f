import type { Answer, Job } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { RELEASES } from '../../kernels/releases.ts';
import { setUp } from '../../kernels/setup/setup.ts';
import type { RecordedVersion } from '../../model/core/profile.ts';
import { inParts } from './in-parts.ts';

/** `kernel setup 6.12`: fetches kernels, and builds the recorder for each. */
export function* setUpKernels(kernels: readonly RecordedVersion[]): Job {
  const done: {
    readonly kernel: string;
    readonly folder: string;
    readonly bytes: number;
    readonly seconds: number;
  }[] = [];
  for (const release of RELEASES.filter(({ kernel }) => kernels.includes(kernel))) {
    const { fetched, unpacked } = release.megabytes;
    yield {
      text: `${release.kernel}  ${release.package}: fetches ${fetched} MB, takes up to ${fetched + unpacked} MB for about a minute`,
      save: [],
      goesOn: true,
    };
    done.push({ kernel: release.kernel, ...(yield* inParts(setUp(release))) });
  }
  return answerOf(done);
}

function answerOf(
  done: readonly { kernel: string; folder: string; bytes: number; seconds: number }[],
): Answer {
  const lines = done.map(
    ({ kernel, folder, bytes, seconds }) =>
      `✓ ${kernel}  ready in ${seconds} s, ${Math.round(bytes / 1e6)} MB in ${folder}`,
  );
  const [{ kernel } = { kernel: '6.12' }] = done;
  return {
    text: [...lines, '', `next: npm run check -- kernel ${kernel} --runs 50`].join('\n'),
    json: { command: 'kernel setup', exit: EXIT.HELD, kernels: done },
    exit: EXIT.HELD,
    save: [],
  };
}
