/**
 * Full refreshes of independent connectors by one worker process and by two, with one run per process at a time.
 * Measured over a proxy that limits each connection, like a remote source, and with source and target on this machine.
 * The local case is compared with the same rows copied by one psql and by two.
 * Run: node testing/bench/databases/two-workers.ts [--rows=300000] [--rounds=3]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Chaos } from '../../server/processes/chaos.ts'
import { spawnWorker } from '../../server/processes/spawn-worker.ts'
import { compare, type Measured, readRowsOption, shell } from '../measure.ts'
import { openSlowProxy } from './slow-proxy.ts'

const rows = readRowsOption(300_000)
const connectors = 2
/** 16 Mbit/s. */
const lineBytesASecond = 2_000_000
const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
using line = await openSlowProxy(() => chaos.superuser.port ?? 0, lineBytesASecond)
process.env['TRIBUTARY_ALLOW_HOSTS'] = `127.0.0.1:${line.port}`
const chaos: Chaos = await Chaos.start(home, rows)
const place = await chaos.stopWorkerForSettings()
const near = await Promise.all(Array.from({ length: connectors }, (_, at) => chaos.addConnector(`Near ${at}`)))
const far = await Promise.all(
  Array.from({ length: connectors }, (_, at) =>
    chaos.addConnector(`Far ${at}`, { host: '127.0.0.1', port: line.port }),
  ),
)
await chaos.query(
  'shop',
  'CREATE TABLE chaos.bare_0 (LIKE chaos.wide INCLUDING ALL); CREATE TABLE chaos.bare_1 (LIKE chaos.wide INCLUDING ALL)',
)

/** Each process takes one run at a time, so that two processes have two runs in progress. */
async function refreshAll(processes: number, ids: readonly string[]): Promise<Measured> {
  const options = { memoryMb: 1, pollMs: 200 }
  const allowHosts = [...place.allowHosts, `127.0.0.1:${line.port}`]
  const workers = await Promise.all(
    Array.from({ length: processes }, () => spawnWorker({ ...place, allowHosts, options })),
  )
  const measured = await onWholeMachine(async () => {
    const runs = await Promise.all(ids.map(async (id) => [id, await chaos.startRun(true, id)] as const))
    for (const [id, runId] of runs) await completed(id, runId)
  })
  await Promise.all(workers.map((worker) => worker.kill('SIGTERM')))
  return measured
}

async function completed(id: string, runId: string): Promise<void> {
  for (;;) {
    const status = String((await chaos.readRun(runId, id))['Status'])
    if (status === 'COMPLETED') return
    if (status === 'FAILED') throw new Error(`The run ${runId} failed.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Counts the CPU seconds of all processes of the machine, including the databases. */
async function onWholeMachine(work: () => Promise<unknown>): Promise<Measured> {
  const [since, busyBefore] = [performance.now(), busySeconds()]
  await work()
  return { seconds: (performance.now() - since) / 1_000, cpuSeconds: busySeconds() - busyBefore }
}

/** CPU seconds since the start. `/proc/stat` has hundredths: user, nice, system, idle, iowait, irq, softirq, steal. */
function busySeconds(): number {
  const [, user = 0, nice = 0, system = 0, , , hard = 0, soft = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .map(Number)
  return (user + nice + system + hard + soft) / 100
}

const { host = '', port = 0 } = chaos.superuser
const psql = `psql -qX -h ${host} -p ${port} -U postgres -d shop`
const copy = (at: number) => `(${psql} -c 'COPY chaos.wide TO STDOUT' | ${psql} -c 'COPY chaos.bare_${at} FROM STDIN')`
const empty = () => chaos.query('shop', 'TRUNCATE chaos.bare_0, chaos.bare_1')
const title = `${connectors} connectors of ${rows.toLocaleString('en')} rows refreshed in full, ${availableParallelism()} cores`

await compare({
  title: `${title}, each over a line of ${(lineBytesASecond * 8) / 1e6} Mbit/s`,
  rows: rows * connectors,
  cases: [
    { name: 'one worker process', run: () => refreshAll(1, far) },
    { name: 'two worker processes', run: () => refreshAll(2, far) },
  ],
})
await compare({
  title: `${title}, source and target on this machine`,
  rows: rows * connectors,
  cases: [
    { name: 'one worker process', run: () => refreshAll(1, near) },
    { name: 'two worker processes', run: () => refreshAll(2, near) },
    {
      name: 'psql, one after the other',
      prepare: empty,
      run: () => onWholeMachine(() => shell(`${copy(0)} && ${copy(1)}`)),
    },
    {
      name: 'psql, two at once',
      prepare: empty,
      run: () => onWholeMachine(() => shell(`${copy(0)} & ${copy(1)} & wait`)),
    },
  ],
})
await chaos.stop()
rmSync(home, { recursive: true, force: true })
