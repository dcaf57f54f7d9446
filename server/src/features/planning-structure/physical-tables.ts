/** Versions and helper tables stand for tables in databases, and no two of an organisation for the same one. */
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { Derived } from './record-kinds.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

interface Claim extends Pick<Derived, 'sqlTable' | 'claimedBy'> {
  readonly id: string
}

/** Gives the record that table instead of the one it had; throws `tableNameTaken` where another record has it. */
export async function claimTable(db: Db, organisationId: string, { id, sqlTable, claimedBy }: Claim): Promise<void> {
  // One at a time, or two who exchange their names would wait for each other.
  await lockForTransaction(db, 'physicalTables', organisationId)
  const name = sqlTable.toLowerCase()
  const holder = await findHolder(db, organisationId, name)
  if (holder !== undefined && holder.id !== id)
    throw new ApiFault('tableNameTaken', {
      values: { table: sqlTable, name: holder.name },
      fields: { name: 'is taken' },
    })
  if (holder !== undefined) return
  await db.deleteFrom('physicalTable').where('organisationId', '=', organisationId).where(claimedBy, '=', id).execute()
  await db
    .insertInto('physicalTable')
    .values({ organisationId, name, [claimedBy]: id })
    .execute()
}

function findHolder(db: Db, organisationId: string, name: string): Promise<{ id: string; name: string } | undefined> {
  return db
    .selectFrom('physicalTable')
    .leftJoin('version', 'version.id', 'versionId')
    .leftJoin('helperTable', 'helperTable.id', 'helperTableId')
    .select((found) => [
      found.fn.coalesce('versionId', 'helperTableId').as('id'),
      found.fn.coalesce('version.name', 'helperTable.name').as('name'),
    ])
    .where('physicalTable.organisationId', '=', organisationId)
    .where('physicalTable.name', '=', name)
    .$narrowType<{ id: string; name: string }>()
    .executeTakeFirst()
}
