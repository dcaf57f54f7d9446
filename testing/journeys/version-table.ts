/** Reads the table of a version after a load. */
import pg from 'pg'
import type { Plan } from './plan.ts'

type RunQuery = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** Queries the organisation's database like an SQL client; TABLE stands for the version's table. */
export async function queryVersionTable<T>(
  { api, versionId }: Plan,
  work: (query: RunQuery) => Promise<T>,
): Promise<T> {
  const [organisation] = await api.get<{ Id: string }[]>('/organisations')
  const access = await api.post<{
    Host: string
    Port: number
    Database: string
    User: string
    Password: string
    Schemas: string[]
  }>(`/tributary/clients/${organisation?.Id}/warehouse/password`, {})
  const [{ TableName = '' } = {}] = await api.get<{ TableName?: string }[]>(`/loads?versionId=${versionId}`)
  const { Host: host, Port: port, Database: database, User: user, Password } = access
  const client = new pg.Client({ host, port, database, user, password: Password })
  await client.connect()
  try {
    const found = await client.query<{ place: string }>(
      `select format('%I.%I', table_schema, table_name) as place from information_schema.tables where table_name = $1`,
      [TableName],
    )
    return await work(
      async (sql) =>
        (await client.query<Record<string, unknown>>(sql.replace('TABLE', found.rows[0]?.place ?? TableName))).rows,
    )
  } finally {
    await client.end()
  }
}
