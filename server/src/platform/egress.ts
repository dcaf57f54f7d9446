/** The way out: which addresses a connector may dial. What is checked is what is dialled, so a name that changes its mind gains nothing. */
import { lookup } from 'node:dns/promises'
import { BlockList, connect, isIP, SocketAddress, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Fault } from '@tributary/engine/faults'
import type { Network } from '@tributary/engine/network'
import { StartRefused } from './start-refused.ts'

export interface Endpoint {
  readonly host: string
  readonly port: number
}

export interface NetworkOptions {
  /** `host:port` or CIDR blocks, from the operator: reached although they are private. */
  readonly allow: readonly string[]
  /** Reached by nobody, whatever is allowed: our own listeners and the store. A port of 0 forbids the whole host. */
  readonly never: () => readonly Endpoint[]
  /** How long one address may take to accept, in ms. */
  readonly connectMs?: number
}

export function openNetwork({ allow, never, connectMs = 10_000 }: NetworkOptions): Network {
  const allowed = parseAllowed(allow)
  return {
    async dial(host, port, signal) {
      const name = host.replace(/^\[|\]$/gu, '').toLowerCase()
      const addresses = await resolveName(name, port)
      for (const address of addresses) {
        const isOpen = isPublic(address) || allowed.has(name, address, port)
        const isShut = isIn(forbidden, address) || (await isOneOf(never(), { host: address, port }))
        if (!isOpen || isShut) throw refused(name, port)
      }
      return connectFirst(addresses, { host: name, port, connectMs, signal })
    },
  }
}

async function resolveName(name: string, port: number): Promise<readonly string[]> {
  // A name is letters; a number in any other notation than the usual ones would be read differently by somebody else.
  if (isIP(name) === 0 && /^(?:0x[\da-f]*|\d+)(?:\.(?:0x[\da-f]*|\d+))*\.?$/u.test(name)) throw unknownHost(name)
  // A zone picks one of our own interfaces.
  if (name.includes('%')) throw unknownHost(name)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw unknownHost(name)
  try {
    const found = await lookup(name, { all: true, verbatim: true })
    return found.map(({ address }) => canonical(address))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAI_AGAIN') throw failed(name, port, error)
    throw unknownHost(name)
  }
}

/** One spelling for each address: `::ffff:10.0.0.1`, `0:0:0:0:0:ffff:a00:1` and 10.0.0.1 are the same. */
function canonical(address: string): string {
  if (isIP(address) !== 6) return address
  const { address: short } = new SocketAddress({ address, family: 'ipv6' })
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/iu.exec(short)?.[1] ?? short
}

interface Dialling extends Endpoint {
  readonly connectMs: number
  readonly signal: AbortSignal
}

async function connectFirst(addresses: readonly string[], dialling: Dialling): Promise<Socket> {
  let last: unknown
  for (const address of addresses) {
    try {
      return await connectTo(address, dialling)
    } catch (error) {
      dialling.signal.throwIfAborted()
      last = error
    }
  }
  throw failed(dialling.host, dialling.port, last)
}

function connectTo(address: string, { port, connectMs, signal }: Dialling): Promise<Socket> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, signal, noDelay: true, keepAlive: true })
    const timer = setTimeout(() => socket.destroy(new Error('The connection was not accepted in time.')), connectMs)
    socket.once('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.removeAllListeners('error')
      resolve(socket)
    })
  })
}

/** Ranges that are nobody's on the Internet, and reached only where the operator allows it. https://www.iana.org/assignments/iana-ipv4-special-registry */
const special = blocks([
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
/** Metadata services of clouds, link-local, unspecified and multicast: never, whoever allows it. */
const forbidden = blocks([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '224.0.0.0/3',
  '::/128',
  'fd00:ec2::254/128',
  'fe80::/10',
  'ff00::/8',
])
const loopback = blocks(['127.0.0.0/8', '::1/128'])

function isPublic(address: string): boolean {
  return !isIn(special, address)
}

/** A list for each family: in one for both, `::/3` would hold every IPv4 address, too, as a mapped one. */
interface Blocks {
  readonly ipv4: BlockList
  readonly ipv6: BlockList
}

function isIn(lists: Blocks, address: string): boolean {
  const family = familyOf(address)
  return lists[family].check(address, family)
}

function blocks(entries: readonly string[]): Blocks {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const entry of entries) {
    const [network = '', bits] = entry.split('/')
    const family = familyOf(network)
    lists[family].addSubnet(network, Number(bits), family)
  }
  return lists
}

function familyOf(address: string): keyof Blocks {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

function parseAllowed(entries: readonly string[]) {
  const cidrs = entries.filter((entry) => entry.includes('/'))
  const endpoints = new Set(entries.filter((entry) => !entry.includes('/')).map((entry) => entry.toLowerCase()))
  for (const entry of [...cidrs, ...endpoints]) requireForm(entry)
  const list = blocks(cidrs)
  return {
    has: (name: string, address: string, port: number) =>
      endpoints.has(`${name}:${port}`) ||
      endpoints.has(`${address}:${port}`) ||
      endpoints.has(`[${address}]:${port}`) ||
      isIn(list, address),
  }
}

function requireForm(entry: string): void {
  const [network = '', bits = ''] = entry.split('/')
  const version = isIP(network)
  const isBlock = version !== 0 && /^\d+$/u.test(bits) && Number(bits) <= (version === 6 ? 128 : 32)
  const isEndpoint = /^(?:\[[\da-f:]+\]|[^\s:/]+):\d{1,5}$/u.test(entry)
  if (isBlock || isEndpoint) return
  throw new StartRefused(`TRIBUTARY_ALLOW_HOSTS: '${entry}' is neither host:port nor a block such as 10.0.0.0/8.`)
}

async function isOneOf(endpoints: readonly Endpoint[], dialled: Endpoint): Promise<boolean> {
  for (const { host, port } of endpoints) {
    if (port !== 0 && port !== dialled.port) continue
    if (isAnyAddress(host) && isOwn(dialled.host)) return true
    const found = await lookup(host, { all: true }).catch(() => [])
    if (found.some(({ address }) => canonical(address) === dialled.host)) return true
  }
  return false
}

/** Whoever listens there answers at every address of this machine. */
function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function isOwn(address: string): boolean {
  return isIn(loopback, address) || Object.values(networkInterfaces()).some((each) => each?.some((one) => one.address === address))
}

/** The same words for every refused address, so that nobody learns what is where inside. */
function refused(host: string, port: number): Fault {
  return new Fault('settings', {
    code: 'network.refused',
    notice: `Tributary may not connect to ${host}:${port}: it is an internal address. Whoever runs this server can allow it with TRIBUTARY_ALLOW_HOSTS=${host}:${port}.`,
  })
}

function unknownHost(host: string): Fault {
  return new Fault('settings', {
    code: 'network.unknown_host',
    notice: `There is no host with the name ${host}. Check the host name and the port.`,
  })
}

function failed(host: string, port: number, cause: unknown): Fault {
  return new Fault('passing', {
    code: 'network.unreachable',
    notice: `${host}:${port} does not answer. Check that the server runs and that a firewall lets Tributary in.`,
    cause,
  })
}
