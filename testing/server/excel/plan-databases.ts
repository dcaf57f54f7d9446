/** Databases of each kind for the tables of the planning structure. */
import type { DatabaseCredentials } from '@tributary/contract/table-sync'
import { connectMysql } from '@tributary/engine/databases/mysql/connection'
import { inject } from 'vitest'
import { systemClock } from '../../../server/src/kernel/clock.ts'
import { sourceDatabase } from '../connectors/source-database.ts'
import type { TestApp } from '../app/test-app.ts'

export type CredentialsInput = Partial<
  Pick<DatabaseCredentials, 'connector' | 'host' | 'database' | 'schema' | 'user' | 'password' | 'encryption'>
>

/** An organisation’s own database, in which the product may create tables. */
export interface PlanDatabase {
  readonly name: string
  open(app: TestApp): Promise<{
    credentials: CredentialsInput
    query(text: string): Promise<Record<string, unknown>[]>
    quoted(name: string): string
  }>
}

export const planDatabases: readonly [PlanDatabase, PlanDatabase] = [
  {
    name: 'PostgreSQL',
    async open() {
      const { settings, query } = await sourceDatabase('SELECT 1')
      const { host, port, user, password, database } = inject('postgres') && (settings as Record<string, string>)
      const credentials = {
        connector: 'postgres',
        host: `${host}:${port}`,
        database,
        schema: 'plan',
        user,
        password,
        encryption: 'off',
      } as CredentialsInput
      return { credentials, query, quoted: (name) => `plan."${name}"` }
    },
  },
  {
    name: 'MariaDB',
    async open(app) {
      const { host, port, user, password } = inject('mariadb')
      const database = `plan_${Math.random().toString(36).slice(2)}`
      const around = { network: app.services.network, clock: systemClock, signal: new AbortController().signal }
      const reach = { host, port, user, password, database: 'mysql', tls: 'off' } as const
      const query = async (text: string) => {
        await using connection = await connectMysql(reach, around, 'SELECT 1')
        if (text.startsWith('SELECT')) return [...(await connection.rows(text))]
        await connection.run(text)
        return []
      }
      await query(`CREATE DATABASE ${database}`)
      const credentials = {
        connector: 'mysql',
        host: `${host},${port}`,
        database,
        user,
        password,
        encryption: 'off',
      } as CredentialsInput
      return { credentials, query, quoted: (name) => `${database}.\`${name}\`` }
    },
  },
]
