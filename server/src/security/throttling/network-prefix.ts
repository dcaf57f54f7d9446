/** The network prefix that address limits count as one caller. */
import { isIPv6 } from 'node:net'

/** The /64 prefix of IPv6, which one home has to itself. IPv4 may be mapped into IPv6. */
export function addressBlock(address: string | null): string {
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/iu, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const missing = tail === undefined ? 0 : 4 - groups.length
  return [...groups, ...Array.from({ length: Math.max(missing, 0) }, () => '0')].slice(0, 4).join(':')
}
