/**
 * Something that the model leaves out has been met, and the message names it: neither a fault of the kernel nor of its
 * model. Any other exception of a routine, except one of input, is a fault.
 */
export class NotModelled extends Error {
  override name = 'NotModelled';
}
