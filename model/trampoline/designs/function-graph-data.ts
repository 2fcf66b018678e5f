import type { FunctionName, GraphOpsId, ImageId, LinkId, ProgId } from '../../core/ids.ts';
import { useAfterFree } from '../../core/oops.ts';
import type { BpfView } from '../world.ts';
import { designData } from './design.ts';
import type { GraphImage } from './function-graph-image.ts';

/** State of links on function graph, by the name of their `fgraph_ops`. */
export interface GraphLinks {
  links: Record<GraphOpsId, GraphLink>;
}

/** A link: its program, and where each of its functions finds its code. */
export interface GraphLink {
  /** The number of the program. */
  readonly prog: ProgId;
  /** Found by the address of the function, at each entry and at each return. */
  readonly functions: Record<FunctionName, GraphFunction>;
  /** An image for each layout of arguments, by its page. */
  readonly images: Record<string, GraphImage>;
}

/** Facts of a function that the callbacks need. */
export interface GraphFunction {
  readonly image: ImageId;
  /** Argument words. */
  readonly words: number;
  /** Hexadecimal. */
  readonly cookie: string;
}

/** The `fgraph_ops` of a link. */
export function graphOpsOf(link: LinkId): GraphOpsId {
  return `${link}.gops`;
}

/** A link through its `fgraph_ops`; accessing one that was freed is a crash. */
export function graphLinkOf(k: BpfView, gops: GraphOpsId): GraphLink {
  const link = designData<GraphLinks>(k).links[gops];
  if (link === undefined) throw useAfterFree({ is: 'graph link', graphOps: gops }, 'bpf_graph_entry');
  return link;
}

/**
 * The data of a link for a function; undefined for a function that it does not trace: the single user of function
 * graph is called without a test of its filter, and a task that was preempted before the call may come from any
 * function.
 */
export function graphFunctionOf(k: BpfView, gops: GraphOpsId, fn: FunctionName): GraphFunction | undefined {
  return graphLinkOf(k, gops).functions[fn];
}
