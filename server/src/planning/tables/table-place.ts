/** Remembers in which database the table of a version or helper table exists. */
import type { Db } from '../../kernel/store/store.ts'

interface WrittenTables {
  /** Versions and helper tables. */
  readonly recordIds: readonly string[]
  /** The description of the database. */
  readonly place: string
}

/** Stores that the tables of these records exist in this place. */
export async function storeTablePlace(
  db: Db,
  organisationId: string,
  { recordIds, place }: WrittenTables,
): Promise<void> {
  if (recordIds.length === 0) return
  for (const table of ['version', 'helperTable'] as const)
    await db
      .updateTable(table as 'version')
      .set({ tablePlace: place })
      .where('organisationId', '=', organisationId)
      .where('id', 'in', recordIds)
      .where('tablePlace', 'is distinct from', place)
      .execute()
}
