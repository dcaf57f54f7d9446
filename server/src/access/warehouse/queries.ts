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
  names: Pick<WarehouseRow, 'databaseName' | 'writerName' | 'readerName' | 'writerSecret' | 'serverId'>,
) {
  await db
    .insertInto('warehouse')
    .values({ organisationId, ...names })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return getWarehouse(db, organisationId)
}

/** @param disabledAt null: the shared reader may sign in */
export async function storeReaderState(db: Db, organisationId: string, disabledAt: string | null): Promise<void> {
  await db
    .updateTable('warehouse')
    .set({ readerDisabledAt: disabledAt })
    .where('organisationId', '=', organisationId)
    .execute()
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
  if (!readerName.endsWith('_reader')) return recordLoginLastSeen(db, { readerName, address, program }, seenAt)
  await db
    .updateTable('warehouse')
    .set({ readerSeenAt: seenAt, readerSeenAddress: address, readerSeenProgram: program })
    .where('readerName', '=', readerName)
    .execute()
}

/** A login of a person, whose principal's id ends its name. */
async function recordLoginLastSeen(
  db: Db,
  { readerName, address, program }: ReaderConnection,
  seenAt: string,
): Promise<void> {
  await db
    .updateTable('warehousePrincipal')
    .set({ seenAt, seenAddress: address, seenProgram: program })
    .where('id', '=', readerName.slice(-12))
    .where('organisationId', 'in', (eb) =>
      eb.selectFrom('warehouse').select('organisationId').where('databaseName', '=', readerName.slice(0, -15)),
    )
    .execute()
}
