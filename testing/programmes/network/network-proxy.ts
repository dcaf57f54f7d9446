/**
 * A TCP proxy between programs and a database, on a separate port. It can cut one or both directions, delay data, and
 * stop a connection at a given statement.
 */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { findSocketOwner } from './socket-owner.ts'
import { StatementReader } from './wire-statements.ts'

export interface StatementTrap {
  /** Statements in the order in which one connection sends them. The trap triggers at the last. */
  readonly path: readonly RegExp[]
  /**
   * - `before`: the statement never arrives
   * - `unanswered`: it arrives, but its answer does not
   * - `midway`: some more bytes pass
   * - `answered`: nothing passes after its answer
   * - `held`: it is delayed until `restore`
   * - `pass`: nothing is blocked, only the promise resolves
   */
  readonly stop: 'before' | 'unanswered' | 'midway' | 'answered' | 'held' | 'pass'
}

export type Direction = 'toServer' | 'toClient'

export interface NetworkProxy extends AsyncDisposable {
  readonly port: number
  /**
   * Resolves when a connection reaches that point. Except for `held` and `pass`, the connection is frozen from then on.
   */
  setTrap(trap: StatementTrap): Promise<void>
  /** Blocks all data, and also the end of a connection; only connections of one process if `processId` is given. */
  cut(directions: readonly Direction[], processId?: number): void
  /** Delivers what `cut` blocked. */
  restore(): void
  /** Delays each chunk from now on. */
  setDelay(ms: number): void
  /** Connections that are open at either end. */
  readonly openConnections: number
}

interface NetworkCut {
  readonly directions: readonly Direction[]
  readonly processId: number | undefined
}

interface ArmedTrap extends StatementTrap {
  readonly spring: () => void
}

/** How much of a load passes before a `midway` trap stops it. */
const midwayBytes = 8_000

export async function openNetworkProxy(to: { readonly host: string; readonly port: number }): Promise<NetworkProxy> {
  const connections = new Set<ProxiedConnection>()
  const state: ProxyState = { cut: null, delayMs: 0, armed: null }
  const server = createServer((near) => {
    const connection = new ProxiedConnection(near, connect(to.port, to.host), state)
    connections.add(connection)
    connection.onClose(() => connections.delete(connection))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    setTrap(trap) {
      const { promise, resolve } = Promise.withResolvers<void>()
      state.armed = { ...trap, spring: resolve }
      return promise
    },
    cut(directions, processId) {
      if (processId !== undefined) for (const connection of connections) connection.clientProcessId()
      state.cut = { directions, processId }
    },
    restore() {
      state.cut = null
      for (const connection of connections) connection.release()
    },
    setDelay(ms) {
      state.delayMs = ms
    },
    get openConnections() {
      return connections.size
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const connection of connections) connection.destroy()
    },
  }
}

interface ProxyState {
  cut: NetworkCut | null
  delayMs: number
  armed: ArmedTrap | null
}

/** One connection: the data that it holds back, and its progress along the path of the trap. */
class ProxiedConnection {
  readonly #ends: { readonly toServer: Socket; readonly toClient: Socket }
  readonly #state: ProxyState
  readonly #held: Record<Direction, (() => void)[]> = { toServer: [], toClient: [] }
  readonly #reader = new StatementReader()
  #matchedStatements = 0
  /** The trap that this connection has triggered and that lets some more data pass. */
  #caught: ArmedTrap | null = null
  #bytesAfterTrap = 0
  #isFrozen = false
  #isHeld = false
  #matchedTrap: ArmedTrap | null = null
  #clientProcess: number | undefined

  constructor(near: Socket, far: Socket, state: ProxyState) {
    this.#ends = { toServer: far, toClient: near }
    this.#state = state
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', () => undefined)
    near.on('data', (bytes) => this.#pass('toServer', bytes))
    far.on('data', (bytes) => this.#pass('toClient', bytes))
    near.on('close', () => this.#send('toServer', () => far.destroy()))
    far.on('close', () => this.#send('toClient', () => near.destroy()))
  }

  onClose(listener: () => void): void {
    const { toServer, toClient } = this.#ends
    const check = () => void (toServer.destroyed && toClient.destroyed && listener())
    toServer.once('close', check)
    toClient.once('close', check)
  }

  release(): void {
    this.#isHeld = false
    for (const direction of ['toServer', 'toClient'] as const)
      for (const send of this.#held[direction].splice(0)) send()
  }

  destroy(): void {
    this.#ends.toServer.destroy()
    this.#ends.toClient.destroy()
  }

  /** The process of the client. Cached early, because a closed connection no longer has a process. */
  clientProcessId(): number | undefined {
    const { localPort = 0, remotePort = 0 } = this.#ends.toClient
    this.#clientProcess ??= findSocketOwner({ localPort: remotePort, remotePort: localPort })
    return this.#clientProcess
  }

  #pass(direction: Direction, bytes: Buffer): void {
    if (this.#isFrozen) return
    const trap = direction === 'toServer' ? this.#matchTrap(bytes) : null
    if (trap?.stop === 'before') return this.#freeze(trap)
    if (trap?.stop === 'held') this.#isHeld = true
    this.#send(direction, () => this.#ends[direction].write(bytes))
    if (trap === null) this.#countAfterTrap(direction, bytes)
    else this.#stopAfter(trap)
  }

  #stopAfter(trap: ArmedTrap): void {
    if (trap.stop === 'unanswered') this.#freeze(trap)
    else if (trap.stop === 'midway' || trap.stop === 'answered') this.#caught = trap
    else trap.spring()
  }

  #countAfterTrap(direction: Direction, bytes: Buffer): void {
    if (this.#caught === null) return
    this.#bytesAfterTrap += bytes.length
    const isEnough = this.#caught.stop === 'answered' ? direction === 'toClient' : this.#bytesAfterTrap >= midwayBytes
    if (isEnough) this.#freeze(this.#caught)
  }

  /** Resolves the trap immediately, so that a kill happens at that moment. */
  #freeze(trap: ArmedTrap): void {
    this.#isFrozen = true
    trap.spring()
  }

  /** Returns the trap if its path ends with the statement in these bytes. */
  #matchTrap(bytes: Buffer): ArmedTrap | null {
    const statement = this.#reader.read(bytes)
    const { armed } = this.#state
    if (armed !== this.#matchedTrap) this.#matchedStatements = 0
    this.#matchedTrap = armed
    if (armed?.path[this.#matchedStatements]?.test(statement) !== true) return null
    this.#matchedStatements += 1
    if (this.#matchedStatements < armed.path.length) return null
    this.#state.armed = null
    return armed
  }

  #send(direction: Direction, send: () => void): void {
    if (this.#isCut(direction)) this.#held[direction].push(send)
    else if (this.#state.delayMs > 0) setTimeout(send, this.#state.delayMs)
    else send()
  }

  #isCut(direction: Direction): boolean {
    const { cut } = this.#state
    if (this.#isHeld) return true
    if (cut === null || !cut.directions.includes(direction)) return false
    return cut.processId === undefined || this.clientProcessId() === cut.processId
  }
}

function portOf(server: Server): number {
  return (server.address() as { port: number }).port
}
