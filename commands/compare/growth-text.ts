import type { ComparedCost } from '../../checker/cost/compared.ts';
import { orders, PHASES } from '../../checker/cost/compared.ts';
import type { Growth, GrowthBetween, GrowthOrder } from '../../checker/cost/growth.ts';
import { orderOf } from '../../checker/cost/growth.ts';

/** Pokes that are synchronised together: some counts grow by one for this many functions. */
const BATCH = 256;

/** `3.5 N² + 0.5 N`, `N − 1`, `3 N/256 + 13`; `2.1–3.7 N` of what grows by steps; `irregular`. */
export function printGrowth(growth: Growth | undefined): string {
  if (growth === undefined) return 'irregular';
  if ('times' in growth) return range(growth);
  const { constant, linear, quadratic } = growth;
  const terms = [...factors(quadratic, ' N²'), ...factors(linear, ' N'), ...factors(constant, '')];
  if (terms.length === 0) return '0';
  return terms
    .map(({ isNegative, text }, i) => {
      if (i === 0) return isNegative ? `−${text}` : text;
      return `${isNegative ? '−' : '+'} ${text}`;
    })
    .join(' ');
}

function range({ least, most, times }: GrowthBetween): string {
  const isWhole = times === '1';
  const digits = (value: number) => (isWhole ? String(value) : value.toFixed(1));
  return `${digits(least)}–${digits(most)}${isWhole ? '' : ' N'}`;
}

interface Term {
  readonly isNegative: boolean;
  readonly text: string;
}

/** One term, or that of whole functions and that of batches. */
function factors(factor: number, of: string): Term[] {
  const size = Math.abs(factor);
  const isNegative = factor < 0;
  const term = (number: number, end = '') => ({
    isNegative,
    text: `${number === 1 && of !== '' ? '' : number}${of}${end}`.trim(),
  });
  if (size === 0) return [];
  if (Number.isInteger(100 * size) || !Number.isInteger(BATCH * size)) return [term(size)];
  const whole = Math.floor(size);
  return [...(whole === 0 ? [] : [term(whole)]), term(BATCH * (size - whole), `/${BATCH}`)];
}

/** How a client's cost grows, in a few words: `linear`, or what is worse than that. */
export function printOrder({ growth }: ComparedCost): string {
  const worse = (order: GrowthOrder) => {
    const names = PHASES.flatMap((phase) =>
      Object.entries(growth[phase]).filter(([, growth]) => orderOf(growth) === order),
    ).map(([name]) => name);
    return [...new Set(names)].join(', ');
  };
  const all = orders(growth);
  if (all.length === 0) return 'refused';
  const parts = [
    all.includes('quadratic') ? `quadratic: ${worse('quadratic')}` : '',
    all.includes('irregular') ? `irregular: ${worse('irregular')}` : '',
  ].filter((part) => part !== '');
  if (parts.length > 0) return parts.join('; ');
  return all.includes('linear') ? 'linear' : 'constant';
}
