/** Where a connector's rows go where it does not say itself: to its product's database, else the organisation's own; and how the engine is told. */
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import { chooseTarget } from '../connectors/connector-types.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import { decryptCredentials } from './stored-credentials.ts'

/** The same as a connector's target is told. */
export function asTargetProperties(credentials: TableSyncCredentials): ConnectorProperties {
  return {
    'target.connectionString': connectionOf(credentials),
    'target.schema': credentials.schema || defaultSchemas[credentials.connector],
  }
}

export interface WithoutTarget {
  readonly organisationId: string
  readonly connectorKey: string
  /** Undefined before there is one. */
  readonly connectorId?: string | undefined
}

/** The settings of a connector, with the database of its product or of its organisation as the target where they name none and there is one. */
export async function withOwnDatabase(
  db: Db,
  secrets: Secrets,
  { organisationId, connectorKey, connectorId }: WithoutTarget,
  settings: ConnectorProperties,
): Promise<ConnectorProperties> {
  if (chooseTarget(settings) !== null) return settings
  const schema = ownSchema(settings, connectorKey)
  const product =
    connectorId === undefined ? undefined : await decryptCredentials(db, secrets, { organisationId, connectorId })
  if (product !== undefined)
    return { ...settings, ...asTargetProperties({ ...product, schema: product.schema || schema }) }
  const own = await decryptCredentials(db, secrets, { organisationId })
  return own === undefined ? settings : { ...settings, ...asTargetProperties({ ...own, schema }) }
}

/** Each connector has a schema of its own, so that no two want the same table. It is a name that SQL takes without quotes. */
export function ownSchema(settings: ConnectorProperties, connectorKey: string): string {
  const wished = settings['target.schema']
  if (typeof wished === 'string' && wished !== '') return wished
  const name = connectorKey.replaceAll('-', '_').slice(0, schemaMax)
  return /^(?:[0-9]|pg_|public$|information_schema$)/.test(name) ? `_${name}`.slice(0, schemaMax) : name
}

/** As much as MySQL takes before the name of a table. */
const schemaMax = 40

/** MySQL has no schemas: the name would be put before those of the tables. */
const defaultSchemas = { mssql: 'dbo', postgres: 'public', mysql: '' } as const

function connectionOf({
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
