/** How SQL clients and reporting tools connect to the warehouse: lines to copy and steps to follow. Pure, for both sides. */

export interface WarehouseAddress {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  /** `require` if the server offers TLS; otherwise `prefer`, which uses it once it is offered. */
  readonly sslMode: 'require' | 'prefer'
}

/** None of them contains a password: each program asks for it. */
export const connectionLineKinds = ['psql', 'odbc', 'jdbc', 'sqlAlchemy'] as const
export type ConnectionLineKind = (typeof connectionLineKinds)[number]

export function connectionLine(kind: ConnectionLineKind, address: WarehouseAddress): string {
  return lines[kind](address)
}

const lines: Readonly<Record<ConnectionLineKind, (address: WarehouseAddress) => string>> = {
  psql: (address) => `psql "${connectionString(address)}"`,
  odbc: ({ host, port, database, user, sslMode }) =>
    `Driver={PostgreSQL Unicode};Server=${odbcValue(host)};Port=${port};Database=${odbcValue(database)};Uid=${odbcValue(user)};SSLmode=${sslMode};`,
  jdbc: ({ host, port, database, user, sslMode }) =>
    `jdbc:postgresql://${urlHost(host)}:${port}/${encodeURIComponent(database)}?user=${encodeURIComponent(user)}&sslmode=${sslMode}`,
  sqlAlchemy: ({ host, port, database, user, sslMode }) =>
    [
      'from getpass import getpass',
      'from sqlalchemy import create_engine',
      `engine = create_engine("postgresql+psycopg://${encodeURIComponent(user)}@${urlHost(host)}:${port}/${encodeURIComponent(database)}?sslmode=${sslMode}", connect_args={"password": getpass()})`,
    ].join('\n'),
}

/** https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-KEYWORD-VALUE */
function connectionString({ host, port, database, user, sslMode }: WarehouseAddress): string {
  const value = (text: string) =>
    /^[A-Za-z0-9._:-]+$/u.test(text) ? text : `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  return `host=${value(host)} port=${port} dbname=${value(database)} user=${value(user)} sslmode=${sslMode}`
}

function odbcValue(text: string): string {
  return /^[A-Za-z0-9._:-]+$/u.test(text) ? text : `{${text.replaceAll('}', '}}')}}`
}

/** An IPv6 address has brackets in a URL. */
function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

export const connectionStepKinds = ['dbeaver', 'metabase', 'tableau'] as const
export type ConnectionStepKind = (typeof connectionStepKinds)[number]

/** A step names the values to enter; `code` is to be copied. */
export interface ConnectionStep {
  readonly text: string
  readonly code?: string
}

export function connectionSteps(kind: ConnectionStepKind, address: WarehouseAddress): readonly ConnectionStep[] {
  const { host, port, database, user } = address
  const fields: readonly ConnectionStep[] = [
    { text: 'Host', code: host },
    { text: 'Port', code: String(port) },
    { text: 'Database', code: database },
    { text: 'User name', code: user },
  ]
  switch (kind) {
    case 'dbeaver':
      return [
        {
          text: 'Choose Database, New Database Connection, PostgreSQL. Enter the address as URL:',
          code: connectionLine('jdbc', address),
        },
        { text: 'Enter your password, then choose Test Connection.' },
      ]
    case 'metabase':
      return [
        { text: 'Choose Admin settings, Databases, Add database, PostgreSQL.' },
        ...fields,
        { text: 'Enter your password. Turn on Use a secure connection (SSL) if the server offers TLS.' },
      ]
    case 'tableau':
      return [
        { text: 'Choose Connect, To a Server, PostgreSQL. Tableau asks for its driver the first time.' },
        ...fields,
        { text: 'Choose Username and Password as authentication. Tick Require SSL if the server offers TLS.' },
      ]
  }
}

/** The file that opens Power BI Desktop on the warehouse: https://learn.microsoft.com/power-bi/connect-data/desktop-data-sources */
export function powerBiDataSource({ host, port, database }: WarehouseAddress): object {
  const details = { protocol: 'postgresql', address: { server: `${host}:${port}`, database } }
  return { version: '0.1', connections: [{ details, options: {}, mode: 'Import' }] }
}

/** Where the queries of a workbook read: the warehouse with a database login, or the OData feed with an access token. */
export const workbookSources = ['feed', 'database'] as const
