/** Erasures of people in history: what is searched and cleared, what was found, and which marks showed it. */
import type { PersonSearch, PersonVersions } from '@tributary/engine/ports/history'
import { sql } from 'kysely'
import type { SecretLocation } from '../../kernel/store/secret-unreadable.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'

/** Row versions of a person, counted before they were cleared. The names of these properties are stored. */
export interface FoundPerson {
  readonly tables: readonly Pick<PersonVersions, 'table' | 'name' | 'versions'>[]
  readonly marks: readonly MarkedVersions[]
}

interface MarkedVersions {
  readonly markId: string
  /** The row versions that the mark shows. */
  readonly versions: number
}

/** The rows of a stream that belong to the person, and the columns to clear. The names of these properties are stored. */
export interface ErasureSearch extends Pick<PersonSearch, 'column' | 'tables'> {
  readonly stream: string
}

export interface StoredErasure {
  readonly id: string
  readonly table: string
  readonly column: string
  readonly searches: readonly ErasureSearch[]
  /** Null before they were counted. */
  readonly found: FoundPerson | null
  readonly completedAt: string | null
}

export interface NewErasure extends Pick<StoredErasure, 'table' | 'column' | 'searches'> {
  readonly runId: string
  readonly value: string
  readonly requestedBy: string
}

/** The value is encrypted, and deleted when the run ends. */
export async function insertErasure(
  db: Db,
  secrets: Secrets,
  { organisationId, connectorId }: ConnectorLocation,
  { table: tableName, column: columnName, searches, value, ...erasure }: NewErasure,
): Promise<void> {
  const { id } = await db
    .insertInto('historyErasure')
    .values({ organisationId, connectorId, ...erasure, tableName, columnName, searches: JSON.stringify(searches) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const encrypted = await secrets.encrypt(db, valueLocation(organisationId, id), value)
  await db.insertInto('historyErasureSearch').values({ erasureId: id, organisationId, value: encrypted }).execute()
}

function valueLocation(organisationId: string, id: string): SecretLocation {
  return { organisationId, table: 'history_erasure_search', column: 'value', row: id }
}

interface RunLocation {
  readonly organisationId: string
  readonly runId: string
}

export async function getErasureOfRun(db: Db, { organisationId, runId }: RunLocation): Promise<StoredErasure> {
  const row = await db
    .selectFrom('historyErasure')
    .select(['id', 'tableName as table', 'columnName as column', 'searches', 'found', 'completedAt'])
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .executeTakeFirstOrThrow()
  return {
    ...row,
    searches: row.searches as readonly ErasureSearch[],
    found: row.found as FoundPerson | null,
  }
}

/** Undefined once the erasure has ended. */
export async function readSearchedValue(
  db: Db,
  secrets: Secrets,
  organisationId: string,
  erasureId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('historyErasureSearch')
    .select('value')
    .where('organisationId', '=', organisationId)
    .where('erasureId', '=', erasureId)
    .executeTakeFirst()
  return row && (await secrets.decrypt(db, valueLocation(organisationId, erasureId), row.value))
}

export async function storeFound(db: Db, { organisationId, runId }: RunLocation, found: FoundPerson): Promise<void> {
  await db
    .updateTable('historyErasure')
    .set({ found: JSON.stringify(found) })
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .execute()
}

export async function completeErasure(db: Db, { organisationId, runId }: RunLocation): Promise<void> {
  await db
    .updateTable('historyErasure')
    .set({ completedAt: sql`now()` })
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .execute()
}

/** Only the run needs the value that identifies the person. */
export async function deleteSearchedValue(db: Db, { organisationId, runId }: RunLocation): Promise<void> {
  await db
    .deleteFrom('historyErasureSearch')
    .where('organisationId', '=', organisationId)
    .where('erasureId', 'in', (of) =>
      of.selectFrom('historyErasure').select('historyErasure.id').where('historyErasure.runId', '=', runId),
    )
    .execute()
}
