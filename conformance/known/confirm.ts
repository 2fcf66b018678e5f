import { benchFor } from '../../checker/images/bench.ts';
import { runCase } from '../../checker/images/case.ts';
import type { Exit } from '../../counterexamples/answer.ts';
import { EXIT } from '../../counterexamples/answer.ts';
import { count, wrap } from '../../counterexamples/text.ts';
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
  readonly lines: readonly string[];
  readonly exit: Exit;
  readonly json: readonly { readonly name: string; readonly law: string; readonly confirmed: boolean }[];
  /** Breaches not tried before the run stopped. */
  readonly left: number;
}

/** Every listed breach has to occur in its example: the list must not outlive what it lists. */
export function* confirmKnown(
  { images, attach }: ListedBreaches = { images: KNOWN, attach: KNOWN_ATTACH },
): Generator<string, Confirmed, boolean> {
  const lines: string[] = [];
  const json: { name: string; law: string; confirmed: boolean }[] = [];
  for (const [entry, check] of [
    ...images.map((breach) => [breach, () => checkImage(breach)] as const),
    ...attach.map((attach) => [attach, () => checkAttach(attach)] as const),
  ]) {
    const { name, law } = entry;
    const { confirmed, said } = check();
    lines.push(...said);
    json.push({ name, law, confirmed });
    if (yield `known breaches ${json.length} of ${images.length + attach.length}`) break;
  }
  const shown = json.slice(images.length).filter(({ confirmed }) => confirmed).length;
  if (shown > 0) lines.push(`✓ ${count(shown)} known breaches of attaching are shown by their examples`);
  const left = images.length + attach.length - json.length;
  const broken = json.some(({ confirmed }) => !confirmed);
  return { lines, exit: broken ? EXIT.BROKEN : left > 0 ? EXIT.INCONCLUSIVE : EXIT.HELD, json, left };
}

/** Whether a listed breach occurs, with its report. */
interface Checked {
  readonly confirmed: boolean;
  readonly said: readonly string[];
}

/** A listed breach occurs in its example, and matches its description. */
function checkImage(entry: KnownBreach): Checked {
  const laws = IMAGE_LAWS.filter(({ name }) => name === entry.law);
  const { known, verdict } = runCase(benchFor(undefined), entry.example, { laws, known: [entry] });
  if (!known.includes(entry) || verdict?.breach !== undefined)
    return { confirmed: false, said: [notBroken(entry)] };
  const { name, law, kernels, sentence } = entry;
  const text = wrap(`${name}, ${kernels.join(' and ')}: ${sentence}`, 76);
  return { confirmed: true, said: [`known ${law}`, ...text.map((line) => `    ${line}`)] };
}

/** A listed breach occurs in its example in all kernels that it is listed for: then undefined. */
function checkAttach(entry: KnownAttach): Checked {
  const missing = entry.kernels.filter((kernel) => !isMetByItsExample(entry, kernel));
  if (missing.length === 0) return { confirmed: true, said: [] };
  return { confirmed: false, said: [`${notBroken(entry)} in ${missing.join(' and ')}`] };
}

function notBroken({ name, law }: KnownBreach | KnownAttach): string {
  return `✗ ${name} is listed as known, and ${law} is not broken by its example`;
}
