/** Whom a limit for each network address counts as one. */
import { isIPv6 } from 'node:net'

/** One home has a /64 of IPv6 to itself; an IPv4 address may come wrapped in IPv6. */
export function addressBlock(address: string | null): string {
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/iu, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const missing = tail === undefined ? 0 : 4 - groups.length
  return [...groups, ...Array.from({ length: Math.max(missing, 0) }, () => '0')].slice(0, 4).join(':')
}
