import type { SyncedTable } from '@tributary/contract/table-sync'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { RightTable } from '../../planning/tables/planned-tables.ts'

/** The records whose tables are created and updated. Archived records keep their tables, but are not listed. */
export async function listPlanned(db: Db, organisationId: string) {
  const selectActive = <Table extends 'version' | 'helperTable'>(table: Table) =>
    db
      .selectFrom(`${table as 'helperTable'} as record`)
      .innerJoin('status', 'status.id', 'record.statusId')
      .where('organisationId', '=', organisationId)
      .where('status.name', '<>', 'archived')
      .orderBy('record.name', (by) => by.collate('naturalOrder'))
      .orderBy('record.id')
  return {
    versions: await selectActive('version').select(['record.id', 'record.name']).execute(),
    helperTables: await selectActive('helperTable').select(['record.id', 'record.inputTableName']).execute(),
  }
}

export async function storeResult(
  db: Db,
  organisationId: string,
  result: { readonly by: string | null; readonly place: string; readonly tables: readonly Camel<SyncedTable>[] },
): Promise<void> {
  await db
    .updateTable('tableSync')
    .set({ doneAt: sql`now()`, doneBy: result.by, place: result.place, tables: JSON.stringify(result.tables) })
    .where('organisationId', '=', organisationId)
    .execute()
}

export async function findLatest(db: Db, organisationId: string) {
  const found = await db
    .selectFrom('tableSync')
    .leftJoin('portalUser', 'portalUser.id', 'tableSync.doneBy')
    .select(['doneAt', 'place', 'tables', sql<string | null>`firstName || ' ' || lastName`.as('by')])
    .where('organisationId', '=', organisationId)
    .executeTakeFirst()
  if (found === undefined || found.doneAt === null || found.place === null) return null
  return { atUtc: found.doneAt, by: found.by, place: found.place, tables: found.tables as Camel<SyncedTable>[] }
}

const batchSize = 5_000
/** Only active users have rights. */
const activePeople = sql`JOIN portalUser ON portalUser.id = usable.userId JOIN status ON status.id = portalUser.statusId AND status.name = 'active'`
const booleanText = (column: string) => sql`CASE WHEN ${sql.ref(column)} THEN 't' ELSE 'f' END`

const rightsQueries: Readonly<Record<RightTable, (organisationId: string) => ReturnType<typeof sql>>> = {
  pairs: (id) => sql`
    SELECT json_build_array(emailAddress, area.name, subarea.name) AS row FROM usablePairs(${id}) AS usable ${activePeople}
    JOIN area ON area.id = usable.areaId JOIN subarea ON subarea.id = usable.subareaId`,
  milestones: (id) => sql`
    SELECT json_build_array(emailAddress, version.id, version.name, milestone.name, ${booleanText('usable.mayWrite')}) AS row
    FROM usableMilestones(${id}) AS usable ${activePeople}
    JOIN version ON version.id = usable.versionId JOIN milestone ON milestone.id = usable.milestoneId`,
  helperTables: (id) => sql`
    SELECT json_build_array(emailAddress, helperTable.id, helperTable.name, ${booleanText('usable.mayWrite')}) AS row
    FROM usableHelperTables(${id}) AS usable ${activePeople} JOIN helperTable ON helperTable.id = usable.helperTableId`,
  entities: (id) => sql`
    SELECT json_build_array(emailAddress, entity.name) AS row
    FROM usableEntities(${id}) AS usable ${activePeople} JOIN entity ON entity.id = usable.entityId`,
}

/** The actual names of tables in the database, by the id of their version or helper table. */
export type TableNames = ReadonlyMap<string, string>

interface TableRightsQuery {
  readonly organisationId: string
  readonly table: RightTable
  readonly names: TableNames
}

/** Replaces the record id with its table name. Drops rows of records that have no table yet. */
function withTableName({ table, names }: TableRightsQuery, row: readonly string[]): readonly (readonly string[])[] {
  if (table !== 'milestones' && table !== 'helperTables') return [row]
  const [email = '', recordId = '', ...rest] = row
  const name = names.get(recordId)
  return name === undefined ? [] : [[email, name, ...rest]]
}

/** Reads all rights in batches with a cursor, within the transaction of `db`. */
export async function* readRights(db: Db, request: TableRightsQuery): AsyncGenerator<readonly (readonly string[])[]> {
  const { organisationId, table } = request
  await sql`DECLARE rights NO SCROLL CURSOR FOR ${rightsQueries[table](organisationId)}`.execute(db)
  for (;;) {
    const { rows } = await sql<{ row: readonly string[] }>`FETCH ${sql.raw(String(batchSize))} FROM rights`.execute(db)
    if (rows.length > 0) yield rows.flatMap(({ row }) => withTableName(request, row))
    if (rows.length < batchSize) break
  }
  await sql`CLOSE rights`.execute(db)
}
