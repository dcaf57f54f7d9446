/** Classifies IP addresses: public, private, or always forbidden. */
import { BlockList, isIP, SocketAddress } from 'node:net'

/** Separate lists per family: in one list `::/3` would contain every IPv4 address as a mapped one. */
export interface AddressBlocks {
  readonly ipv4: BlockList
  readonly ipv6: BlockList
}

export function parseBlocks(entries: readonly string[]): AddressBlocks {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const entry of entries) {
    const [network = '', bits] = entry.split('/')
    const family = familyOf(network)
    lists[family].addSubnet(network, Number(bits), family)
  }
  return lists
}

export function isIn(lists: AddressBlocks, address: string): boolean {
  const family = familyOf(address)
  return lists[family].check(address, family)
}

function familyOf(address: string): keyof AddressBlocks {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** Ranges that are not public. Reachable only if the operator allows it. https://www.iana.org/assignments/iana-ipv4-special-registry */
const special = parseBlocks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])
/** Cloud metadata services, link-local, unspecified and multicast: never reachable, even if allowed. */
const forbidden = parseBlocks([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '224.0.0.0/3',
  '::/128',
  'fd00:42::42/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fe80::/10',
  'ff00::/8',
])
const loopback = parseBlocks(['127.0.0.0/8', '::1/128'])

export function isPublic(address: string): boolean {
  return !isIn(special, address)
}

export function isForbidden(address: string): boolean {
  return isIn(forbidden, address)
}

export function isLoopback(address: string): boolean {
  return isIn(loopback, address)
}

/** Canonicalises an address: `::ffff:10.0.0.1`, `0:0:0:0:0:ffff:a00:1` and 10.0.0.1 are the same. */
export function canonicalise(address: string): string {
  if (isIP(address) !== 6) return address
  const { address: short } = new SocketAddress({ address, family: 'ipv6' })
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(short)?.[1] ?? short
}

/** The address and each IPv4 address that a gateway or tunnel would extract from it. */
export function listEmbeddedAddresses(address: string): readonly string[] {
  if (isIP(address) !== 6) return [address]
  const hex = hexOf(address)
  const wrapped = wrappings.map((form) => form.exec(hex)?.slice(1).join('')).filter((found) => found !== undefined)
  const inverted = /^20010000.{16}(.{8})/u.exec(hex)?.[1]
  return [address, ...wrapped.map(ipv4), ...(inverted === undefined ? [] : [ipv4(inverted, 0xff)])]
}

/** Where RFC 4291, 2765, 6052, 8215, 3056, 4380 and 5214 embed IPv4 in the 32 digits of IPv6. Teredo embeds another one, inverted. */
const wrappings = [
  /^0{24}(?!0{4})(.{8})/u,
  /^0{16}ffff0000(.{8})/u,
  /^0064ff9b.{16}(.{8})/u,
  /^0064ff9b0001(.{4})..(.{4})/u,
  /^2002(.{8})/u,
  /^20010000(.{8})/u,
  /^.{16}0[02]005efe(.{8})/u,
]

function ipv4(hex: string, flip = 0): string {
  return [...Buffer.from(hex, 'hex')].map((byte) => byte ^ flip).join('.')
}

function hexOf(address: string): string {
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/u, (_, ...bytes: string[]) => {
    const [a, b, c, d] = bytes.slice(0, 4).map((byte) => Number(byte).toString(16).padStart(2, '0'))
    return `${a}${b}:${c}${d}`
  })
  const [head = [], tail = []] = plain.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join('')
}
