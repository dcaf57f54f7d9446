/** UUIDs that are computed from a name, so that the same thing always has the same one (version 5 of RFC 9562). */
import { createHash } from 'node:crypto'

/** The namespace of URLs in RFC 9562. */
export const urlNamespace = '6ba7b811-9dad-11d1-80b4-00c04fd430c8'

/** @param namespace a UUID */
export function nameUuid(namespace: string, name: string): string {
  const bytes = Buffer.from(namespace.replaceAll('-', ''), 'hex')
  const hash = createHash('sha1').update(bytes).update(name).digest()
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6)
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8)
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-')
}
