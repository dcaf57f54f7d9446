/** The way out: which addresses a connector may dial. What is checked is what is dialled, so a name that changes its mind gains nothing. */
import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Fault } from '@tributary/engine/ports/faults'
import type { Network, Protocol } from '@tributary/engine/ports/network'
import { blocks, canonical, isForbidden, isIn, isLoopback, isPublic, meaningsOf } from './ip-ranges.ts'
import { StartRefused } from '../../kernel/start-error.ts'

export interface Endpoint {
  readonly host: string
  readonly port: number
}

export interface NetworkOptions {
  /** `host:port` or CIDR blocks, from the operator: reached although they are private. */
  readonly allow: readonly string[]
  /** The same for one protocol: connections for any other are refused. */
  readonly allowFor?: { readonly [P in Protocol]?: readonly string[] }
  /** Reached by nobody, whatever is allowed: our own listeners and the store. A port of 0 forbids the whole host. */
  readonly never: () => readonly Endpoint[]
  /** How long one address may take to accept, in ms. */
  readonly connectMs?: number
  /** How long a name may take to be looked up, in ms: time for one question that is lost on the way. */
  readonly lookUpMs?: number
  /** Every address of a name; the machine's own resolver unless given. */
  readonly lookUp?: LookUp
}

export type LookUp = (name: string) => Promise<readonly string[]>

export function openNetwork(options: NetworkOptions): Network {
  const { allow, allowFor = {}, never, connectMs = 10_000, lookUpMs = 8_000, lookUp = askSystem } = options
  const allowedFor = (protocol: Protocol) => parseAllowed([...allow, ...(allowFor[protocol] ?? [])])
  const allowed = {
    http: allowedFor('http'),
    mysql: allowedFor('mysql'),
    postgres: allowedFor('postgres'),
    sqlserver: allowedFor('sqlserver'),
  }
  const names = new Names(lookUp, lookUpMs)
  return {
    async dial(host, port, signal, protocol) {
      const name = host.replace(/^\[|\]$/gu, '').toLowerCase()
      requireName(name, port)
      const addresses = await names.find(name, signal)
      for (const address of addresses) {
        const meanings = meaningsOf(address)
        const isOpen = meanings.every((one) => isPublic(one) || allowed[protocol].has(name, one, port))
        if (!isOpen || meanings.some(isForbidden)) throw refused(name, port)
      }
      const shut = await shutAddresses(never(), { name, port, names, signal })
      if (addresses.flatMap(meaningsOf).some(shut)) throw refused(name, port)
      return connectFirst(addresses, { host: name, port, connectMs, signal })
    },
  }
}

function requireName(name: string, port: number): void {
  // A name is letters; a number in any other notation than the usual ones would be read differently by somebody else.
  const isOddNumber = /^(?:0x[\da-f]*|\d+)(?:\.(?:0x[\da-f]*|\d+))*\.?$/u.test(name)
  // A path, a list, a second port or a user within a name is for nobody to take apart; a zone picks one of our own interfaces.
  const isName = /^[\p{L}\p{M}\p{N}._-]+$/u.test(name) && !isOddNumber
  const isAddress = isIP(name) !== 0 && !name.includes('%')
  if (!(isName || isAddress) || !Number.isInteger(port) || port < 1 || port > 65_535) throw unknownHost(name)
}

async function askSystem(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

const nameServerFailed = new Set(['EAI_AGAIN', 'EAI_FAIL'])

/** The addresses of names, in bounded time. */
class Names {
  readonly #lookUp: LookUp
  readonly #timeoutMs: number
  readonly #lastFound = new Map<string, readonly string[]>()

  constructor(lookUp: LookUp, timeoutMs: number) {
    this.#lookUp = lookUp
    this.#timeoutMs = timeoutMs
  }

  async find(name: string, signal: AbortSignal): Promise<readonly string[]> {
    if (isIP(name) !== 0) return [canonical(name)]
    const inTime = AbortSignal.timeout(this.#timeoutMs)
    try {
      const found = await Promise.race([this.#lookUp(name), aborted(AbortSignal.any([signal, inTime]))])
      return found.map(canonical)
    } catch (error) {
      signal.throwIfAborted()
      const { code = '' } = error as NodeJS.ErrnoException
      throw inTime.aborted || nameServerFailed.has(code) ? unresolved(name, error) : unknownHost(name)
    }
  }

  /** For names of our own: while they cannot be looked up, they are believed to be where they were. Null where that is not known. */
  async findOrRecall(name: string, signal: AbortSignal): Promise<readonly string[] | null> {
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

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
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

interface Looking {
  /** What is dialled; whoever dials learns no name of ours. */
  readonly name: string
  readonly port: number
  readonly names: Names
  readonly signal: AbortSignal
}

/** Tells whether somebody whom nobody may dial answers at that port of an address. */
async function shutAddresses(endpoints: readonly Endpoint[], looking: Looking): Promise<(address: string) => boolean> {
  const { name, port, names, signal } = looking
  const hosts = endpoints.filter((endpoint) => endpoint.port === 0 || endpoint.port === port).map(({ host }) => host)
  const shut = new Set<string>()
  for (const host of hosts.filter((one) => !isSocketFile(one))) {
    const found = await names.findOrRecall(host, signal)
    if (found === null) throw unresolved(name, new Error('An address of our own could not be looked up.'))
    for (const address of found) shut.add(address)
  }
  // Whoever listens on this machine may do so at each of its addresses.
  const isHereShut = hosts.some(isSocketFile) || [...shut].some((address) => isAnyAddress(address) || isOwn(address))
  return (address) => shut.has(address) || (isHereShut && isOwn(address))
}

function isSocketFile(host: string): boolean {
  return host.startsWith('/')
}

function isAnyAddress(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}

function isOwn(address: string): boolean {
  return (
    isLoopback(address) ||
    Object.values(networkInterfaces()).some((each) => each?.some((one) => canonical(one.address) === address))
  )
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

function unresolved(host: string, cause: unknown): Fault {
  return new Fault('passing', {
    code: 'network.unresolved',
    notice: `The name ${host} could not be looked up just now. Check the host name; if it is right, the name server does not answer.`,
    cause,
  })
}

function failed(host: string, port: number, cause: unknown): Fault {
  return new Fault('passing', {
    code: 'network.unreachable',
    notice: `${host}:${port} does not answer. Check that the server runs and that a firewall lets Tributary in.`,
    cause,
  })
}
