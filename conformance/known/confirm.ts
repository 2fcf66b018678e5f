import { benchFor } from '../../checker/images/bench.ts';
import { runCase } from '../../checker/images/case.ts';
import type { Exit, JobProgress } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { wrap } from '../../counterexamples/text.ts';
import { IMAGE_LAWS } from '../../properties/laws.ts';
import type { KnownAttach } from './attach.ts';
import { KNOWN_ATTACH } from './attach-all.ts';
import { isMetByItsExample } from './attach-example.ts';
import type { KnownBreach } from './known.ts';
import { KNOWN } from './known.ts';

/** The breaches that are listed as known, of both kinds. */
export interface ListedBreaches {
  readonly images: readonly KnownBreach[];
  readonly attach: readonly KnownAttach[];
}

/** The result for the list. */
export interface Confirmed {
  /** A sentence for each that its example did not show. */
  readonly failures: readonly string[];
  readonly exit: Exit;
  readonly json: readonly { readonly name: string; readonly law: string; readonly confirmed: boolean }[];
  /** Breaches not tried before the run stopped. */
  readonly left: number;
}

/** Every listed breach has to occur in its example: the list must not outlive what it lists. */
export function* confirmKnown(
  { images, attach }: ListedBreaches = { images: KNOWN, attach: KNOWN_ATTACH },
): Generator<JobProgress, Confirmed, boolean> {
  const failures: string[] = [];
  const json: { name: string; law: string; confirmed: boolean }[] = [];
  for (const [entry, check] of [
    ...images.map((breach) => [breach, () => checkImage(breach)] as const),
    ...attach.map((attach) => [attach, () => checkAttach(attach)] as const),
  ]) {
    const { name, law } = entry;
    const failure = check();
    if (failure !== undefined) failures.push(failure);
    json.push({ name, law, confirmed: failure === undefined });
    const counts = { done: json.length, of: images.length + attach.length, unit: 'known bug' };
    if (yield { part: 'known bugs', now: name, ...counts }) break;
  }
  const left = images.length + attach.length - json.length;
  const broken = json.some(({ confirmed }) => !confirmed);
  return { failures, exit: broken ? EXIT.BROKEN : left > 0 ? EXIT.INCONCLUSIVE : EXIT.HELD, json, left };
}

/** A listed breach is met in its example, and looks as it is described; otherwise what is wrong with it. */
function checkImage(entry: KnownBreach): string | undefined {
  const laws = IMAGE_LAWS.filter(({ name }) => name === entry.law);
  const { known, verdict } = runCase(benchFor(undefined), entry.example, { laws, known: [entry] });
  return known.includes(entry) && verdict?.breach === undefined ? undefined : notBroken(entry);
}

/** A listed breach is met by its example in all kernels that it is listed for. */
function checkAttach(entry: KnownAttach): string | undefined {
  const missing = entry.kernels.filter((kernel) => !isMetByItsExample(entry, kernel));
  return missing.length === 0 ? undefined : `${notBroken(entry)} in ${missing.join(' and ')}`;
}

function notBroken({ name, law }: KnownBreach | KnownAttach): string {
  return `${name} is listed, and its example does not break ${law}`;
}

/** What `--verbose` says of listed breaches that were shown: the law, the kernels, and what is wrong. */
export function confirmedLines(shown: readonly { readonly name: string }[]): string[] {
  const names = new Set(shown.map(({ name }) => name));
  return [...KNOWN, ...KNOWN_ATTACH].flatMap(({ name, law, kernels, sentence }) =>
    names.has(name)
      ? [
          `  known ${law}`,
          ...wrap(`${name}, ${kernels.join(' and ')}: ${sentence}`, 74).map((line) => `      ${line}`),
        ]
      : [],
  );
}
