/** Connector settings that contain an address. */
import { isIPv6 } from 'node:net'
import type { EgressSqlServer } from './egress-servers.ts'

type EgressFormValues = Readonly<Record<string, unknown>>

export interface ConnectorForm {
  readonly type: string
  readonly properties: readonly { readonly name: string; readonly value: unknown }[]
}

/**
 * Settings of each connector type with this host in the source, and in the target if it has one.
 * @param origin an API that responds
 */
export function formsOf(
  host: string,
  { port, origin }: { readonly port: number; readonly origin: string },
): readonly ConnectorForm[] {
  const written = inAddress(host)
  // Both sources allow connections without encryption only to loopback.
  const isLoopback = /^(?:127\.|localhost$|\[::1\]$)/u.test(written)
  const common = { host, port, database: 'shop', user: 'u', password: 'canary-pass' }
  const mssql = {
    'data source': `${written},${port}`,
    'initial catalog': 'shop',
    'user id': 'u',
    password: 'canary-pass',
    encrypt: false,
  }
  const target = (connector: string, value: EgressFormValues) => ({
    name: 'target.connectionString',
    value: { connector, ...value },
  })
  const toSchema = { name: 'target.schema', value: 'copy' }
  const source = (value: EgressFormValues) => ({ name: 'source.connectionString', value })
  const postgres = { ...common, sslmode: 'disable' }
  const mysql = { ...common, tls: 'off' }
  return [
    { type: 'postgres', properties: [source(postgres), target('postgres', postgres), toSchema] },
    { type: 'mysql', properties: [source(mysql), target('mysql', mysql), toSchema] },
    { type: 'sqlserver', properties: [source(mssql), target('mssql', mssql), toSchema] },
    cin7At(`https://${written}:${port}/v2/`),
    unicontaAt(`${isLoopback ? 'http' : 'https'}://${written}:${port}/odata/`),
    // This source makes no call when it is opened, so that the run reaches its target.
    { type: 'cin7', properties: [...cin7At(`${origin}/`).properties, target('postgres', postgres), toSchema] },
    { type: 'cin7', properties: [...cin7At(`${origin}/`).properties, target('mysql', mysql), toSchema] },
    { type: 'cin7', properties: [...cin7At(`${origin}/`).properties, target('mssql', mssql), toSchema] },
  ]
}

export function inAddress(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

export function cin7At(address: string): ConnectorForm {
  const key = '11111111-2222-4333-8444-555555555555'
  const value = {
    'cin7.accountId': key,
    'cin7.applicationKey': key,
    'cin7.address': address,
    'cin7.callsPerMinute': 6_000,
  }
  return { type: 'cin7', properties: Object.entries(value).map(([name, value]) => ({ name, value })) }
}

export function unicontaAt(address: string): ConnectorForm {
  const value = { 'uniconta.username': 'u', 'uniconta.password': 'canary-pass', 'uniconta.address': address }
  return { type: 'uniconta', properties: Object.entries(value).map(([name, value]) => ({ name, value })) }
}

/** The SQL Server as source and target. */
export function sqlForm(sql: EgressSqlServer): ConnectorForm {
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
