/** Queries of tie-outs. The store has every line of the latest one, and only the result of earlier ones. */
import type { TieOutCompany, TieOutDocument, TieOutPeriod } from '@tributary/contract/tie-out'
import type { Camel } from '@tributary/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'

const maxHistory = 200
const maxDocuments = 500

export async function findTieOut(db: Db, connector: ConnectorLocation) {
  const { organisationId, connectorId } = connector
  const latest = await db
    .selectFrom('tieOut')
    .select([
      'runId',
      'state',
      'checkedAt as checkedAtUtc',
      'notice',
      'company',
      'currency',
      'basis',
      'mended',
      'companies',
    ])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('checkedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (latest === undefined) return latest
  const companies = latest.companies as Camel<TieOutCompany>[]
  const periods = await listPeriods(db, connector)
  return { ...latest, companies, periods: periods.map((period) => assessPeriod(period, companies)) }
}

/** A month is not proven while one of the companies could not be compared. Amounts of several currencies have no sum. */
function assessPeriod(period: Camel<TieOutPeriod>, companies: readonly Camel<TieOutCompany>[]): Camel<TieOutPeriod> {
  const compared = companies.filter((company) => company.compared)
  const isPartial = compared.length < companies.length
  const currencies = new Set(compared.map(({ currency }) => currency))
  return {
    ...period,
    state: isPartial && period.state === 'green' ? 'amber' : period.state,
    difference: currencies.size > 1 ? null : period.difference,
  }
}

/** The worst state of each company in these months. A company without figures in them is not listed. */
export function listCompanyStates(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  periods: readonly string[],
) {
  return db
    .selectFrom('tieOutLine')
    .select(['company', worstState.as('state')])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('period', 'in', periods)
    .groupBy('company')
    .execute()
}

function listPeriods(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<Camel<TieOutPeriod>[]> {
  return db
    .selectFrom('tieOutLine')
    .select(['period', worstState.as('state')])
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
const worstState: RawBuilder<TieOutPeriod['State']> = sql`
  CASE WHEN bool_or(state = 'red') THEN 'red' WHEN bool_or(state = 'amber') THEN 'amber' ELSE 'green' END`

/** Lines of a period, the largest differences first, then by account code. */
export function listLines(db: Db, { organisationId, connectorId }: ConnectorLocation, period: string) {
  return db
    .selectFrom('tieOutLine')
    .select(['company', 'period', 'accountId', 'code', 'name', 'computed', 'reported', 'state', 'notice'])
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
    .orderBy('company')
    .execute()
}

/** The latest documents of an account. Empty if the account agrees, because its documents are not stored. */
export async function listDocuments(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  { period, accountId, company }: { readonly period: string; readonly accountId: string; readonly company: string },
) {
  const line = await db
    .selectFrom('tieOutLine')
    .select('documents')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('period', '=', period)
    .where('accountId', '=', accountId)
    .where('company', '=', company)
    .executeTakeFirst()
  const documents = (line?.documents ?? []) as Camel<TieOutDocument>[]
  return documents.toSorted((one, other) => other.date.localeCompare(one.date)).slice(0, maxDocuments)
}

export function listHistory(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return db
    .selectFrom('tieOut')
    .select(['runId', 'state', 'checkedAt as checkedAtUtc', 'differing', 'notice'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('checkedAt', 'desc')
    .limit(maxHistory)
    .execute()
}
