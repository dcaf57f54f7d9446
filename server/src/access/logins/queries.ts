/** The rows of principals: people who read the warehouse with roles of their own. */
import type { Selectable } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { WarehouseSchema } from '../../kernel/store/schema/warehouse.ts'

export type PrincipalRow = Selectable<WarehouseSchema['warehousePrincipal']>

export function listPrincipals(db: Db, organisationId: string): Promise<PrincipalRow[]> {
  return selectPrincipals(db, organisationId).orderBy('id').execute()
}

export function findPrincipal(db: Db, organisationId: string, userId: string): Promise<PrincipalRow | undefined> {
  return selectPrincipals(db, organisationId).where('userId', '=', userId).executeTakeFirst()
}

/** Until the transaction ends. The person must have one. */
export function lockPrincipal(db: Db, organisationId: string, userId: string): Promise<PrincipalRow> {
  return selectPrincipals(db, organisationId).where('userId', '=', userId).forNoKeyUpdate().executeTakeFirstOrThrow()
}

function selectPrincipals(db: Db, organisationId: string) {
  return db.selectFrom('warehousePrincipal').selectAll().where('organisationId', '=', organisationId)
}

/** Inserts the row unless the person has one. Returns the stored row: of concurrent calls the first wins. */
export async function insertPrincipal(
  db: Db,
  organisationId: string,
  row: Pick<PrincipalRow, 'id' | 'userId' | 'portalSecret' | 'portalVerifier'>,
): Promise<PrincipalRow> {
  await db
    .insertInto('warehousePrincipal')
    .values({ organisationId, ...row })
    .onConflict((conflict) => conflict.columns(['organisationId', 'userId']).doNothing())
    .execute()
  return selectPrincipals(db, organisationId).where('userId', '=', row.userId).executeTakeFirstOrThrow()
}

export async function storePortalPassword(
  db: Db,
  organisationId: string,
  { id, portalSecret, portalVerifier }: Pick<PrincipalRow, 'id' | 'portalSecret' | 'portalVerifier'>,
): Promise<void> {
  await db
    .updateTable('warehousePrincipal')
    .set({ portalSecret, portalVerifier })
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .execute()
}

export async function storeAssistantPassword(
  db: Db,
  organisationId: string,
  { id, ...password }: Pick<PrincipalRow, 'id' | 'assistantSecret' | 'assistantVerifier'>,
): Promise<void> {
  await db
    .updateTable('warehousePrincipal')
    .set(password)
    .where('organisationId', '=', organisationId)
    .where('id', '=', id)
    .execute()
}

/** Null removes the SQL login, together with its last use. */
export async function storeSqlLogin(
  db: Db,
  organisationId: string,
  userId: string,
  login: { readonly verifier: string; readonly createdAt: string } | null,
): Promise<void> {
  await db
    .updateTable('warehousePrincipal')
    .set({ sqlVerifier: login?.verifier ?? null, sqlCreatedAt: login?.createdAt ?? null })
    .$if(login === null, (query) => query.set({ seenAt: null, seenAddress: null, seenProgram: null }))
    .where('organisationId', '=', organisationId)
    .where('userId', '=', userId)
    .execute()
}

export async function deletePrincipals(db: Db, organisationId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .deleteFrom('warehousePrincipal')
    .where('organisationId', '=', organisationId)
    .where('id', 'in', ids)
    .execute()
}

/** The writer of the organisation's own tables, in the system tables of its schema. Undefined: it has none. */
export async function findTableWriter(db: Db, organisationId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('tableSync')
    .select('writerId')
    .where('organisationId', '=', organisationId)
    .executeTakeFirst()
  return found?.writerId
}

export async function listPlannedRecordIds(db: Db, organisationId: string) {
  const list = async (table: 'version' | 'helperTable') =>
    new Set(
      (
        await db
          .selectFrom(table as 'version')
          .select('id')
          .where('organisationId', '=', organisationId)
          .execute()
      ).map(({ id }) => id),
    )
  return { versionIds: await list('version'), helperTableIds: await list('helperTable') }
}
