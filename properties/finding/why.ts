import type { Flavour } from '../../model/core/part.ts';

/** What one actor does at a step: a part of a routine, code up to a place, a wait; `nothing`: it has no such step. */
export type Act =
  | { readonly is: 'part'; readonly routine: string; readonly part: string; readonly refused: string | null }
  | { readonly is: 'planted part'; readonly routine: string }
  | { readonly is: 'place'; readonly place: string }
  | { readonly is: 'lock'; readonly lock: string; readonly holder: string }
  | { readonly is: 'grace period'; readonly flavour: Flavour; readonly tasks: readonly string[] }
  | { readonly is: 'change'; readonly subject: string; readonly to: string | null }
  | { readonly is: 'answer'; readonly answer: string }
  /** An image has an instruction. */
  | { readonly is: 'instruction'; readonly place: string; readonly text: string }
  /** The clients that see a call. */
  | { readonly is: 'calls'; readonly who: readonly string[] }
  | { readonly is: 'nothing' };

/** Where two kernels first differ that are given the same steps. */
export interface Parting {
  /** From 1. */
  readonly step: number;
  /** Undefined: there is one alone. */
  readonly actor: string | undefined;
  /** In the kernel of the report, and in the other one. */
  readonly here: Act;
  readonly there: Act;
}

/** Whether another kernel breaks the law with the same program. */
export interface OtherVerdict {
  readonly kernel: string;
  readonly verdict: 'breaks' | 'holds' | 'cut' | 'lacks';
}

/** Why a kernel breaks a law where another one does not. */
export type BreachCause =
  | { readonly is: 'planted'; readonly sentence: string; readonly parting: Parting | undefined }
  | {
      readonly is: 'elsewhere';
      readonly others: readonly OtherVerdict[];
      /** Where the nearest one that holds differs first. */
      readonly parting: (Parting & { readonly kernel: string }) | undefined;
    };

/** The cause by other kernels: `partingIn` says where the first one that holds differs. */
export function causeElsewhere(
  others: readonly OtherVerdict[],
  partingIn: (kernel: string) => Parting | undefined,
): BreachCause {
  const holding = others.find(({ verdict }) => verdict === 'holds');
  const parting = holding && partingIn(holding.kernel);
  return { is: 'elsewhere', others, parting: parting && { ...parting, kernel: holding.kernel } };
}
