/**
 * Egress control: which addresses a connector may connect to. Connects to the checked address itself, so DNS rebinding between
 * check and connection has no effect.
 */
import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { portOf } from '@tributary/engine/apis/http/exchange'
import { Fault } from '@tributary/engine/ports/faults'
import type { Network, Protocol } from '@tributary/engine/ports/network'
import {
  parseBlocks,
  canonicalise,
  isForbidden,
  isIn,
  isLoopback,
  isPublic,
  listEmbeddedAddresses,
} from './ip-ranges.ts'
import { rejectOnAbort } from '../../kernel/reject-on-abort.ts'
import { keepAliveDelayMs } from '../../kernel/store/keep-alive.ts'
import { StartRefused } from '../../kernel/start-error.ts'

export interface NetworkEndpoint {
  readonly host: string
  readonly port: number
}

/** The endpoint of an address of HTTP, as `allow` names it. */
export function endpointOf(address: string): string {
  const url = new URL(address)
  return `${url.hostname}:${portOf(url)}`
}

export interface NetworkOptions {
  /** `host:port` or CIDR blocks of private addresses that the operator allows. */
  readonly allow: readonly string[]
  /** The same for one protocol only. */
  readonly allowFor?: { readonly [P in Protocol]?: readonly string[] }
  /** Always blocked, whatever is allowed: the server's own listeners and the store. Port 0 blocks the whole host. */
  readonly deny: () => readonly NetworkEndpoint[]
  /** Connection timeout per address, in ms. */
  readonly connectMs?: number
  /** Timeout of a name lookup, in ms: enough for one lost query. */
  readonly lookUpMs?: number
  /** Resolves a name to all its addresses; by default the system's resolver. */
  readonly lookUp?: ResolveName
}

export type ResolveName = (name: string) => Promise<readonly string[]>

export function openNetwork(options: NetworkOptions): Network {
  const { allow, allowFor = {}, deny, connectMs = 10_000, lookUpMs = 8_000, lookUp = resolveWithSystem } = options
  const allowedFor = (protocol: Protocol) => parseAllowed([...allow, ...(allowFor[protocol] ?? [])])
  const allowed = {
    http: allowedFor('http'),
    mysql: allowedFor('mysql'),
    postgres: allowedFor('postgres'),
    sqlserver: allowedFor('sqlserver'),
  }
  const names = new NameResolver(lookUp, lookUpMs)
  return {
    async dial(host, port, signal, protocol) {
      const name = host.replace(/^\[|\]$/gu, '').toLowerCase()
      requireName(name, port)
      const addresses = await names.find(name, signal)
      for (const address of addresses) {
        const meanings = listEmbeddedAddresses(address)
        const isOpen = meanings.every((one) => isPublic(one) || allowed[protocol].has(name, one, port))
        if (!isOpen || meanings.some(isForbidden)) throw internalAddressFault(name, port)
      }
      const shut = await createBlockedAddressCheck(deny(), { name, port, names, signal })
      if (addresses.flatMap(listEmbeddedAddresses).some(shut)) throw internalAddressFault(name, port)
      return connectFirst(addresses, { host: name, port, connectMs, signal })
    },
  }
}

function requireName(name: string, port: number): void {
  // Refuses numbers in unusual notations, which other parsers would interpret as other addresses.
  const isOddNumber = /^(?:0x[\da-f]*|\d+)(?:\.(?:0x[\da-f]*|\d+))*\.?$/u.test(name)
  // Refuses paths, lists, ports and users within a name. A zone would select a network interface of this machine.
  const isName = /^[\p{L}\p{M}\p{N}._-]+$/u.test(name) && !isOddNumber
  const isAddress = isIP(name) !== 0 && !name.includes('%')
  if (!(isName || isAddress) || !Number.isInteger(port) || port < 1 || port > 65_535) throw unknownHostFault(name)
}

