/** The embedded database as a single command comes by it, beside a Tributary that is running or without one. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isDataFolderOwned, tryLockForSession } from '../store/locks.ts'
import { StartRefused } from '../start-error.ts'
import { findBinaries } from './binaries.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { findRunning, superuserOf } from './postmaster.ts'
import { AlreadyOwned, type Embedded, reach, startEmbedded } from './supervisor.ts'

/** What a command names its connections. */
export const commandName = 'tributary command'

const waitMs = 30_000
const lookMs = 200

/** The database of the Tributary that runs on this data folder, which goes on afterwards; else one started for the command alone. */
export async function joinEmbedded(home: string): Promise<Embedded> {
  requireMade(resolve(home))
  const cluster = await openCluster(home, findBinaries())
  for (let waited = 0; ; waited += lookMs) {
    try {
      return (await beGuest(cluster)) ?? (await startAlone(home))
    } catch (error) {
      // Another command has been quicker: to start it, or to stop it.
      const isInBetween = error instanceof AlreadyOwned || !(error instanceof StartRefused)
      if (!isInBetween || waited >= waitMs) throw error
      await sleep(lookMs)
    }
  }
}

/** A command makes no database: the first start does, and fills it. */
function requireMade(dataDir: string): void {
  if (existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return
  throw new StartRefused(
    `There is no Tributary in ${dataDir} yet. Start it once with npm start, or name another data folder with TRIBUTARY_DATA_DIR.`,
  )
}

/** Undefined where nobody looks after the database, be it running or not. Throws while it is being started or stopped. */
async function beGuest(cluster: Cluster): Promise<Embedded | undefined> {
  const running = await findRunning(cluster)
  if (running === undefined) return undefined
  const client = await connect(superuserOf(cluster, running))
  const mayUse = await tryLockForSession(client, 'dataFolderUse', { mode: 'shared' })
  const isOwned = await isDataFolderOwned(client)
  if (mayUse && isOwned) return { ...reach(cluster, running), stop: () => client.end() }
  await client.end()
  if (isOwned) throw new Error('The built-in database is being stopped.')
  return undefined
}

async function startAlone(home: string): Promise<Embedded> {
  const alone = await startEmbedded(home)
  return {
    ...alone,
    async stop() {
      const client = await connect(alone.superuser)
      for (let waited = 0; waited < waitMs && !(await tryLockForSession(client, 'dataFolderUse')); waited += lookMs)
        await sleep(lookMs)
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
