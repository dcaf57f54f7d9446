/**
 * Runs when the process that owned an embedded PostgreSQL has ended without stopping it, as after `kill -9`. Stops the database
 * unless another Tributary has taken it over. Arguments: the data folder, and the time to wait first, in ms.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { clusterIn, type PostgresCluster } from './cluster.ts'
import { createDataFolderLock } from './owner-lock.ts'
import { isProcessOf, readPid, stopPostgres, superuserOf } from './postmaster.ts'

/** For how long to ask: while a database starts or recovers it cannot say whether it is owned. */
const askMs = 10_000
const pauseMs = 250

const [home = '', orphanMs = ''] = process.argv.slice(2)
await sleep(Number(orphanMs))
await stopUnowned(clusterIn(home))

async function stopUnowned(cluster: PostgresCluster): Promise<void> {
  for (let waited = 0; ; waited += pauseMs) {
    const running = readPid(cluster)
    if (running === undefined || !isProcessOf(cluster, running.pid)) return
    const isOwned = await createDataFolderLock(superuserOf(cluster, running))
      .take()
      .then(
        (isTaken) => !isTaken,
        () => undefined,
      )
    if (isOwned === true) return
    if (isOwned === false || waited >= askMs) return stopPostgres(running)
    await sleep(pauseMs)
  }
}
