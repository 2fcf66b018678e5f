import { unreachable } from '../core/unreachable.ts';
import type { Word } from '../x86/word.ts';
import { displacement } from '../x86/word.ts';
import { addressOf, branchTarget, PAGE_BYTES } from './space.ts';
import type { TextView } from './text.ts';
import { NOP5, nameAt } from './text.ts';

/** The instruction at a call site, or of a call in entry code. */
export type Branch =
  | { readonly is: 'nop5' }
  /** To a page, a function, a fixed symbol or a program, by its name. */
  | { readonly is: 'call' | 'jmp'; readonly to: string }
  | { readonly is: 'bytes'; readonly bytes: string };

/** `nop5`, `call ftrace_caller`, `jmp tramp#1`, or the bytes. */
export function printBranch(branch: Branch): string {
  switch (branch.is) {
    case 'nop5':
      return 'nop5';
    case 'call':
    case 'jmp':
      return `${branch.is} ${branch.to}`;
    case 'bytes':
      return branch.bytes.replace(/..(?=.)/g, '$& ');
    default:
      return unreachable(branch);
  }
}

/** Five bytes at an address as text: `nop5`, `call tramp#1`, `jmp tramp#1`, or the bytes themselves. */
export function describeBranch(k: TextView, bytes: string, address: Word): string {
  return printBranch(branchIn(k, bytes, address));
}

/** Five bytes at an address, decoded. */
export function branchIn(k: TextView, bytes: string, address: Word): Branch {
  if (bytes === NOP5) return { is: 'nop5' };
  if (!bytes.startsWith('e8') && !bytes.startsWith('e9')) return { is: 'bytes', bytes };
  const target = branchTarget(bytes, address);
  return { is: bytes.startsWith('e8') ? 'call' : 'jmp', to: symbolAt(k, target) };
}

/** What starts at an address, or the page that it is in. */
export function symbolAt(k: TextView, address: Word): string {
  return nameAt(k, address) ?? insidePage(k, address) ?? 'unmapped memory';
}

/** An address after the start of a page: `bpf_dispatcher_xdp+0x800`. */
function insidePage(k: TextView, address: Word): string | undefined {
  for (const name in k.text.pages) {
    const offset = displacement(address, addressOf(k, name));
    if (offset !== undefined && offset > 0 && offset < PAGE_BYTES) return `${name}+0x${offset.toString(16)}`;
  }
  return undefined;
}
