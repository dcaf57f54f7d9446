/** Tie-outs as the store has them: of the latest one every line, of earlier ones what they came to. */
import type { TieOutDocument, TieOutPeriod } from '@tributary/contract/tie-out'
import type { Camel } from '@tributary/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'

const historyShown = 200
const documentsShown = 500

export async function findTieOut(db: Db, organisationId: string, connectorId: string) {
  const latest = await db
    .selectFrom('tieOut')
    .select(['runId', 'state', 'checkedAt as checkedAtUtc', 'notice', 'company', 'currency', 'basis', 'mended'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('checkedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest && { ...latest, periods: await listPeriods(db, organisationId, connectorId) }
}

function listPeriods(db: Db, organisationId: string, connectorId: string): Promise<Camel<TieOutPeriod>[]> {
  return db
    .selectFrom('tieOutLine')
    .select(['period', worst.as('state')])
    .select(({ fn }) => [
      fn.countAll<number>().as('accounts'),
      fn.countAll<number>().filterWhere(differs).as('differing'),
      sql<string>`sum(abs(computed - reported))::text`.as('difference'),
    ])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .groupBy('period')
    .orderBy('period', 'desc')
    .execute()
}

const differs = sql<boolean>`computed <> reported`
const worst: RawBuilder<TieOutPeriod['State']> = sql`
  CASE WHEN bool_or(state = 'red') THEN 'red' WHEN bool_or(state = 'amber') THEN 'amber' ELSE 'green' END`

/** The largest differences first; what is equal by its code. */
export function listLines(db: Db, organisationId: string, connectorId: string, period: string) {
  return db
    .selectFrom('tieOutLine')
    .select(['period', 'accountId', 'code', 'name', 'computed', 'reported', 'state', 'notice'])
    .select([
      sql<string>`(computed - reported)::text`.as('difference'),
      sql<number>`jsonb_array_length(documents)`.as('documents'),
    ])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('period', '=', period)
    .orderBy(sql`abs(computed - reported)`, 'desc')
    .orderBy('code', (by) => by.collate('naturalOrder').nullsLast())
    .orderBy('name')
    .execute()
}

interface Account {
  readonly period: string
  readonly accountId: string
}

/** Empty where the account is equal, for then they are not kept. */
export async function listDocuments(
  db: Db,
  organisationId: string,
  connectorId: string,
  { period, accountId }: Account,
) {
  const line = await db
    .selectFrom('tieOutLine')
    .select('documents')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('period', '=', period)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  const documents = (line?.documents ?? []) as Camel<TieOutDocument>[]
  return documents.toSorted((one, other) => other.date.localeCompare(one.date)).slice(0, documentsShown)
}

export function listHistory(db: Db, organisationId: string, connectorId: string) {
  return db
    .selectFrom('tieOut')
    .select(['runId', 'state', 'checkedAt as checkedAtUtc', 'differing', 'notice'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('checkedAt', 'desc')
    .limit(historyShown)
    .execute()
}
