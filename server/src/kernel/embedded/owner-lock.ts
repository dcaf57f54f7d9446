/** One Tributary at a time owns a data folder. A session-level advisory lock: it is released however the process ends. */
import pg from 'pg'
import { tryLockForSession } from '../store/locks.ts'

export class DataFolderLock {
  readonly #superuser: pg.ClientConfig
  #client: pg.Client | undefined

  constructor(superuser: pg.ClientConfig) {
    this.#superuser = superuser
  }

  get isHeld(): boolean {
    return this.#client !== undefined
  }

  /** Returns false if another process holds the lock. Throws if the database is unreachable. */
  async take(): Promise<boolean> {
    const client = new pg.Client({
      ...this.#superuser,
      application_name: `tributary owner ${process.pid}`,
      connectionTimeoutMillis: 5_000,
    })
    client.on('error', () => undefined)
    client.on('end', () => {
      if (this.#client === client) this.#client = undefined
    })
    await client.connect()
    if (await tryLockForSession(client, 'dataFolder')) this.#client = client
    else await client.end()
    return this.isHeld
  }

  async release(): Promise<void> {
    await this.#client?.end().catch(() => undefined)
  }
}
