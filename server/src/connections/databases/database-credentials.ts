/**
 * The default target of a connector that names none: its product's database, else the organisation's database, else the
 * warehouse.
 */
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import { chooseTarget } from '../connectors/connector-types.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import { decryptCredentials } from './stored-credentials.ts'

/** Converts the credentials to the target settings of a connector. */
export function toTargetProperties(credentials: TableSyncCredentials): ConnectorProperties {
  return {
    'target.connectionString': toConnectionProperties(credentials),
    'target.schema': credentials.schema || defaultSchemas[credentials.connector],
  }
}

export interface DefaultTargetRequest {
  readonly organisationId: string
  readonly connectorKey: string
  /** Undefined before the connector exists. */
  readonly connectorId?: string | undefined
}

/** Returns the settings with the default target filled in, or unchanged if they name a target or no default exists. */
export async function applyDefaultTarget(
  db: Db,
  secrets: Secrets,
  { organisationId, connectorKey, connectorId }: DefaultTargetRequest,
  settings: ConnectorProperties,
): Promise<ConnectorProperties> {
  if (chooseTarget(settings) !== null) return settings
  const schema = chooseSchema(settings, connectorKey)
  const product =
    connectorId === undefined ? undefined : await decryptCredentials(db, secrets, { organisationId, connectorId })
  if (product !== undefined)
    return { ...settings, ...toTargetProperties({ ...product, schema: product.schema || schema }) }
  const own = await decryptCredentials(db, secrets, { organisationId })
  return own === undefined ? settings : { ...settings, ...toTargetProperties({ ...own, schema }) }
}

/** Each connector has its own schema, so that no two write to the same table. The name needs no quotes in SQL. */
export function chooseSchema(settings: ConnectorProperties, connectorKey: string): string {
  const configured = settings['target.schema']
  if (typeof configured === 'string' && configured !== '') return configured
  const name = connectorKey.replaceAll('-', '_').slice(0, schemaMax)
  return /^(?:[0-9]|pg_|public$|information_schema$)/.test(name) ? `_${name}`.slice(0, schemaMax) : name
}

/** MySQL has no schemas, so the name becomes a prefix of the table names, which are limited to 64 characters. */
const schemaMax = 40

/** MySQL tables get no prefix by default. */
const defaultSchemas = { mssql: 'dbo', postgres: 'public', mysql: '' } as const

function toConnectionProperties({
  connector,
  host: address,
  database,
  user,
  password,
  encryption,
}: TableSyncCredentials): ConnectorProperties {
  const { host, port } = splitAddress(address)
  if (connector === 'postgres') {
    const sslmode = { verify: 'verify-full', encrypt: 'require', off: 'disable' }[encryption]
    return { connector, host, port: port ?? 5432, database, user, password, sslmode }
  }
  if (connector === 'mysql') return { connector, host, port: port ?? 3306, database, user, password, tls: encryption }
  return {
    connector,
    'data source': port === null ? host : `${host},${port}`,
    'initial catalog': database,
    'user id': user,
    password,
    encrypt: encryption !== 'off',
    trustServerCertificate: encryption === 'encrypt',
  }
}

/** `db.example.com`, `db.example.com:5432`, `db.example.com,1433`, `[::1]:5432`. */
function splitAddress(address: string): { host: string; port: number | null } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^,:]*))\s*(?:[,:]\s*(\d{1,5}))?$/u.exec(address) ?? []
  const host = bracketed ?? plain
  return host === undefined ? { host: address, port: null } : { host, port: port === undefined ? null : Number(port) }
}
