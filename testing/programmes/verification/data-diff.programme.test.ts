/** Verification and Datafold's data-diff on the same tables: their times, and what each finds. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { orderColumns, postgresOrders } from '../../bench/databases/verified-orders.ts'
import type { EndKind } from '../../engine/databases/database-ends.ts'
import { type DatabasePair, makeDatabasePair } from '../../engine/databases/database-pair.ts'

const rows = 100_000
const python = process.env['TRIBUTARY_DATA_DIFF_PYTHON'] ?? ''
const program = fileURLToPath(new URL('data-diff.py', import.meta.url))
const targets: readonly EndKind[] = ['postgres', 'mysql']

interface Answer {
  readonly seconds: number
  /** Of rows that differ; at most a thousand. */
  readonly keys: readonly number[]
  readonly count: number
}

test.each(targets)('[TRUST-3] [TRUST-4] postgres to %s: verification finds each injected difference', async (to) => {
  await using pair = await makeDatabasePair('postgres', to, postgresOrders(rows))
  expect((await pair.run()).status).toBe('completed')
  const equal = { tributary: await verify(pair), dataDiff: await compare(pair) }
  expect(equal.tributary).toMatchObject({ count: 0 })
  const copy = to === 'postgres' ? '"Shop".orders' : 'orders'
  await pair.target.run(`UPDATE ${copy} SET total = total + 0.0001 WHERE id = 17`)
  await pair.target.run(`UPDATE ${copy} SET note = CONCAT(note, ' ') WHERE id = 40000`)
  await pair.target.run(`UPDATE ${copy} SET net = tax, tax = 1 WHERE id = 50001`)
  await pair.target.run(`DELETE FROM ${copy} WHERE id = 77777`)
  await pair.target.run(`UPDATE ${copy} SET id = -1 WHERE id = 99999`)
  const found = { tributary: await verify(pair), dataDiff: await compare(pair) }
  expect(found.tributary.keys).toEqual([-1, 17, 40_000, 50_001, 77_777, 99_999])
  process.stdout.write(`${JSON.stringify({ to, rows, equal, found })}\n`)
})

async function verify(pair: DatabasePair): Promise<Answer> {
  const since = performance.now()
  const [verification] = await pair.verify()
  const seconds = (performance.now() - since) / 1000
  const keys = verification?.differences.map(({ key }) => Number(key['id'])) ?? []
  return { seconds, keys: keys.toSorted((a, b) => a - b), count: verification?.differenceCount ?? -1 }
}

async function compare(pair: DatabasePair): Promise<Answer> {
  const job = {
    source: { uri: uriOf(pair, 'source'), table: 'orders' },
    target: { uri: uriOf(pair, 'target'), table: pair.target.kind === 'postgres' ? 'Shop.orders' : 'orders' },
    columns: orderColumns,
  }
  const { stdout } = await promisify(execFile)(python, [program, JSON.stringify(job)], { maxBuffer: 64_000_000 })
  return JSON.parse(stdout) as Answer
}

function uriOf(pair: DatabasePair, side: 'source' | 'target'): string {
  const { kind, properties } = pair[side]
  const { user, password, host, port, database } = properties[`${side}.connectionString`] as Record<string, string>
  return `${kind === 'postgres' ? 'postgresql' : 'mysql'}://${user}:${password}@${host}:${port}/${database}`
}
