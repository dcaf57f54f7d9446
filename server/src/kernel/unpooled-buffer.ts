/**
 * For bytes that are kept: they hold no more memory than they are. Node cuts small buffers out of slabs, of 64 KB from Node 24 on, and
 * a slab stays for as long as one of its buffers does (`Buffer.poolSize`, nodejs.org/api/buffer.html).
 */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
