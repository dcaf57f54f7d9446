/** Connection settings of a SQL Server, named as in its connection strings, the same for source and target. */
import * as z from 'zod'
import { Fault } from '../../ports/faults.ts'
import type { ConnectorSettingsField } from '../../ports/settings.ts'
import { databaseField, hostField, parseFields, passwordField } from '../../ports/server-settings.ts'

export const reachFields: readonly ConnectorSettingsField[] = [
  {
    ...hostField,
    key: 'data source',
    placeholder: 'db.example.com,1433',
    help: 'A host, or host,port. For a named instance enter the port it listens on.',
  },
  { ...databaseField, key: 'initial catalog' },
  { key: 'user id', label: 'Username', kind: 'text', required: true, bindsSecret: true },
  passwordField,
  {
    key: 'multipleActiveResultSets',
    label: 'Multiple Active Result Sets',
    kind: 'switch',
    required: false,
    initial: false,
    help: 'Stored, but without effect: Tributary opens as many connections as it needs.',
  },
  {
    key: 'encrypt',
    label: 'Encrypt the connection',
    kind: 'switch',
    required: false,
    initial: true,
    bindsSecret: true,
  },
  {
    key: 'trustServerCertificate',
    label: 'Trust the server’s certificate unseen',
    kind: 'switch',
    required: false,
    initial: false,
    bindsSecret: true,
    help: 'Only for a server in your own network whose certificate no authority has signed.',
  },
]

export interface SqlServerReach {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  readonly encrypt: boolean
  readonly trustServerCertificate: boolean
}

const flag = (initial: boolean) => z.union([z.boolean(), z.stringbool()]).default(initial)
const Reach = z.object({
  'data source': z.string().trim().min(1),
  'initial catalog': z.string().trim().min(1),
  'user id': z.string().trim().min(1),
  password: z.string(),
  encrypt: flag(true),
  trustServerCertificate: flag(false),
})

const code = 'sqlserver.settings_wrong'

/** Throws a `settings` Fault that names the field. */
export function parseReach(value: unknown, property: string): SqlServerReach {
  const fields = parseFields(Reach, value, { property, fields: reachFields, code })
  const { 'data source': dataSource, 'initial catalog': database, 'user id': user, ...rest } = fields
  return { ...parseDataSource(dataSource, property), database, user, ...rest }
}

const tcpAddress = /^(?:tcp:)?\s*([^\\,:]+?|\[[0-9a-f:]+\])\s*(?:[,:]\s*(\d{1,5}))?$/i

/** `host`, `host,port` or `tcp:host,port`; `.` and `(local)` are this machine. */
function parseDataSource(dataSource: string, property: string): { host: string; port: number } {
  if (dataSource.includes('\\')) {
    throw wrong(
      property,
      'A named instance cannot be found through a firewall. Enter the host and the port the instance listens on, like db.example.com,1433.',
    )
  }
  const [, host = '', port = '1433'] = tcpAddress.exec(dataSource) ?? []
  const isPort = Number(port) > 0 && Number(port) < 65_536
  if (host === '' || !isPort)
    throw wrong(property, 'The host must be written as host or host,port, like db.example.com,1433.')
  return { host: /^(?:\.|\(local\))$/i.test(host) ? 'localhost' : host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

function wrong(property: string, notice: string): Fault {
  return new Fault('settings', { code, notice, field: `${property}.data source` })
}
