/** After a change of data keys: what a former one sealed is sealed with the current one, a few rows at a time. */
import { sql } from 'kysely'
import type { MasterKeyRing } from '../../kernel/config/master-keys.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Clock } from '../../kernel/clock.ts'
import { SecretUnreadable } from '../../kernel/store/secret-unreadable.ts'
import { resealProperty } from '../secrets/sealed-properties.ts'
import { openSecrets, type Secrets } from '../secrets/secrets.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { sealedColumns, type SealedColumn } from './encrypted-columns.ts'

export interface ReEncryptionServices {
  readonly clock: Clock
  readonly log: Log
  readonly masters: MasterKeyRing
  readonly store: Store
}

/** A transaction each: nobody waits long for a row, and whoever is killed in between has lost none of the work. */
const batch = 50

/** Goes on where another left off. What cannot be read stays as it is, and is told to the log. Answers how many were sealed anew. */
export async function resealAll(services: ReEncryptionServices): Promise<number> {
  const secrets = quietSecrets(services)
  let count = 0
  for (const column of sealedColumns)
    count += await inBatches(services, (db, after) => resealColumn(db, secrets, column, after))
  return count + (await inBatches(services, (db, after) => resealProperties(db, secrets, after)))
}

/** So many at once would only make every line of the log slower. */
function quietSecrets({ clock, log, masters }: ReEncryptionServices): Secrets {
  return openSecrets({
    masters,
    clock,
    conceal: () => undefined,
    report: (error, { organisationId }) => log.error('a stored secret cannot be read', { organisationId, error }),
  })
}

interface Batch {
  /** Null: there is nothing after it. */
  readonly last: string | null
  readonly count: number
}

async function inBatches(
  { store }: { readonly store: Store },
  resealSome: (db: Db, after: string) => Promise<Batch>,
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

interface SealedRow {
  readonly row: string
  readonly organisation: string | null
  readonly sealed: string
}

async function resealColumn(
  db: Db,
  secrets: Secrets,
  { table, column, row, ofOrganisation }: SealedColumn,
  after: string,
): Promise<Batch> {
  const { rows } = await sql<SealedRow>`
    select ${sql.ref(row)}::text as row, ${ofOrganisation ? sql.ref('organisationId') : sql`null`} as organisation, ${sql.ref(column)} as sealed
    from ${sql.table(table)}
    where ${sealedWithFormer(column)} and ${sql.ref(row)}::text > ${after}
    order by 1 limit ${batch} for update`.execute(db)
  const count = await countReadable(rows, async ({ row: id, organisation, sealed }) => {
    const place = { organisationId: organisation, table, column, row: id }
    const anew = await secrets.seal(db, place, await secrets.open(db, place, sealed))
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${anew} where ${sql.ref(row)} = ${id}::uuid`.execute(
      db,
    )
  })
  return { last: lastOf(rows.map(({ row: id }) => id)), count }
}

async function resealProperties(db: Db, secrets: Secrets, after: string): Promise<Batch> {
  const { rows } = await sql<{ id: string; organisation: string; connector: string; name: string; value: unknown }>`
    select connectorId || '/' || name as id, organisationId as organisation, connectorId as connector, name, value
    from connectorProperty
    where ${sealedWithFormer('value')} and connectorId || '/' || name > ${after}
    order by 1 limit ${batch} for update`.execute(db)
  const count = await countReadable(rows, async ({ organisation, connector, name, value }) => {
    const property = { organisationId: organisation, connectorId: connector, name }
    const resealed = await resealProperty(db, secrets, property, value)
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

/** Whether the column holds a value of a key that seals no more. */
function sealedWithFormer(column: string) {
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
