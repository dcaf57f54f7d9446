/** After a rotation of data keys: encrypts values again with the current key, in small batches. */
import type { KernelServices } from '../../kernel/kernel-services.ts'
import { sql } from 'kysely'
import { SecretUnreadable } from '../../kernel/store/secret-unreadable.ts'
import { reEncryptProperty } from '../secrets/sealed-properties.ts'
import { openSecrets, type Secrets } from '../secrets/secrets.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { encryptedColumns, type EncryptedColumn } from './encrypted-columns.ts'

export type ReEncryptionServices = Pick<KernelServices, 'clock' | 'log' | 'masters' | 'store'>

/** One transaction per batch: row locks are short, and a killed process loses no completed batch. */
const batch = 50

/** Resumes an interrupted rotation. Logs unreadable values and leaves them unchanged. Returns the number of values encrypted again. */
export async function reEncryptAll(services: ReEncryptionServices): Promise<number> {
  const secrets = openSecretsWithoutRedaction(services)
  let count = 0
  for (const column of encryptedColumns)
    count += await inBatches(services, (db, after) => reEncryptColumn(db, secrets, column, after))
  return count + (await inBatches(services, (db, after) => reEncryptProperties(db, secrets, after)))
}

/** Without redaction in the log, because this many secrets would slow down every log line. */
function openSecretsWithoutRedaction({ clock, log, masters }: ReEncryptionServices): Secrets {
  return openSecrets({
    masters,
    clock,
    conceal: () => undefined,
    report: (error, { organisationId }) => log.error('a stored secret cannot be read', { organisationId, error }),
  })
}

interface ReEncryptedBatch {
  /** Null: this was the last batch. */
  readonly last: string | null
  readonly count: number
}

async function inBatches(
  { store }: { readonly store: Store },
  resealSome: (db: Db, after: string) => Promise<ReEncryptedBatch>,
): Promise<number> {
  let count = 0
  for (let after: string | null = ''; after !== null;) {
    const from: string = after
    // Across: the values of all organisations.
    const done = await store.across((db) => resealSome(db, from))
    count += done.count
    after = done.last
  }
  return count
}

interface EncryptedRow {
  readonly row: string
  readonly organisation: string | null
  readonly sealed: string
}

async function reEncryptColumn(
  db: Db,
  secrets: Secrets,
  { table, column, row, belongsToOrganisation: ofOrganisation }: EncryptedColumn,
  after: string,
): Promise<ReEncryptedBatch> {
  const { rows } = await sql<EncryptedRow>`
    select ${sql.ref(row)}::text as row, ${ofOrganisation ? sql.ref('organisationId') : sql`null`} as organisation, ${sql.ref(column)} as sealed
    from ${sql.table(table)}
    where ${encryptedWithFormerKey(column)} and ${sql.ref(row)}::text > ${after}
    order by 1 limit ${batch} for update`.execute(db)
  const count = await countReadable(rows, async ({ row: id, organisation, sealed }) => {
    const place = { organisationId: organisation, table, column, row: id }
    const encrypted = await secrets.encrypt(db, place, await secrets.decrypt(db, place, sealed))
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${encrypted} where ${sql.ref(row)} = ${id}::uuid`.execute(
      db,
    )
  })
  return { last: lastOf(rows.map(({ row: id }) => id)), count }
}

async function reEncryptProperties(db: Db, secrets: Secrets, after: string): Promise<ReEncryptedBatch> {
  const { rows } = await sql<{ id: string; organisation: string; connector: string; name: string; value: unknown }>`
    select connectorId || '/' || name as id, organisationId as organisation, connectorId as connector, name, value
    from connectorProperty
    where ${encryptedWithFormerKey('value')} and connectorId || '/' || name > ${after}
    order by 1 limit ${batch} for update`.execute(db)
  const count = await countReadable(rows, async ({ organisation, connector, name, value }) => {
    const property = { organisationId: organisation, connectorId: connector, name }
    const resealed = await reEncryptProperty(db, secrets, property, value)
    await db
      .updateTable('connectorProperty')
      .set({ value: JSON.stringify(resealed) })
      .where('organisationId', '=', organisation)
      .where('connectorId', '=', connector)
      .where('name', '=', name)
      .execute()
  })
  return { last: lastOf(rows.map(({ id }) => id)), count }
}

/** SQL condition: the column's value was encrypted with a former key. */
function encryptedWithFormerKey(column: string) {
  return sql<boolean>`exists (
    select from regexp_matches(${sql.ref(column)}::text, ${String.raw`\mtrb1\.([0-9a-f-]{36})\.`}, 'g') as found
    join dataKey on dataKey.id = found[1]::uuid and dataKey.retiredAt is not null)`
}

async function countReadable<Row>(rows: readonly Row[], reseal: (row: Row) => Promise<void>): Promise<number> {
  let count = 0
  for (const row of rows) {
    try {
      await reseal(row)
      count += 1
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error
    }
  }
  return count
}

function lastOf(ids: readonly string[]): string | null {
  return ids.length < batch ? null : (ids.at(-1) ?? null)
}
