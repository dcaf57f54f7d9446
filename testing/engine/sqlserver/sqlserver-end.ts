/** A new database on the SQL Server of the programme as the target of a sync. */
import { literal } from '@tributary/engine/databases/sqlserver/quoting'
import type { OpenTarget } from '@tributary/engine/ports/target'
import type { DatabaseEnd } from '../databases/database-ends.ts'
import { lacks, makeServerDatabase, readText } from './sqlserver-server.ts'

const schema = 'Shop'

export interface SqlServerEnd extends Pick<DatabaseEnd, 'properties' | 'run' | 'read' | 'nameOf'>, AsyncDisposable {
  /** Defines views by DROP and CREATE where the server lacks ALTER VIEW. */
  adapt(target: OpenTarget): void
}

export async function makeSqlServerTarget(): Promise<SqlServerEnd> {
  const { reach, connection, ...database } = await makeServerDatabase()
  const views = new Map<string, string>()
  const { host, port, user, password, encrypt, trustServerCertificate } = reach
  const address = { 'data source': `${host},${port}`, 'initial catalog': reach.database, 'user id': user, password }
  return {
    properties: { 'target.connectionString': { ...address, encrypt, trustServerCertificate }, 'target.schema': schema },
    run: (sql) => connection.run(sql),
    async read(table) {
      const { columns, rows } = await readText(connection, schema, table)
      return { columns: columns.map(({ name }) => name), rows }
    },
    async nameOf(stream) {
      const [row] = await connection.rows(
        `SELECT name FROM [${schema}].tributary_table WHERE stream = ${literal(stream)}`,
      )
      return String(row?.[0] ?? '')
    },
    adapt(target) {
      if (!lacks('alterView')) return
      target.defineView = async (name, select) => {
        let [view, made] = ['', '']
        await target.select((words) => {
          ;[view, made] = [words.view(name), select(words)]
          return 'SELECT 1 AS one'
        })
        if (views.get(view) === made) return
        views.set(view, made)
        await connection.run(`DROP VIEW IF EXISTS ${view}`)
        await connection.run(`CREATE VIEW ${view} AS ${made}`)
      }
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
