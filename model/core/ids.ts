declare const kind: unique symbol;

/**
 * A name or a number with the kind of its object. One kind cannot replace another: an `OpsId` is no `LinkId`, and
 * looks nothing up in a table of images. What has no kind yet, a literal or a word that was read, may become any.
 */
type Id<Base extends string | number, Kind extends string> = Base & { readonly [kind]?: Kind };

/** Of a traced function, or of a BPF program that others attach to. */
export type FunctionName = Id<string, 'function'>;
/** A call site has the name of its function; an instruction of its body has its offset as well: `f1+0x5`. */
export type Ip = FunctionName;
/** `struct ftrace_ops`: a client's own, or `direct_ops`, `tr(f1).fops`. */
export type OpsId = Id<string, 'ops'>;
/** `struct fgraph_ops`. */
export type GraphOpsId = Id<string, 'graph ops'>;
export type KprobeId = Id<string, 'kprobe'>;
/** `struct optimized_kprobe`. */
export type OptprobeId = Id<string, 'optprobe'>;
export type KretprobeId = Id<string, 'kretprobe'>;
export type FprobeId = Id<string, 'fprobe'>;
/** `struct rethook`: it has the name of its only user, and a number while an older one of that user has it. */
export type RethookId = KretprobeId | FprobeId | Id<string, 'rethook'>;
/** `prog#1` by its number. */
export type ProgId = Id<number, 'program'>;
/** `struct bpf_link`: `link#1`. */
export type LinkId = Id<string, 'link'>;
/** `struct bpf_tramp_image`: `tramp#1`. */
export type ImageId = Id<string, 'image'>;
/** Code that a site may call: an image, or a trampoline of a client's. */
export type CodeName = Id<string, 'code' | 'image'>;
