/**
 * Copies bytes that are kept for long out of Node's buffer pool. A small buffer otherwise keeps its whole slab in memory,
 * 64 KB from Node 24 on (`Buffer.poolSize`, nodejs.org/api/buffer.html).
 */
export function copyUnpooled(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
