import type { SyncedTable } from '@tributary/contract/table-sync'
import type { Camel } from '@tributary/contract/wire'
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { RightTable } from '../../planning/tables/planned-tables.ts'

/** What stands for a table: archived ones keep theirs, but nothing is made for them. */
export async function listPlanned(db: Db, organisationId: string) {
  const shown = <Table extends 'version' | 'helperTable'>(table: Table) =>
    db
      .selectFrom(`${table as 'helperTable'} as record`)
      .innerJoin('status', 'status.id', 'record.statusId')
      .where('organisationId', '=', organisationId)
      .where('status.name', '<>', 'archived')
      .orderBy('record.name', (by) => by.collate('naturalOrder'))
      .orderBy('record.id')
  return {
    versions: await shown('version').select(['record.id', 'record.name']).execute(),
    helperTables: await shown('helperTable').select(['record.id', 'record.inputTableName']).execute(),
  }
}

export async function keepOutcome(
  db: Db,
  organisationId: string,
  done: { readonly by: string | null; readonly place: string; readonly tables: readonly Camel<SyncedTable>[] },
): Promise<void> {
  await db
    .updateTable('tableSync')
    .set({ doneAt: sql`now()`, doneBy: done.by, place: done.place, tables: JSON.stringify(done.tables) })
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

const fetched = 5_000
/** Only who can sign in sees anything. */
const people = sql`JOIN portalUser ON portalUser.id = usable.userId JOIN status ON status.id = portalUser.statusId AND status.name = 'active'`
const truth = (column: string) => sql`CASE WHEN ${sql.ref(column)} THEN 't' ELSE 'f' END`

const statements: Readonly<Record<RightTable, (organisationId: string) => ReturnType<typeof sql>>> = {
  pairs: (id) => sql`
    SELECT json_build_array(emailAddress, area.name, subarea.name) AS row FROM usablePairs(${id}) AS usable ${people}
    JOIN area ON area.id = usable.areaId JOIN subarea ON subarea.id = usable.subareaId`,
  milestones: (id) => sql`
    SELECT json_build_array(emailAddress, version.id, version.name, milestone.name, ${truth('usable.mayWrite')}) AS row
    FROM usableMilestones(${id}) AS usable ${people}
    JOIN version ON version.id = usable.versionId JOIN milestone ON milestone.id = usable.milestoneId`,
  helperTables: (id) => sql`
    SELECT json_build_array(emailAddress, helperTable.id, helperTable.name, ${truth('usable.mayWrite')}) AS row
    FROM usableHelperTables(${id}) AS usable ${people} JOIN helperTable ON helperTable.id = usable.helperTableId`,
  entities: (id) => sql`
    SELECT json_build_array(emailAddress, entity.name) AS row
    FROM usableEntities(${id}) AS usable ${people} JOIN entity ON entity.id = usable.entityId`,
}

/** What the tables of versions and helper tables are really called, by the id of their record. */
export type TableNames = ReadonlyMap<string, string>

interface TableRightsQuery {
  readonly organisationId: string
  readonly table: RightTable
  readonly names: TableNames
}

/** A record that came after its tables were made has none yet, so there is nothing to have a right to. */
function named({ table, names }: TableRightsQuery, row: readonly string[]): readonly (readonly string[])[] {
  if (table !== 'milestones' && table !== 'helperTables') return [row]
  const [email = '', recordId = '', ...rest] = row
  const name = names.get(recordId)
  return name === undefined ? [] : [[email, name, ...rest]]
}

/** Batch after batch, whatever their number; within the transaction of `db`. */
export async function* readRights(db: Db, reading: TableRightsQuery): AsyncGenerator<readonly (readonly string[])[]> {
  const { organisationId, table } = reading
  await sql`DECLARE rights NO SCROLL CURSOR FOR ${statements[table](organisationId)}`.execute(db)
  for (;;) {
    const { rows } = await sql<{ row: readonly string[] }>`FETCH ${sql.raw(String(fetched))} FROM rights`.execute(db)
    if (rows.length > 0) yield rows.flatMap(({ row }) => named(reading, row))
    if (rows.length < fetched) break
  }
  await sql`CLOSE rights`.execute(db)
}
