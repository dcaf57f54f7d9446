/** A rename cannot be undone in MySQL and MariaDB: what a run leaves that is killed after it. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { nextRun } from '@tributary/testing/conformance/target/history-bench.ts'
import { newWriter } from '@tributary/testing/conformance/target/target-bench.ts'
import { batch, column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { connectMysql } from './connection.ts'
import { quote } from './quoting.ts'
import { mysqlTarget } from './target.ts'

const columns = [column('id', { kind: 'integer', bytes: 4 }, false), column('note', { kind: 'text', maxLength: 9 })]
const [former, renamed] = ['former', 'renamed'].map((name) => ({ ...stream(table(name, columns)), name: 'ledger' }))

test('[TRUST-6] a rename that was cut off after the tables had their new names keeps the history, which continues under the new name', async () => {
  if (former === undefined || renamed === undefined) throw new Error('Both streams are above.')
  const reach = { ...inject('mariadb'), database: `rename_${randomUUID().slice(0, 8)}`, tls: 'off' as const }
  const other = await connectMysql(
    { ...reach, database: 'mysql' },
    connectionContext(),
    `SET SESSION time_zone = '+00:00'`,
  )
  await other.run(`CREATE DATABASE ${quote(reach.database)} CHARACTER SET utf8mb4`)
  await other.run(`USE ${quote(reach.database)}`)
  const open = () => mysqlTarget.open({ ...reach, prefix: '' }, connectionContext())
  const writer = newWriter()
  const write = async (of: typeof former, run: typeof writer, note: string) => {
    await using target = await open()
    await target.begin(run)
    await target.prepare(of, 'on')
    await using load = await target.load(of, { kind: 'merge' })
    await load.write(batch(of.table, [['1', note]]))
    await load.finish(null)
    return target.histories(of)
  }
  const [before] = await write(former, writer, 'a')

  await using target = await open()
  await target.begin(nextRun(writer))
  // The tables have their new names; what is noted of the former ones waits for this session.
  await other.run('START TRANSACTION')
  await other.rows(`SELECT 1 FROM tributary_table WHERE name = 'former' FOR UPDATE`)
  const renaming = target.renameTables('ledger', [{ from: 'former', to: 'renamed' }]).catch((error: unknown) => error)
  const waits = `SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND command = 'Query' AND info LIKE 'DELETE FROM tributary_table%'`
  let [waiting] = await other.rows(waits)
  while (waiting === undefined) {
    await sleep(20)
    ;[waiting] = await other.rows(waits)
  }
  await other.run(`KILL ${String(waiting['id'])}`)
  expect(await renaming).toBeInstanceOf(Error)
  await other.run('ROLLBACK')

  const [after] = await write(renamed, nextRun(nextRun(writer)), 'b')
  expect(after).toEqual({ table: 'renamed', name: 'renamed__history', since: before?.since })
  expect(await other.rows('SELECT note FROM renamed__history ORDER BY valid_from')).toEqual([
    { note: 'a' },
    { note: 'b' },
  ])
  await other.run(`DROP DATABASE ${quote(reach.database)}`)
  await other[Symbol.asyncDispose]()
})
