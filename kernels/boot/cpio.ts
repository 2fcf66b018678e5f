/** A file of the guest. */
export interface GuestFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

export const PROGRAM = 0o100755;
export const DATA = 0o100644;

/** An initramfs: an archive in the format of `cpio -H newc`, which the kernel unpacks at boot. */
export function cpio(files: readonly GuestFile[]): Uint8Array {
  const parts = [...files, { name: 'TRAILER!!!', bytes: new Uint8Array(), mode: 0 }].flatMap(entryOf);
  return Buffer.concat(parts);
}

/** Names and contents begin at multiples of four. */
function entryOf({ name, bytes, mode }: GuestFile, i: number): Uint8Array[] {
  const size = name.length + 1;
  // inode, mode, uid, gid, links, mtime, size of the file, four of its device, size of the name, check
  const fields = [i + 1, mode, 0, 0, 1, 0, bytes.length, 0, 0, 0, 0, size, 0];
  const hex = fields.map((field) => field.toString(16).padStart(8, '0').toUpperCase()).join('');
  const head = Buffer.from(`070701${hex}${name}\0`);
  return [head, padding(head.length), bytes, padding(bytes.length)];
}

function padding(length: number): Uint8Array {
  return new Uint8Array((4 - (length % 4)) % 4);
}
