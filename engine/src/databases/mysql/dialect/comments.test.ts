import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { commentCases } from '@tributary/testing/conformance/target/comment-cases.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { connectMysql } from '../connection.ts'
import { quote } from '../quoting.ts'
import type { MysqlReach } from '../settings.ts'
import { mysqlTarget } from '../target.ts'

commentCases(async () => {
  const database = `comments_${randomUUID().slice(0, 8)}`
  const reach: MysqlReach = { ...inject('mariadb'), database: 'mysql', tls: 'off' }
  const connection = await connectMysql(reach, connectionContext(), `SET SESSION sql_mode = ''`)
  await connection.run(`CREATE DATABASE ${quote(database)} CHARACTER SET utf8mb4`)
  await connection.run(`USE ${quote(database)}`)
  return {
    longest: 1_000,
    open: (signal) => mysqlTarget.open({ ...reach, database, prefix: '' }, connectionContext(signal)),
    rows: async (table) =>
      (await connection.rows(`SELECT * FROM ${quote(table.name)} ORDER BY id`)).map((row) => Object.values(row)),
    report: async () => [],
    drop: async (table) => void (await connection.run(`DROP TABLE ${quote(table.name)}`)),
    secrets: [],
    async comments(name) {
      const found = await connection.rows(
        `SELECT '' AS c, table_comment AS t FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?
         UNION ALL SELECT column_name, column_comment FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?`,
        [name, name],
      )
      return Object.fromEntries(found.filter(({ t }) => t !== '').map(({ c, t }) => [String(c), String(t)]))
    },
    async comment(name, column, text) {
      const change = column === '' ? `COMMENT = ?` : `MODIFY COLUMN ${quote(column)} longtext COMMENT ?`
      await connection.run(`ALTER TABLE ${quote(name)} ${change}`, [text])
    },
    [Symbol.asyncDispose]: async () => {
      await connection.run(`DROP DATABASE ${quote(database)}`)
      await connection[Symbol.asyncDispose]()
    },
  }
})
