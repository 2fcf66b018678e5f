import type { Errno } from '../core/errno.ts';
import type { Profile } from '../core/profile.ts';
import { PAGE_BYTES } from '../text/space.ts';

/*
 * Where the images of a struct_ops map lie: bpf_struct_ops_map_update_elem() and bpf_struct_ops_prepare_trampoline(),
 * kernel/bpf/bpf_struct_ops.c.
 *
 * ```text
 *   6.1         one page; an image starts where the one before it ends
 *   6.12, 7.2   pages as they are needed, at most eight; each image is followed by BPF_INSN_SAFETY free bytes
 * ```
 */

/** The place of an image: the number of its page in the map, and its offset there. */
export interface MemberPlace {
  readonly page: number;
  readonly offset: number;
}

/** `MAX_TRAMP_IMAGE_PAGES`. */
const PAGES_MAX = 8;

/**
 * The places of images of these lengths, in the order of the members. The page of 6.1 ends with EFAULT, since images are
 * not measured before; the last page of later kernels with E2BIG.
 */
export function placeMembers(
  { sizePass, safetyBytes }: Profile,
  lengths: readonly number[],
): MemberPlace[] | Errno {
  const places: MemberPlace[] = [];
  let page = 0;
  let offset = 0;
  for (const length of lengths) {
    const end = offset + length + safetyBytes;
    if (end > PAGE_BYTES && !sizePass) return 'EFAULT';
    if (end > PAGE_BYTES) {
      if (page + 1 === PAGES_MAX) return 'E2BIG';
      page++;
      offset = 0;
    }
    places.push({ page, offset });
    offset += sizePass ? length + safetyBytes : length;
  }
  return places;
}
