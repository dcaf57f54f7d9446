/** PostgreSQL on a host. Tests reach it by its socket, which no cut affects; everyone else by the host's address. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { findBinaries } from '../../../server/src/kernel/embedded/binaries.ts'
import { openCluster, type PostgresCluster } from '../../../server/src/kernel/embedded/cluster.ts'
import type { NamespaceHost } from './host-network.ts'

const port = 5432
const password = 'canary-password-of-a-host'

export class PostgresHost {
  readonly host: NamespaceHost
  readonly #cluster: PostgresCluster
  #process: ChildProcess | undefined

  private constructor(host: NamespaceHost, cluster: PostgresCluster) {
    this.host = host
    this.#cluster = cluster
  }

  static async open(host: NamespaceHost, home: string): Promise<PostgresHost> {
    const cluster = await openCluster(join(home, host.name), findBinaries())
    writeFileSync(
      join(cluster.dataDir, 'pg_hba.conf'),
      'local all all trust\nhost all all 10.77.0.0/24 scram-sha-256\n',
    )
    const opened = new PostgresHost(host, cluster)
    await opened.start()
    await opened.query('postgres', `ALTER ROLE postgres PASSWORD '${password}'`)
    return opened
  }

  async start(): Promise<void> {
    const { dataDir, socketDir } = this.#cluster
    const settings = [
      `listen_addresses=${this.host.address}`,
      `port=${port}`,
      `unix_socket_directories=${socketDir}`,
      'max_connections=200',
      'shared_buffers=64MB',
      'timezone=UTC',
      // Processes are killed here, not machines.
      'fsync=off',
      // As an operator sets it, so that sessions of hosts that have vanished end.
      'tcp_keepalives_idle=10',
      'tcp_keepalives_interval=5',
      'tcp_keepalives_count=3',
      'tcp_user_timeout=20000',
    ]
    const { file, args } = findBinaries().command('postgres', [
      '-D',
      dataDir,
      ...settings.flatMap((one) => ['-c', one]),
    ])
    for (;;) {
      this.#process = this.host.spawn([file, ...args], {})
      this.#process.stderr?.on('data', (text: Buffer) => appendFileSync(`${dataDir}.log`, text))
      if (await this.#isReady()) return
    }
  }

  /** False if the process ends before it accepts connections: processes of a killed server still hold its memory. */
  async #isReady(): Promise<boolean> {
    while (this.#process?.exitCode === null && this.#process.signalCode === null) {
      const isReady = await this.query('postgres', 'SELECT').then(
        () => true,
        () => false,
      )
      if (isReady) return true
      await sleep(200)
    }
    await sleep(500)
    return false
  }

  /** @param signal SIGKILL, or SIGQUIT for an immediate and SIGINT for a fast stop */
  async stop(signal: NodeJS.Signals): Promise<void> {
    const ended = this.#process === undefined ? undefined : once(this.#process, 'exit')
    this.#process?.kill(signal)
    await ended
  }

  /** Queries as the superuser, over the socket. */
  async query<Row extends object>(database: string, text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const client = new Client({ ...this.socket(database), connectionTimeoutMillis: 10_000 })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<Row>(text, [...values])).rows
    } finally {
      await client.end()
    }
  }

  socket(database: string): ClientConfig {
    return { host: this.#cluster.socketDir, port, user: 'postgres', database }
  }

  /** What other hosts use to connect. */
  address(database: string, user = 'postgres', secret = password): string {
    return `postgres://${user}:${secret}@${this.host.address}:${port}/${database}?sslmode=disable`
  }

  /** What a user enters to connect a connector. */
  settings(database: string): Readonly<Record<string, unknown>> {
    return { host: this.host.address, port, user: 'postgres', password, database, sslmode: 'disable' }
  }
}
