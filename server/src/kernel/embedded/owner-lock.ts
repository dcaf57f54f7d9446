/** One Tributary at a time owns a data folder. A session-level advisory lock: it is released however the process ends. */
import pg from 'pg'
import { tryLockForSession } from '../store/locks.ts'

export type DataFolderLock = ReturnType<typeof createDataFolderLock>

export function createDataFolderLock(superuser: pg.ClientConfig) {
  let held: pg.Client | undefined
  return {
    get isHeld(): boolean {
      return held !== undefined
    },

    /** Returns false if another process holds the lock. Throws if the database is unreachable. */
    async take(): Promise<boolean> {
      const client = new pg.Client({
        ...superuser,
        application_name: `tributary owner ${process.pid}`,
        connectionTimeoutMillis: 5_000,
      })
      client.on('error', () => undefined)
      client.on('end', () => {
        if (held === client) held = undefined
      })
      await client.connect()
      const isTaken = await tryLockForSession(client, 'dataFolder')
      if (isTaken) held = client
      else await client.end()
      return isTaken
    },

    async release(): Promise<void> {
      await held?.end().catch(() => undefined)
    },
  }
}
