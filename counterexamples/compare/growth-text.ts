import type { Compared } from '../../properties/compare/compared.ts';
import { orders, PHASES } from '../../properties/compare/compared.ts';
import type { Growth, Order } from '../../properties/compare/growth.ts';
import { orderOf } from '../../properties/compare/growth.ts';

/** Pokes that are synchronised together: some counts grow by this many functions. */
const BATCH = 256;

/** A growth as a polynomial: `3.5 N² + 0.5 N`, `N − 1`, `3 N/256 + 13`; `irregular` if there is none. */
export function printGrowth(growth: Growth | undefined): string {
  if (growth === undefined) return 'irregular';
  const terms = [
    [growth.quadratic, ' N²'],
    [growth.linear, ' N'],
    [growth.constant, ''],
  ] as const;
  const printed = terms.filter(([factor]) => factor !== 0).map(([factor, of]) => term(factor, of));
  if (printed.length === 0) return '0';
  const text = printed.map(({ sign, size }, i) => (i === 0 ? (sign === '+' ? '' : '−') : ` ${sign} `) + size);
  return text.join('');
}

function term(factor: number, of: string): { sign: string; size: string } {
  const size = Math.abs(factor);
  const inBatches = of === ' N' && !Number.isInteger(2 * size) && Number.isInteger(BATCH * size);
  const number = inBatches ? BATCH * size : size;
  const digits = number === 1 && of !== '' ? '' : String(number);
  return { sign: factor < 0 ? '−' : '+', size: `${digits}${of}${inBatches ? `/${BATCH}` : ''}`.trim() };
}

/** How a client grows in a few words: `linear`, or what of it is worse than that. */
export function printOrder({ growth }: Compared): string {
  const worse = (order: Order) => {
    const names = PHASES.flatMap((phase) =>
      Object.entries(growth[phase]).filter(([, one]) => orderOf(one) === order),
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
