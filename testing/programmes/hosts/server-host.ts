/** A web process or a worker on a host, started as an operator starts it. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NamespaceHost } from './host-network.ts'

const main = join(import.meta.dirname, '../../../server/src/main.ts')
const restartMs = 1_000

export class ServerHost {
  readonly host: NamespaceHost
  readonly #env: Readonly<Record<string, string>>
  readonly #logFile: string
  #process: ChildProcess | undefined
  #isWanted = false

  constructor(host: NamespaceHost, env: Readonly<Record<string, string>>, folder: string) {
    this.host = host
    this.#env = { ...env, PORT: '3000', TRIBUTARY_HOST: host.address }
    this.#logFile = join(folder, `${host.name}.log`)
  }

  get address(): string {
    return `http://${this.host.address}:3000`
  }

  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null
  }

  /** From now on the process is started again whenever it has ended, as systemd and Kubernetes do. */
  start(): void {
    this.#isWanted = true
    this.#process = this.host.spawn([process.execPath, main], this.#env)
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (text: Buffer) => appendFileSync(this.#logFile, text))
    this.#process.once('exit', () => setTimeout(() => this.#isWanted && this.start(), restartMs))
  }

  kill(signal: NodeJS.Signals): void {
    this.#process?.kill(signal)
  }

  async end(): Promise<void> {
    this.#isWanted = false
    if (!this.isRunning || this.#process === undefined) return
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    await ended
  }
}
