/** Reads what a load has left in the table of a version. */
import pg from 'pg'
import type { Plan } from './plan.ts'

type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** Asks the organisation's own database as any SQL client would; TABLE stands for the version's. */
export async function inTable<T>({ api, versionId }: Plan, work: (query: Query) => Promise<T>): Promise<T> {
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
