/** One Tributary at a time owns a data folder. The lock is a session's, so the kernel frees it with the process, however that ends. */
import pg from 'pg'
import { tryLockForSession } from '../store/locks.ts'

export class OwnerLock {
  readonly #superuser: pg.ClientConfig
  #client: pg.Client | undefined

  constructor(superuser: pg.ClientConfig) {
    this.#superuser = superuser
  }

  get isHeld(): boolean {
    return this.#client !== undefined
  }

  /** False where another process holds it. Throws where the database cannot be reached. */
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
