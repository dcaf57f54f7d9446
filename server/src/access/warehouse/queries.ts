/** The rows of the warehouse databases, one per organisation. */
import type { Db } from '../../kernel/store/store.ts'

export function findWarehouse(db: Db, organisationId: string) {
  return selectWarehouse(db, organisationId).executeTakeFirst()
}

export function getWarehouse(db: Db, organisationId: string) {
  return selectWarehouse(db, organisationId).executeTakeFirstOrThrow()
}

/** Locks the row until the transaction ends. */
export function lockWarehouse(db: Db, organisationId: string) {
  return selectWarehouse(db, organisationId).forUpdate().executeTakeFirstOrThrow()
}

function selectWarehouse(db: Db, organisationId: string) {
  return db.selectFrom('warehouse').selectAll().where('organisationId', '=', organisationId)
}

export async function storeWriterSecret(db: Db, organisationId: string, writerSecret: string): Promise<void> {
  await db.updateTable('warehouse').set({ writerSecret }).where('organisationId', '=', organisationId).execute()
}

/**
 * Inserts the names and the encrypted password unless there is a row. Returns the stored row: of concurrent calls the
 * first wins.
 */
export async function insertWarehouse(
  db: Db,
  organisationId: string,
  names: Pick<WarehouseRow, 'databaseName' | 'writerName' | 'readerName' | 'writerSecret'>,
) {
  await db
    .insertInto('warehouse')
    .values({ organisationId, ...names })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return getWarehouse(db, organisationId)
}

export type WarehouseRow = Awaited<ReturnType<typeof getWarehouse>>

export interface ReaderPassword {
  readonly setAt: string
  /** The SCRAM verifier that PostgreSQL stores. */
  readonly verifier: string
}

export async function storeReaderPassword(
  db: Db,
  organisationId: string,
  { setAt, verifier }: ReaderPassword,
): Promise<void> {
  await db
    .updateTable('warehouse')
    .set({ readerPasswordSetAt: setAt, readerVerifier: verifier })
    .where('organisationId', '=', organisationId)
    .execute()
}

/** `db` must see all organisations. */
export function findWarehousesEverywhere(db: Db, readerNames: readonly string[]) {
  return db.selectFrom('warehouse').selectAll().where('readerName', 'in', readerNames).execute()
}

export interface ReaderConnection {
  readonly readerName: string
  readonly address: string | null
  readonly program: string | null
}

/** `db` must see all organisations. Ignores logins of other installations on the same server. */
export async function recordReaderLastSeenEverywhere(
  db: Db,
  { readerName, address, program }: ReaderConnection,
  seenAt: string,
): Promise<void> {
  await db
    .updateTable('warehouse')
    .set({ readerSeenAt: seenAt, readerSeenAddress: address, readerSeenProgram: program })
    .where('readerName', '=', readerName)
    .execute()
}
