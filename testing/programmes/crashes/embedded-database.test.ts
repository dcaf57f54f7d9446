import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startEmbedded, type EmbeddedPostgres } from '../../../server/src/kernel/embedded/supervisor.ts'

let home: string
const started: EmbeddedPostgres[] = []
const children: ChildProcess[] = []

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tributary-embedded-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const embedded of started.splice(0)) await embedded.stop()
  rmSync(home, { recursive: true, force: true })
})

test('a killed server leaves the database running, and the next start takes it over', async () => {
  const owner = await spawnOwner('idle')
  const before = postmaster()
  owner.child.kill('SIGKILL')
  await once(owner.child, 'exit')

  await start()
  expect(postmaster()).toBe(before)
})

test('[ISSUE 20 D20] the database of a killed server stops if no other server takes it over in time', async () => {
  const owner = await spawnOwner('idle', 500)
  const abandoned = postmaster()
  owner.child.kill('SIGKILL')
  await until(() => !isAlive(abandoned))

  const next = await spawnOwner('idle', 500)
  const taken = postmaster()
  next.child.kill('SIGKILL')
  await once(next.child, 'exit')
  const embedded = await start()
  await sleep(2_000)
  expect(postmaster()).toBe(taken)
  expect((await query<{ one: number }>(embedded, 'SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

test('no acknowledged commit is lost when the server and the database are killed in the middle of writing', async () => {
  const owner = await spawnOwner('write')
  await owner.reaches(200)
  process.kill(postmaster(), 'SIGKILL')
  owner.child.kill('SIGKILL')
  await once(owner.child, 'exit')

  const embedded = await start()
  const { rows } = await query<{ n: string }>(embedded, 'SELECT count(*)::text AS n FROM written')
  expect(Number(rows[0]?.n)).toBeGreaterThanOrEqual(owner.acknowledged())
})

test('a killed database is restarted on the same port, and the owner keeps its lock', async () => {
  const embedded = await start()
  process.kill(postmaster(), 'SIGKILL')
  await untilAnswers(embedded)
  await expect(startEmbedded(home)).rejects.toThrow('Another Tributary is running on the data folder')
})

test('[ISSUE 20 D20] a database that ended its sessions but keeps running is still owned', async () => {
  const embedded = await start()
  const before = postmaster()
  // When one of its processes crashes, as on a full disk, PostgreSQL ends all sessions.
  const { rows } = await query<{ pid: number }>(
    embedded,
    `SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`,
  )
  const open = await openSession(embedded)
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
  // Until then it answers as before.
  await open.ended
  await untilAnswers(embedded)
  expect(postmaster()).toBe(before)
  await untilOwned(embedded)
  await expect(startEmbedded(home)).rejects.toThrow('Another Tributary is running on the data folder')
})

test('a second owner of a data folder is refused, and the first one keeps running', async () => {
  const embedded = await start()
  await expect(startEmbedded(home)).rejects.toThrow(/Another Tributary is running on the data folder .*Stop it first/)
  expect((await query<{ one: number }>(embedded, 'SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
})

test('of two concurrent starts, one owns the data folder and the other is refused', async () => {
  await (await startEmbedded(home)).stop()
  const both = await Promise.allSettled([startEmbedded(home), startEmbedded(home)])
  started.push(...both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
  expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = both.find((one) => one.status === 'rejected')
  expect(String(refused?.reason)).toContain('Another Tributary is running on the data folder')
})

test('a stop leaves no process behind, and the next start finds everything', async () => {
  const first = await startEmbedded(home)
  expect(first.isNew).toBe(true)
  await query(first, 'CREATE TABLE kept (n int)')
  const pid = postmaster()
  await first.stop()
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')

  const second = await start()
  expect(second.isNew).toBe(false)
  await query(second, 'SELECT n FROM kept')
})

test('over TCP only readers of the warehouse can connect', async () => {
  const { warehouse, store, superuser } = await start()
  for (const { user, database } of [store, superuser]) {
    const client = new pg.Client({ ...warehouse, user: user ?? '', database: database ?? '', password: 'anything' })
    await expect(client.connect()).rejects.toThrow(/pg_hba.conf rejects/)
  }
})

test('a data folder of another major version is refused in one line', async () => {
  await (await startEmbedded(home)).stop()
  writeFileSync(join(home, 'postgres', 'PG_VERSION'), '15\n')
  await expect(startEmbedded(home)).rejects.toThrow(/was made by PostgreSQL 15, this Tributary brings 18/)
})

test('a data folder that cannot be written is refused in one line', async () => {
  const file = join(home, 'a-file')
  writeFileSync(file, '')
  chmodSync(file, 0o400)
  await expect(startEmbedded(join(file, 'below'))).rejects.toThrow(/cannot be written \(ENOTDIR\)\. Make it writable/)
})

test('a port that another program took is not used', async () => {
  const first = await startEmbedded(home)
  await first.stop()
  // Another database of this test run may take the port first.
  const other = createServer().listen(first.warehouse.port, '127.0.0.1')
  await once(other, 'listening').catch(() => undefined)

  const again = await start()
  other.close()
  expect(again.warehouse.port).not.toBe(first.warehouse.port)
  const socket = createConnection(again.warehouse.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
})

async function start(): Promise<EmbeddedPostgres> {
  const embedded = await startEmbedded(home)
  started.push(embedded)
  return embedded
}

function postmaster(): number {
  return Number.parseInt(readFileSync(join(home, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5)
}

async function spawnOwner(job: 'idle' | 'write', orphanMs?: number) {
  const args = [
    join(import.meta.dirname, '../../server/processes/data-folder-process.ts'),
    home,
    job,
    ...(orphanMs === undefined ? [] : [String(orphanMs)]),
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const acknowledged = () => Number(output.split('\n').at(-2) ?? 0) || 0
  await until(() => output.includes('ready'))
  return { child, acknowledged, reaches: (n: number) => until(() => acknowledged() >= n) }
}

async function query<Row extends pg.QueryResultRow>(
  embedded: EmbeddedPostgres,
  sql: string,
): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client(embedded.superuser)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await client.query<Row>(sql)
  } finally {
    await client.end()
  }
}

async function openSession(embedded: EmbeddedPostgres): Promise<{ readonly ended: Promise<unknown> }> {
  const client = new pg.Client(embedded.superuser)
  client.on('error', () => undefined)
  await client.connect()
  return { ended: new Promise((resolve) => void client.once('end', resolve)) }
}

async function untilOwned(embedded: EmbeddedPostgres): Promise<void> {
  const sql = `SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'tributary owner%'`
  while ((await query(embedded, sql)).rows.length === 0) await sleep(50)
}

async function untilAnswers(embedded: EmbeddedPostgres): Promise<void> {
  for (;;) {
    const answer = await query(embedded, 'SELECT 1').catch(() => undefined)
    if (answer !== undefined) return
    await sleep(50)
  }
}
