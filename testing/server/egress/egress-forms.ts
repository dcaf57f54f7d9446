/** What is filled in where an address is asked for. */
import { isIPv6 } from 'node:net'
import type { SqlDoor } from './egress-world.ts'

type Values = Readonly<Record<string, unknown>>

export interface Settings {
  readonly type: string
  readonly properties: readonly { readonly name: string; readonly value: unknown }[]
}

/** A form of each type with that host at the source, and at the target where one goes with it. @param origin an API that answers */
export function formsOf(
  host: string,
  { port, origin }: { readonly port: number; readonly origin: string },
): readonly Settings[] {
  const written = inAddress(host)
  // To loopback alone both sources would speak without encryption.
  const isLoopback = /^(?:127\.|localhost$|\[::1\]$)/u.test(written)
  const common = { host, port, database: 'shop', user: 'u', password: 'canary-pass' }
  const mssql = {
    'data source': `${written},${port}`,
    'initial catalog': 'shop',
    'user id': 'u',
    password: 'canary-pass',
    encrypt: false,
  }
  const target = (connector: string, value: Values) => ({
    name: 'target.connectionString',
    value: { connector, ...value },
  })
  const toSchema = { name: 'target.schema', value: 'copy' }
  const source = (value: Values) => ({ name: 'source.connectionString', value })
  const postgres = { ...common, sslmode: 'disable' }
  const mysql = { ...common, tls: 'off' }
  return [
    { type: 'postgres', properties: [source(postgres), target('postgres', postgres), toSchema] },
    { type: 'mysql', properties: [source(mysql), target('mysql', mysql), toSchema] },
    { type: 'sqlserver', properties: [source(mssql), target('mssql', mssql), toSchema] },
    cin7At(`https://${written}:${port}/v2/`),
    unicontaAt(`${isLoopback ? 'http' : 'https'}://${written}:${port}/odata/`),
    // This source is opened without a word, so that the run comes as far as its target.
    { type: 'cin7', properties: [...cin7At(`${origin}/`).properties, target('postgres', postgres), toSchema] },
    { type: 'cin7', properties: [...cin7At(`${origin}/`).properties, target('mysql', mysql), toSchema] },
    { type: 'cin7', properties: [...cin7At(`${origin}/`).properties, target('mssql', mssql), toSchema] },
  ]
}

export function inAddress(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

export function cin7At(address: string): Settings {
  const key = '11111111-2222-4333-8444-555555555555'
  const value = {
    'cin7.accountId': key,
    'cin7.applicationKey': key,
    'cin7.address': address,
    'cin7.callsPerMinute': 6_000,
  }
  return { type: 'cin7', properties: Object.entries(value).map(([name, value]) => ({ name, value })) }
}

export function unicontaAt(address: string): Settings {
  const value = { 'uniconta.username': 'u', 'uniconta.password': 'canary-pass', 'uniconta.address': address }
  return { type: 'uniconta', properties: Object.entries(value).map(([name, value]) => ({ name, value })) }
}

/** The SQL Server as source and target. */
export function sqlForm(sql: SqlDoor): Settings {
  const reach = {
    'data source': `sql.shop.example,${sql.port}`,
    'initial catalog': 'shop',
    'user id': sql.user,
    password: sql.password,
  }
  const value = { ...reach, encrypt: false }
  const target = { name: 'target.connectionString', value: { connector: 'mssql', ...value } }
  return {
    type: 'sqlserver',
    properties: [{ name: 'source.connectionString', value }, target, { name: 'target.schema', value: 'copy' }],
  }
}

/** An organisation's own database of each kind. */
export function ownDatabasesAt(host: string, port: number) {
  const common = {
    host: `${inAddress(host)},${port}`,
    database: 'shop',
    schema: '',
    user: 'u',
    password: 'canary-pass',
    encryption: 'off',
  }
  return (['postgres', 'mysql', 'mssql'] as const).map((connector) => ({ connector, ...common }))
}
