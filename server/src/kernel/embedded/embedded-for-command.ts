/** Connects a command to the embedded database, whether or not a server is running. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isDataFolderOwned, tryLockForSession } from '../store/locks.ts'
import { StartRefused } from '../start-error.ts'
import { findBinaries } from './binaries.ts'
import { type PostgresCluster, openCluster } from './cluster.ts'
import { findRunning, superuserOf } from './postmaster.ts'
import { AlreadyOwned, type EmbeddedPostgres, connectionsOf, startEmbedded } from './supervisor.ts'

/** The application name of a command's connections. */
export const commandName = 'tributary command'

const waitMs = 30_000
const pollMs = 200

/** Joins the database of the server that runs on this data folder and leaves it running; otherwise starts it for the command only. */
export async function joinEmbedded(home: string): Promise<EmbeddedPostgres> {
  requireInitialised(resolve(home))
  const cluster = await openCluster(home, findBinaries())
  for (let waited = 0; ; waited += pollMs) {
    try {
      return (await joinRunning(cluster)) ?? (await startAlone(home))
    } catch (error) {
      // Another command has started or stopped the database meanwhile.
      const isInBetween = error instanceof AlreadyOwned || !(error instanceof StartRefused)
      if (!isInBetween || waited >= waitMs) throw error
      await sleep(pollMs)
    }
  }
}

/** A command creates no database. The first start of the server does, and fills it. */
function requireInitialised(dataDir: string): void {
  if (existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return
  throw new StartRefused(
    `There is no Tributary in ${dataDir} yet. Start it once with npm start, or name another data folder with TRIBUTARY_DATA_DIR.`,
  )
}

/** Undefined if no process owns the database, running or not. Throws while it is being started or stopped. */
async function joinRunning(cluster: PostgresCluster): Promise<EmbeddedPostgres | undefined> {
  const running = await findRunning(cluster)
  if (running === undefined) return undefined
  const client = await connect(superuserOf(cluster, running))
  const mayUse = await tryLockForSession(client, 'dataFolderUse', { mode: 'shared' })
  const isOwned = await isDataFolderOwned(client)
  if (mayUse && isOwned) return { ...connectionsOf(cluster, running), stop: () => client.end() }
  await client.end()
  if (isOwned) throw new Error('The built-in database is being stopped.')
  return undefined
}

async function startAlone(home: string): Promise<EmbeddedPostgres> {
  const alone = await startEmbedded(home)
  return {
    ...alone,
    async stop() {
      const client = await connect(alone.superuser)
      for (let waited = 0; waited < waitMs && !(await tryLockForSession(client, 'dataFolderUse')); waited += pollMs)
        await sleep(pollMs)
      await alone.stop()
      await client.end().catch(() => undefined)
    },
  }
}

async function connect(settings: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...settings, application_name: commandName, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
