import type { AttachCase } from '../../checker/sequences/attach-case.ts';
import { atEachPace, distinct } from '../../conformance/sequences/paces.ts';
import type { Action } from '../../model/client/all.ts';
import type { Errno } from '../../model/core/errno.ts';
import { bootKernel } from '../../model/kernel.ts';
import { ModelBranch } from '../history/model-branch.ts';

/** The errnos for which a history was drawn: those of the model, at any pace of its grace periods. */
export class ExpectedErrnos {
  private branches: ModelBranch[];

  constructor({ profile, functions }: AttachCase) {
    this.branches = [new ModelBranch(bootKernel({ profile, boot: 'default', functions }))];
  }

  /** Whether the model answers this as well; once it does not, nothing that follows is as it was drawn. */
  isAsDrawn(action: Action, errno: Errno | 0): boolean {
    const paces = this.branches.flatMap((branch) => atEachPace(branch));
    const agreeing = paces.filter((branch) => {
      const outcome = branch.do(action);
      return outcome.died === undefined && outcome.errno === errno;
    });
    this.branches = distinct(agreeing, ({ k }) => k);
    return agreeing.length > 0;
  }
}
