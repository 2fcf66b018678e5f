import type { Share } from '../../checker/share.ts';
import { WHOLE } from '../../checker/share.ts';
import type { Sites } from '../../counterexamples/sequences/sites.ts';
import { noteSite } from '../../counterexamples/sequences/sites.ts';
import { addTo } from '../../model/core/add-to.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { Instruction } from '../../model/core/instruction.ts';

/** The result of a part of a search, and the return sites that it took. */
interface WithSites {
  readonly result: unknown;
  readonly sites: ReadonlyMap<string, number>;
}

/** The return sites that a search takes: here, or elsewhere before. */
export class TakenSites {
  readonly all: Sites = new Map();
  private own: Sites = new Map();

  constructor(private readonly outer: Share = WHOLE) {}

  /** Told each that is taken. */
  readonly refused = (instruction: Instruction, errno: Errno): void => noteSite(this.own, instruction, errno);

  /** With the result of a part the sites that it took are kept. */
  readonly share: Share = {
    ask: (part) => {
      const asked = this.outer.ask(part);
      if (asked.is !== 'known') return asked;
      const { result, sites } = asked.result as WithSites;
      this.add(sites);
      return { is: 'known', result };
    },
    begin: (part) => {
      this.own = new Map();
      this.outer.begin(part);
    },
    keep: (part, result) => {
      this.add(this.own);
      this.outer.keep(part, { result, sites: new Map(this.own) } satisfies WithSites);
    },
  };

  private add(sites: ReadonlyMap<string, number>): void {
    for (const [site, times] of sites) addTo(this.all, site, times);
  }
}
