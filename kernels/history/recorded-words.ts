import type { CallAnswer } from './answer.ts';

/**
 * The init function of a module is freed, and ftrace keeps its name (ftrace_mod_address_lookup()): a page that is allocated there
 * has that, and none of its own.
 */
const NAMELESS = 'second_init+0x0/0x0';

/** Trampolines by the names that recordings have for them. */
export function inOldWords(symbol: string): string {
  return symbol
    .replace(/recorder_tramp_([123])/, (_, number: string) => `lab_tramp_${' abc'[Number(number)]}`)
    .replace('recorder_replacement', 'lab_repl')
    .replace(/second_init\+\S+/, NAMELESS)
    .replace(/bpf_prog_[0-9a-f]+_p(\d\d)/, (_, number: string) => `prog#${Number(number)}`);
}

/** A line of enabled_functions as recordings have it: by one name for every module, without padding and the flag M. */
export function asRecorded(line: string): string {
  const plain = inOldWords(line).replace(/\[attachcheck(_second)?\]/, '[lab]');
  return plain
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^(?=\()/, '[lab] ')
    .replace(/^(\[lab\] \(\d+\)(?: [A-LN-Z])*) M(?= |$)/, '$1');
}

/** The recorder's mask. */
export function lostRegisters({ lost }: CallAnswer): string {
  return ['rbx', 'r12', 'r13', 'r14', 'r15'].filter((_, bit) => (lost & (1 << bit)) !== 0).join(' ');
}
