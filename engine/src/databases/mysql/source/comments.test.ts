import { randomUUID } from 'node:crypto'
import { inject, test } from 'vitest'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { expectDescriptions } from '@tributary/testing/conformance/source/comment-suite.ts'
import { connectMysql } from '../connection.ts'
import { quote } from '../quoting.ts'
import { mysqlSource } from './source.ts'

test('[SEE-6] comments of MariaDB are descriptions, and foreign keys are relations', async () => {
  const reach = { ...inject('mariadb'), database: 'mysql', tls: 'off' as const }
  const database = `described_${randomUUID().slice(0, 8)}`
  await using connection = await connectMysql(reach, connectionContext(), `SET SESSION sql_mode = ''`)
  for (const sql of [
    `CREATE DATABASE ${quote(database)} CHARACTER SET utf8mb4`,
    `USE ${quote(database)}`,
    `CREATE TABLE customer (id INT PRIMARY KEY, name TEXT COMMENT '${'x'.repeat(1_000)}')
       COMMENT 'People & firms that "buy"; one''s row\\nand <b>more</b>'`,
    'CREATE TABLE invoice (id INT PRIMARY KEY, customer_id INT, FOREIGN KEY (customer_id) REFERENCES customer (id))',
    'CREATE VIEW due AS SELECT id FROM invoice',
  ])
    await connection.run(sql)
  await using source = await mysqlSource.open(
    { ...reach, database, tables: [], excludedColumns: [] },
    connectionContext(),
  )
  await expectDescriptions(source, { customer: 'customer', invoice: 'invoice', length: 1_000 })
  await connection.run(`DROP DATABASE ${quote(database)}`)
})
