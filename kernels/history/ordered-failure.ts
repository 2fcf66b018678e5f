import type { InjectedFault } from '../../model/core/world.ts';
import type { KernelView } from '../../model/kernel.ts';

/** What the recorder answers when it finds no call that could fail. */
const NO_SUCH_CALL = 'ENOENT';

/** A failure that was ordered in a function that the kernel does not have: nothing fails there, nor may it in the model. */
export class OrderedFailure {
  private absent: InjectedFault | undefined;

  /** The errno of the order, for a kernel without such a function as well. */
  answered(fault: InjectedFault, errno: string): string {
    this.absent = errno === NO_SUCH_CALL ? fault : undefined;
    return errno === NO_SUCH_CALL ? '0' : errno;
  }

  /** Throws if it has happened in the model: then the calls of its place are not known in this kernel. */
  requireNone({ fault }: KernelView): void {
    if (this.absent === undefined || fault !== null) return;
    const { what, where } = this.absent;
    throw new Error(`the model has a failing ${what} in ${where}, of which no call is known in this kernel`);
  }
}
