/** The form of database credentials: merges the input with the stored values, and returns them without the password. */
import { secretMask } from '@tributary/contract/limits'
import type { TableSyncCredentials, DatabaseCredentials } from '@tributary/contract/table-sync'
import { Fault } from '@tributary/engine/ports/faults'
import { chooseTarget } from '../connectors/connector-types.ts'
import { toTargetProperties } from './database-credentials.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type CredentialsOwner, type CredentialsRow, decryptCredentials } from './stored-credentials.ts'

/** The form field for each setting of a target that has another name there. */
const formFields = {
  'data source': 'host',
  'initial catalog': 'database',
  'user id': 'user',
  tls: 'encryption',
  sslmode: 'encryption',
} as const

const emptyCredentials: DatabaseCredentials = {
  connector: 'mssql',
  host: '',
  database: '',
  schema: '',
  user: '',
  password: '',
  encryption: 'verify',
  savedBy: null,
  savedAtUtc: null,
}

export function maskCredentials(row: CredentialsRow | undefined): DatabaseCredentials {
  if (row === undefined) return emptyCredentials
  return {
    connector: row.kind,
    host: row.host,
    database: row.databaseName,
    schema: row.schemaName,
    user: row.userName,
    password: row.password === '' ? '' : secretMask,
    encryption: row.encryption,
    savedBy: row.firstName === null ? null : `${row.firstName} ${row.lastName}`,
    savedAtUtc: row.savedAt,
  }
}

/** Contains no secret. */
export function describeCredentialsForAudit(credentials: TableSyncCredentials | null): unknown {
  if (credentials === null) return 'warehouse'
  const { connector: kind, host, database, user } = credentials
  return { kind, host, database, user }
}

/**
 * Returns the credentials in plain text, or null if every field is empty. Throws `badInput` for missing fields,
 * `secretNeeded` if the stored password would go to another address, and `settingsWrong` for what the target refuses.
 */
export async function acceptCredentials(
  db: Db,
  secrets: Secrets,
  owner: CredentialsOwner,
  input: TableSyncCredentials,
): Promise<TableSyncCredentials | null> {
  if ([input.host, input.database, input.schema, input.user].every((value) => value === '')) return null
  requireFilled(owner, input)
  const accepted = { ...input, password: await resolvePassword(db, secrets, owner, input) }
  requireAcceptedByTarget(accepted)
  return accepted
}

function requireFilled({ connectorId }: CredentialsOwner, input: TableSyncCredentials): void {
  const missing = (['host', 'database', 'user', 'password'] as const).filter((key) => input[key] === '')
  if (missing.length === 0) return
  const elsewhere =
    connectorId === undefined ? 'in its own warehouse' : 'where those of the organisation are, or in its own warehouse'
  const detail = `${missing.join(', ')} must be filled in; or leave all of them empty, and Tributary keeps the tables ${elsewhere}.`
  throw new ApiFault('badInput', {
    values: { detail },
    fields: Object.fromEntries(missing.map((key) => [key, 'required'])),
  })
}

/** Replaces the mask with the stored password, which is sent only to the address that it was entered for. */
async function resolvePassword(
  db: Db,
  secrets: Secrets,
  owner: CredentialsOwner,
  input: TableSyncCredentials,
): Promise<string> {
  if (input.password !== secretMask) return input.password
  const stored = await decryptCredentials(db, secrets, owner)
  const bound = ['connector', 'host', 'user', 'encryption'] as const
  if (stored === undefined || stored.password === '' || bound.some((key) => stored[key] !== input[key]))
    throw new ApiFault('secretNeeded', { fields: { password: 'required' } })
  return stored.password
}

function requireAcceptedByTarget(credentials: TableSyncCredentials): void {
  const properties = toTargetProperties(credentials)
  try {
    chooseTarget(properties)?.parse(properties)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const key = error.field?.split('.').at(-1) ?? 'host'
    const field = Object.entries(formFields).find(([name]) => name === key)?.[1] ?? key
    throw new ApiFault('settingsWrong', {
      values: { detail: error.notice },
      fields: { [field]: error.notice },
      cause: error,
    })
  }
}
