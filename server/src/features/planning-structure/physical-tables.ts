/** Reserves the names of the database tables of versions and helper tables. A table name is unique in an organisation. */
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { DerivedNames } from './record-kinds.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

interface TableClaim extends Pick<DerivedNames, 'sqlTable' | 'claimedBy'> {
  readonly id: string
}

/** Claims the table for the record, and releases its former one. Throws `tableNameTaken` if another record has it. */
export async function claimTable(
  db: Db,
  organisationId: string,
  { id, sqlTable, claimedBy }: TableClaim,
): Promise<void> {
  // Serialise claims, because two records that exchange their names would deadlock.
  await lockForTransaction(db, 'physicalTables', organisationId)
  const name = sqlTable.toLowerCase()
  const claimant = await findClaimant(db, organisationId, name)
  if (claimant !== undefined && claimant.id !== id)
    throw new ApiFault('tableNameTaken', {
      values: { table: sqlTable, name: claimant.name },
      fields: { name: 'is taken' },
    })
  if (claimant !== undefined) return
  await db.deleteFrom('physicalTable').where('organisationId', '=', organisationId).where(claimedBy, '=', id).execute()
  await db
    .insertInto('physicalTable')
    .values({ organisationId, name, [claimedBy]: id })
    .execute()
}

function findClaimant(db: Db, organisationId: string, name: string): Promise<{ id: string; name: string } | undefined> {
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