async function resolveWithSystem(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

const nameServerFailed = new Set(['EAI_AGAIN', 'EAI_FAIL'])

/** Resolves names in bounded time. */
class NameResolver {
  readonly #lookUp: ResolveName
  readonly #timeoutMs: number
  readonly #lastFound = new Map<string, readonly string[]>()

  constructor(lookUp: ResolveName, timeoutMs: number) {
    this.#lookUp = lookUp
    this.#timeoutMs = timeoutMs
  }

  async find(name: string, signal: AbortSignal): Promise<readonly string[]> {
    if (isIP(name) !== 0) return [canonicalise(name)]
    const inTime = AbortSignal.timeout(this.#timeoutMs)
    try {
      const found = await Promise.race([this.#lookUp(name), rejectOnAbort(AbortSignal.any([signal, inTime]))])
      return found.map(canonicalise)
    } catch (error) {
      signal.throwIfAborted()
      const { code = '' } = error as NodeJS.ErrnoException
      throw inTime.aborted || nameServerFailed.has(code) ? unresolvedHostFault(name, error) : unknownHostFault(name)
    }
  }

  /** For the server's own names: falls back to the last known addresses if the lookup fails. Null if there are none. */
  async resolveOrRecall(name: string, signal: AbortSignal): Promise<readonly string[] | null> {
    try {
      const found = await this.find(name, signal)
      this.#lastFound.set(name, found)
      return found
    } catch {
      signal.throwIfAborted()
      return this.#lastFound.get(name) ?? null
    }
  }
}

interface ConnectionAttempt extends NetworkEndpoint {
  readonly connectMs: number
  readonly signal: AbortSignal
}

async function connectFirst(addresses: readonly string[], dialling: ConnectionAttempt): Promise<Socket> {
  let last: unknown
  for (const address of addresses) {
    try {
      return await connectTo(address, dialling)
    } catch (error) {
      dialling.signal.throwIfAborted()
      last = error
    }
  }
  throw connectionFault(dialling.host, dialling.port, last)
}

function connectTo(address: string, { port, connectMs, signal }: ConnectionAttempt): Promise<Socket> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: address,
      port,
      signal,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: keepAliveDelayMs,
    })
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

function parseAllowed(entries: readonly string[]) {
  const cidrs = entries.filter((entry) => entry.includes('/'))
  const endpoints = new Set(entries.filter((entry) => !entry.includes('/')).map((entry) => entry.toLowerCase()))
  for (const entry of [...cidrs, ...endpoints]) requireForm(entry)
  const list = parseBlocks(cidrs)
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

interface BlockedAddressLookup {
  /** The requested host, for the error message, which reveals no name of the server. */
  readonly name: string
  readonly port: number
  readonly names: NameResolver
  readonly signal: AbortSignal
}

/** Returns a function that is true for addresses at whose port a blocked endpoint listens. */
async function createBlockedAddressCheck(
  endpoints: readonly NetworkEndpoint[],
  looking: BlockedAddressLookup,
): Promise<(address: string) => boolean> {
  const { name, port, names, signal } = looking
  const hosts = endpoints.filter((endpoint) => endpoint.port === 0 || endpoint.port === port).map(({ host }) => host)
  const shut = new Set<string>()
  for (const host of hosts.filter((one) => !isSocketFile(one))) {
    const found = await names.resolveOrRecall(host, signal)
    if (found === null) throw unresolvedHostFault(name, new Error('An address of our own could not be looked up.'))
    for (const address of found) shut.add(address)
  }
  // A listener on this machine may be reachable at each of its addresses.
  const isHereShut =
    hosts.some(isSocketFile) || [...shut].some((address) => isAnyAddress(address) || isOwnAddress(address))
  return (address) => shut.has(address) || (isHereShut && isOwnAddress(address))
}

function isSocketFile(host: string): boolean {
  return host.startsWith('/')
}

function isAnyAddress(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}

function isOwnAddress(address: string): boolean {
  return (
    isLoopback(address) ||
    Object.values(networkInterfaces()).some((each) => each?.some((one) => canonicalise(one.address) === address))
  )
}

/** The same message for every refused address, so that it reveals nothing about the internal network. */
function internalAddressFault(host: string, port: number): Fault {
  return new Fault('settings', {
    code: 'network.refused',
    notice: `Tributary may not connect to ${host}:${port}: it is an internal address. The operator of this server can allow it with TRIBUTARY_ALLOW_HOSTS=${host}:${port}.`,
  })
}

function unknownHostFault(host: string): Fault {
  return new Fault('settings', {
    code: 'network.unknown_host',
    notice: `There is no host with the name ${host}. Check the host name and the port.`,
  })
}

function unresolvedHostFault(host: string, cause: unknown): Fault {
  return new Fault('passing', {
    code: 'network.unresolved',
    notice: `The name ${host} could not be looked up just now. Check the host name; if it is right, the name server does not answer.`,
    cause,
  })
}

function connectionFault(host: string, port: number, cause: unknown): Fault {
  return new Fault('passing', {
    code: 'network.unreachable',
    notice: `${host}:${port} does not answer. Check that the server runs and that a firewall lets Tributary in.`,
    cause,
  })
}
