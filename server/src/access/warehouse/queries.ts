/** Which database an organisation's warehouse is. */
import type { Db } from '../../kernel/store/store.ts'

export function findWarehouse(db: Db, organisationId: string) {
  return selectWarehouse(db, organisationId).executeTakeFirst()
}

export function getWarehouse(db: Db, organisationId: string) {
  return selectWarehouse(db, organisationId).executeTakeFirstOrThrow()
}

/** Held until the transaction ends. */
export function lockWarehouse(db: Db, organisationId: string) {
  return selectWarehouse(db, organisationId).forUpdate().executeTakeFirstOrThrow()
}

function selectWarehouse(db: Db, organisationId: string) {
  return db.selectFrom('warehouse').selectAll().where('organisationId', '=', organisationId)
}

export async function keepWriterSecret(db: Db, organisationId: string, writerSecret: string): Promise<void> {
  await db.updateTable('warehouse').set({ writerSecret }).where('organisationId', '=', organisationId).execute()
}

/** The names and the sealed password are chosen once; of two who choose at the same moment, the first is believed. */
export async function nameWarehouse(
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
  /** As PostgreSQL stores it. */
  readonly verifier: string
}

export async function rememberPassword(
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

/** `db` is a transaction across. */
export function findReadersEverywhere(db: Db, readerNames: readonly string[]) {
  return db.selectFrom('warehouse').selectAll().where('readerName', 'in', readerNames).execute()
}

export interface ReaderConnection {
  readonly readerName: string
  readonly address: string | null
  readonly program: string | null
}

/** `db` is a transaction across. A login of another installation on the same server is not known here. */
export async function rememberReaderEverywhere(
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
