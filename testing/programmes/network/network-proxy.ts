/**
 * A line between programs and a database, on a port of its own: it can be cut one way or both, slowed down, and stopped dead at a
 * statement that one waits for.
 */
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { ownerOf } from './socket-owner.ts'
import { Listener } from './wire-statements.ts'

export interface Trap {
  /** Statements in the order in which one and the same connection makes them; it springs at the last. */
  readonly path: readonly RegExp[]
  /**
   * `before`: the statement never arrives. `unanswered`: it arrives, and its answer does not. `amidst`: some bytes more pass.
   * `answered`: nothing comes after its answer. `held`: it is on its way until `mend`. `pass`: nothing is held up, one is only told.
   */
  readonly stop: 'before' | 'unanswered' | 'amidst' | 'answered' | 'held' | 'pass'
}

/** Towards the database, or back from it. */
export type Way = 'there' | 'back'

export interface Wire extends AsyncDisposable {
  readonly port: number
  /** Answers once a connection has come to that point; but for `held` and `pass`, nothing moves on it any more. */
  trap(trap: Trap): Promise<void>
  /** Holds everything up, also that a connection has ended; of this process's connections alone, where one is named. */
  cut(ways: readonly Way[], processId?: number): void
  /** Lets what was held up by `cut` arrive. */
  mend(): void
  /** How long each piece takes from now on. */
  delay(ms: number): void
  /** Connections that are open at either end. */
  readonly openConnections: number
}

interface Cut {
  readonly ways: readonly Way[]
  readonly processId: number | undefined
}

interface Armed extends Trap {
  readonly spring: () => void
}

/** What passes of a load before it is stopped in its middle. */
const amidstBytes = 8_000

export async function openWire(to: { readonly host: string; readonly port: number }): Promise<Wire> {
  const lines = new Set<Line>()
  const state: State = { cut: null, delayMs: 0, armed: null }
  const server = createServer((near) => {
    const line = new Line(near, connect(to.port, to.host), state)
    lines.add(line)
    line.whenOver(() => lines.delete(line))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: portOf(server),
    trap(trap) {
      const { promise, resolve } = Promise.withResolvers<void>()
      state.armed = { ...trap, spring: resolve }
      return promise
    },
    cut(ways, processId) {
      if (processId !== undefined) for (const line of lines) line.owner()
      state.cut = { ways, processId }
    },
    mend() {
      state.cut = null
      for (const line of lines) line.letThrough()
    },
    delay(ms) {
      state.delayMs = ms
    },
    get openConnections() {
      return lines.size
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const line of lines) line.destroy()
    },
  }
}

interface State {
  cut: Cut | null
  delayMs: number
  armed: Armed | null
}

/** One connection: what it holds up, and how far along the path of the trap it is. */
class Line {
  readonly #ends: { readonly there: Socket; readonly back: Socket }
  readonly #state: State
  readonly #held: Record<Way, (() => void)[]> = { there: [], back: [] }
  readonly #listener = new Listener()
  #walked = 0
  /** The trap that has caught this connection and lets some more pass. */
  #caught: Armed | null = null
  #amidst = 0
  #isDead = false
  #isHeld = false
  #walkedFor: Armed | null = null
  #ownerId: number | undefined

  constructor(near: Socket, far: Socket, state: State) {
    this.#ends = { there: far, back: near }
    this.#state = state
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', () => undefined)
    near.on('data', (bytes) => this.#pass('there', bytes))
    far.on('data', (bytes) => this.#pass('back', bytes))
    near.on('close', () => this.#send('there', () => far.destroy()))
    far.on('close', () => this.#send('back', () => near.destroy()))
  }

  whenOver(told: () => void): void {
    const { there, back } = this.#ends
    const look = () => void (there.destroyed && back.destroyed && told())
    there.once('close', look)
    back.once('close', look)
  }

  letThrough(): void {
    this.#isHeld = false
    for (const way of ['there', 'back'] as const) for (const send of this.#held[way].splice(0)) send()
  }

  destroy(): void {
    this.#ends.there.destroy()
    this.#ends.back.destroy()
  }

  /** The process at the near end; asked in time, for a connection that is closed has none any more. */
  owner(): number | undefined {
    this.#ownerId ??= ownerOf(this.#ends.back.remotePort ?? 0)
    return this.#ownerId
  }

  #pass(way: Way, bytes: Buffer): void {
    if (this.#isDead) return
    const trap = way === 'there' ? this.#heed(bytes) : null
    if (trap?.stop === 'before') return this.#die(trap)
    if (trap?.stop === 'held') this.#isHeld = true
    this.#send(way, () => this.#ends[way].write(bytes))
    if (trap === null) this.#lastPieces(way, bytes)
    else this.#stopAfter(trap)
  }

  #stopAfter(trap: Armed): void {
    if (trap.stop === 'unanswered') this.#die(trap)
    else if (trap.stop === 'amidst' || trap.stop === 'answered') this.#caught = trap
    else trap.spring()
  }

  #lastPieces(way: Way, bytes: Buffer): void {
    if (this.#caught === null) return
    this.#amidst += bytes.length
    const isEnough = this.#caught.stop === 'answered' ? way === 'back' : this.#amidst >= amidstBytes
    if (isEnough) this.#die(this.#caught)
  }

  /** Told at the very moment, so that whoever kills then meets it. */
  #die(trap: Armed): void {
    this.#isDead = true
    trap.spring()
  }

  /** The trap, where its path ends with what is being said here. */
  #heed(bytes: Buffer): Armed | null {
    const said = this.#listener.hear(bytes)
    const { armed } = this.#state
    if (armed !== this.#walkedFor) this.#walked = 0
    this.#walkedFor = armed
    if (armed?.path[this.#walked]?.test(said) !== true) return null
    this.#walked += 1
    if (this.#walked < armed.path.length) return null
    this.#state.armed = null
    return armed
  }

  #send(way: Way, send: () => void): void {
    if (this.#isCut(way)) this.#held[way].push(send)
    else if (this.#state.delayMs > 0) setTimeout(send, this.#state.delayMs)
    else send()
  }

  #isCut(way: Way): boolean {
    const { cut } = this.#state
    if (this.#isHeld) return true
    if (cut === null || !cut.ways.includes(way)) return false
    return cut.processId === undefined || this.owner() === cut.processId
  }
}

function portOf(server: Server): number {
  return (server.address() as { port: number }).port
}
