import type { WalkVerdict } from '../walk/stand.ts';
import { h } from './dom.ts';

/** How a walk ends, in one line. */
export function verdictText(verdict: WalkVerdict): string {
  switch (verdict.is) {
    case 'broken':
      return `✗ ${verdict.law}: expected ${verdict.expected}; observed ${verdict.observed}`;
    case 'crash':
      return `✗ the kernel crashes: ${verdict.observed}`;
    case 'differs':
      return `≠ ${verdict.observed}`;
    case 'held':
      return '✓ all have finished, and the law holds';
  }
}

/** The same in full. */
export function verdictView(verdict: WalkVerdict): HTMLElement {
  const lines =
    verdict.is === 'broken'
      ? [`✗ ${verdict.law}`, `expected: ${verdict.expected}`, `observed: ${verdict.observed}`]
      : [verdictText(verdict)];
  return h('div', { class: `outcome ${verdict.is}` }, ...lines.map((line) => h('p', {}, line)));
}
