/** What a person entered of a database: merged with what is stored, and told back without the secret. */
import { secretMask } from '@tributary/contract/limits'
import type { TableSyncCredentials, DatabaseCredentials } from '@tributary/contract/table-sync'
import { Fault } from '@tributary/engine/ports/faults'
import { chooseTarget } from '../connectors/connector-types.ts'
import { asTargetProperties } from './database-credentials.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import { type CredentialsOf, type CredentialsRow, decryptCredentials } from './stored-credentials.ts'

/** As which fields of the form those of a target's section are shown. */
const shownFields = {
  'data source': 'host',
  'initial catalog': 'database',
  'user id': 'user',
  tls: 'encryption',
  sslmode: 'encryption',
} as const

const none: DatabaseCredentials = {
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

export function shownCredentials(row: CredentialsRow | undefined): DatabaseCredentials {
  if (row === undefined) return none
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

/** For the audit log: without the secret. */
export function loggedCredentials(credentials: TableSyncCredentials | null): unknown {
  if (credentials === null) return 'warehouse'
  const { connector: kind, host, database, user } = credentials
  return { kind, host, database, user }
}

/**
 * In clear, as they would be stored; null where all is empty. Throws `badInput` for what is missing,
 * `secretNeeded` where the stored password would go to another address, `settingsWrong` for what the target refuses.
 */
export async function acceptCredentials(
  db: Db,
  secrets: Secrets,
  of: CredentialsOf,
  input: TableSyncCredentials,
): Promise<TableSyncCredentials | null> {
  if ([input.host, input.database, input.schema, input.user].every((value) => value === '')) return null
  requireFilled(of, input)
  const accepted = { ...input, password: await passwordOf(db, secrets, of, input) }
  requireAccepted(accepted)
  return accepted
}

function requireFilled({ connectorId }: CredentialsOf, input: TableSyncCredentials): void {
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

/** The mask stands for the stored password, which goes nowhere but where it was entered for. */
async function passwordOf(db: Db, secrets: Secrets, of: CredentialsOf, input: TableSyncCredentials): Promise<string> {
  if (input.password !== secretMask) return input.password
  const stored = await decryptCredentials(db, secrets, of)
  const bound = ['connector', 'host', 'user', 'encryption'] as const
  if (stored === undefined || stored.password === '' || bound.some((key) => stored[key] !== input[key]))
    throw new ApiFault('secretNeeded', { fields: { password: 'required' } })
  return stored.password
}

function requireAccepted(credentials: TableSyncCredentials): void {
  const properties = asTargetProperties(credentials)
  try {
    chooseTarget(properties)?.parse(properties)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const key = error.field?.split('.').at(-1) ?? 'host'
    const field = Object.entries(shownFields).find(([name]) => name === key)?.[1] ?? key
    throw new ApiFault('settingsWrong', {
      values: { detail: error.notice },
      fields: { [field]: error.notice },
      cause: error,
    })
  }
}
