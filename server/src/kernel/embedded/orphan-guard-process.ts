/**
 * Runs when the process that owned a built-in PostgreSQL has ended without stopping it, as after `kill -9`. Stops the database unless
 * another Tributary has taken it over by then. Arguments: the data folder, and how long to wait first, in ms.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { clusterIn, type Cluster } from './cluster.ts'
import { OwnerLock } from './owner-lock.ts'
import { isOf, readPid, stop, superuserOf } from './postmaster.ts'

/** A database that is starting, or that recovers, cannot say whether it is owned. */
const askMs = 10_000
const pauseMs = 250

const [home = '', orphanMs = ''] = process.argv.slice(2)
await sleep(Number(orphanMs))
await stopUnowned(clusterIn(home))

async function stopUnowned(cluster: Cluster): Promise<void> {
  for (let waited = 0; ; waited += pauseMs) {
    const running = readPid(cluster)
    if (running === undefined || !isOf(cluster, running.pid)) return
    const isOwned = await new OwnerLock(superuserOf(cluster, running)).take().then(
      (isTaken) => !isTaken,
      () => undefined,
    )
    if (isOwned === true) return
    if (isOwned === false || waited >= askMs) return stop(running)
    await sleep(pauseMs)
  }
}
