import { entry, item } from '../../model/core/present.ts';
import { unreachable } from '../../model/core/unreachable.ts';
import type { BpfProgram } from '../../model/trampoline/program.ts';
import { plainProgram } from '../../model/trampoline/program.ts';
import { fromNumber, ZERO } from '../../model/x86/word.ts';
import type { HistoryScene, PlayedHistory } from './history.ts';
import { HistoryOperation } from './history.ts';
import type { Letter, LetterClient, LetterForm } from './letter.ts';

/** An operation of a history by a client, and the client's objects afterwards. */
export interface DoneByClient {
  readonly played: PlayedHistory;
  readonly client: LetterClient;
}

/** A client does one operation of a history. */
export function doLetter(scene: HistoryScene, client: LetterClient, letter: Letter): DoneByClient {
  const clientAtWork = new ClientAtWork(new HistoryOperation(scene), client);
  switch (letter.do) {
    case 'attach':
      clientAtWork.attach(letter);
      break;
    case 'link again':
      clientAtWork.link(letter.prog, letter.targets);
      break;
    case 'detach':
      clientAtWork.detach(letter.link);
      break;
    default:
      return unreachable(letter);
  }
  return {
    played: clientAtWork.operation.end(),
    client: { progs: clientAtWork.progs, links: clientAtWork.links },
  };
}

class ClientAtWork {
  readonly progs: Record<number, { readonly multi: boolean }>;
  readonly links: Record<number, number>;

  constructor(
    readonly operation: HistoryOperation,
    { progs, links }: LetterClient,
  ) {
    this.progs = { ...progs };
    this.links = { ...links };
  }

  /** A program that cannot be loaded does not exist. */
  attach({ form, multi, targets }: Extract<Letter, { do: 'attach' }>): void {
    const prog = lowestFree(this.progs);
    const isLoaded = this.operation.do({
      do: 'BPF_PROG_LOAD',
      program: programOf(prog, form, multi),
      target: multi ? '' : item(targets, 0),
      probe: '',
      returns: form.returns,
    });
    if (!isLoaded) return;
    this.progs[prog] = { multi };
    this.link(prog, multi ? targets : []);
  }

  link(prog: number, targets: readonly string[]): void {
    const link = lowestFree(this.links);
    if (this.operation.do({ do: 'BPF_LINK_CREATE', link: `link#${link}`, prog, targets }))
      this.links[link] = prog;
    this.closeUnlinked(prog);
  }

  detach(link: number): void {
    const prog = entry(this.links, link);
    this.operation.do({ do: 'close(link)', link: `link#${link}` });
    delete this.links[link];
    this.closeUnlinked(prog);
  }

  /** A program without a link is of no use. */
  private closeUnlinked(prog: number): void {
    if (Object.values(this.links).includes(prog)) return;
    this.operation.do({ do: 'close(prog)', prog });
    delete this.progs[prog];
  }
}

function programOf(id: number, { kind, reads, asks }: LetterForm, multi: boolean): BpfProgram {
  const cookie = asks ? fromNumber(0xc0000 + id * 0x100) : ZERO;
  return { ...plainProgram(id), kind, multi, reads, cookie, getFuncIp: asks };
}

/** The lowest number from 1 that is not in use. */
function lowestFree(used: Readonly<Record<number, unknown>>): number {
  let number = 1;
  while (number in used) number++;
  return number;
}
