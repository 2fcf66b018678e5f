import type { CodeName, FunctionName, ImageId, Ip, LinkId, ProgId } from '../../model/core/ids.ts';
import type { TracingKind } from '../../model/trampoline/program.ts';

/** Breaches seen in BPF trampolines and in multi links. */
export type TrampolineFinding =
  | {
      readonly is: 'extension-is-not-alone';
      readonly target: FunctionName;
      readonly extension: number;
      readonly programs: readonly ProgId[];
      /** Empty: none. */
      readonly image: ImageId;
    }
  | {
      readonly is: 'program-does-not-fit';
      readonly who: string;
      readonly what: TracingKind | 'sleepable' | 'LSM';
      readonly fn: FunctionName;
    }
  /** A program that runs beside its function; the value in hexadecimal. */
  | { readonly is: 'program-returns-a-value'; readonly who: string; readonly returns: string }
  /** A program of BPF LSM: a value that its hook never has. */
  | {
      readonly is: 'hook-returns-a-value';
      readonly who: string;
      readonly fn: FunctionName;
      readonly returns: string;
    }
  | { readonly is: 'direct-call-is-jumped-to'; readonly ip: Ip; readonly target: CodeName }
  | {
      readonly is: 'program-stands-there-twice';
      readonly target: FunctionName;
      readonly programs: readonly ProgId[];
    }
  | { readonly is: 'too-many-programs'; readonly target: FunctionName; readonly calls: number }
  /** `image` null: there is none. */
  | {
      readonly is: 'image-is-for-others';
      readonly target: FunctionName;
      readonly programs: readonly ProgId[];
      readonly image: {
        readonly name: string;
        readonly target: FunctionName;
        readonly programs: readonly ProgId[];
      } | null;
    }
  | { readonly is: 'image-does-not-call-through-the-stack'; readonly target: FunctionName }
  | {
      readonly is: 'references-differ';
      readonly of: Referenced;
      readonly expected: number;
      readonly observed: number;
    }
  /** A function of an unloaded module, and what is attached to it. */
  | { readonly is: 'target-was-unloaded'; readonly fn: FunctionName; readonly holder: string }
  | { readonly is: 'link-has-no-program-of-its-kind'; readonly link: LinkId; readonly prog: ProgId }
  | {
      readonly is: 'link-is-twice-on-a-function';
      readonly link: LinkId;
      readonly targets: readonly FunctionName[];
    }
  | { readonly is: 'link-has-changes-left'; readonly link: LinkId; readonly functions: readonly string[] };

/** The objects with a reference count. */
export type Referenced =
  | { readonly is: 'program'; readonly prog: ProgId }
  | { readonly is: 'trampoline'; readonly target: FunctionName }
  | { readonly is: 'shim'; readonly hook: FunctionName }
  /** By the devices that run it. */
  | { readonly is: 'dispatched program'; readonly prog: ProgId }
  | { readonly is: 'module'; readonly module: string };
