/** What happens to the hosts: kills, restarts, cuts, lost packets and clocks that are wrong. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '@tributary/sims/random'
import type { Installation } from './installation.ts'
import type { NamespaceHost } from './host-network.ts'
import type { PostgresHost } from './postgres-host.ts'
import type { ServerHost } from './server-host.ts'

export interface Disturbance {
  readonly description: string
  /** Begins the disturbance and ends it; resolves when the host is as before, or is about to be. */
  readonly happen: (installation: Installation, random: Random) => Promise<void>
}

const second = 1_000

/** The store is away for seconds only: without it no call can be answered, and clients give up some time. */
const storeCutMs = [3 * second, 12 * second] as const
const cutMs = [5 * second, 40 * second] as const

export const disturbances: readonly Disturbance[] = [
  { description: 'a worker is killed', happen: kill('workers', 'SIGKILL') },
  { description: 'a worker is stopped', happen: kill('workers', 'SIGTERM') },
  { description: 'a web process is killed', happen: kill('webs', 'SIGKILL') },
  { description: 'a web process is stopped', happen: kill('webs', 'SIGTERM') },
  { description: 'a worker is suspended', happen: suspendWorker },
  { description: 'the store is killed', happen: ({ store }) => restart(store, 'SIGKILL') },
  { description: 'the store is restarted', happen: ({ store }) => restart(store, 'SIGINT') },
  { description: 'the warehouse is killed', happen: ({ warehouse }) => restart(warehouse, 'SIGKILL') },
  { description: 'the source is restarted', happen: ({ source }) => restart(source, 'SIGINT') },
  { description: 'a worker is cut off', happen: cutServer('workers') },
  { description: 'a web process is cut off', happen: cutServer('webs') },
  {
    description: 'the store is cut off',
    happen: ({ store }, random) => cut(store.host, random.between(...storeCutMs)),
  },
  {
    description: 'the warehouse is cut off',
    happen: ({ warehouse }, random) => cut(warehouse.host, random.between(...cutMs)),
  },
  { description: 'the source is cut off', happen: ({ source }, random) => cut(source.host, random.between(...cutMs)) },
  { description: 'a worker cannot send to the store', happen: cutWorkerOneWay('sending', 'store') },
  { description: 'a worker receives nothing from the store', happen: cutWorkerOneWay('receiving', 'store') },
  { description: 'a worker cannot send to the warehouse', happen: cutWorkerOneWay('sending', 'warehouse') },
  { description: 'a worker receives nothing from the warehouse', happen: cutWorkerOneWay('receiving', 'warehouse') },
  { description: 'a worker loses packets', happen: losePackets },
  { description: 'the clock of a worker jumps', happen: jumpClock('workers', 3_600) },
  { description: 'the clock of a web process jumps', happen: jumpClock('webs', 120) },
  { description: 'the clock of the store jumps', happen: jumpStoreClock },
]

function kill(role: 'workers' | 'webs', signal: NodeJS.Signals): Disturbance['happen'] {
  return async (installation, random) => {
    random.pick(installation[role]).kill(signal)
    await sleep(random.between(2 * second, 6 * second))
  }
}

/** Longer than its lease: another worker takes its runs over, and it notices when it continues. */
async function suspendWorker({ workers }: Installation, random: Random): Promise<void> {
  const worker = random.pick(workers)
  worker.kill('SIGSTOP')
  await sleep(random.between(21 * second, 35 * second))
  worker.kill('SIGCONT')
}

async function restart(server: PostgresHost, signal: NodeJS.Signals): Promise<void> {
  await server.stop(signal)
  await server.start()
}

async function cut(host: NamespaceHost, ms: number): Promise<void> {
  host.cut()
  await sleep(ms)
  host.restoreNetwork()
}

function cutServer(role: 'workers' | 'webs'): Disturbance['happen'] {
  return (installation, random) => cut(random.pick<ServerHost>(installation[role]).host, random.between(...cutMs))
}

function cutWorkerOneWay(direction: 'sending' | 'receiving', other: 'store' | 'warehouse'): Disturbance['happen'] {
  return async (installation, random) => {
    const { host } = random.pick(installation.workers)
    host.cutOneWay(direction, installation[other].host)
    await sleep(random.between(...cutMs))
    host.restoreNetwork()
  }
}

async function losePackets({ workers }: Installation, random: Random): Promise<void> {
  const { host } = random.pick(workers)
  host.loseShare(random.between(5, 20))
  await sleep(random.between(...cutMs))
  host.restoreNetwork()
}

/** The clock stays wrong until it jumps again. */
function jumpClock(role: 'workers' | 'webs', maxSeconds: number): Disturbance['happen'] {
  return async (installation, random) =>
    random.pick<ServerHost>(installation[role]).host.setClock(random.between(-maxSeconds, maxSeconds))
}

async function jumpStoreClock({ store }: Installation, random: Random): Promise<void> {
  store.host.setClock(random.between(-90, 90))
}
