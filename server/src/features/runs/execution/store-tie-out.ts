/**
 * Stores the comparison of the target with the source's own report: the result of every run, the lines of the latest
 * only.
 */
import type { TieOutResultLine, TieOutResult } from '@tributary/engine/ports/tie-out'
import type { Db } from '../../../kernel/store/store.ts'
import type { RunClaim } from '../claiming/claim-run.ts'

/** Rows for each statement: PostgreSQL limits the number of parameters. */
const insertBatchSize = 2_000

/**
 * The caller holds the connector's lock. The timestamp is the store's clock, because it is compared with other stored
 * times.
 */
export async function storeTieOut(
  db: Db,
  { organisationId, connectorId, runId }: RunClaim,
  result: TieOutResult,
): Promise<void> {
  const { state, notice, company, currency, basis, mended, lines, companies = [] } = result
  const figures = {
    accounts: new Set(lines.map(accountOf)).size,
    differing: countDifferingAccounts(lines),
  }
  const row = {
    organisationId,
    connectorId,
    state,
    notice,
    company,
    currency,
    basis,
    mended: [...mended],
    ...figures,
    companies: JSON.stringify(companies),
  }
  await db
    .insertInto('tieOut')
    .values({ runId, ...row })
    .onConflict((conflict) => conflict.column('runId').doUpdateSet(row))
    .execute()
  await db
    .deleteFrom('tieOutLine')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .execute()
  for (let at = 0; at < lines.length; at += insertBatchSize) {
    const rows = lines
      .slice(at, at + insertBatchSize)
      .map((line) => ({ organisationId, connectorId, ...lineRow(line) }))
    await db.insertInto('tieOutLine').values(rows).execute()
  }
}

function accountOf({ company = '', accountId }: TieOutResultLine): string {
  return `${company} ${accountId}`
}

function countDifferingAccounts(lines: readonly TieOutResultLine[]): number {
  return new Set(lines.filter(({ difference }) => /[1-9]/u.test(difference)).map(accountOf)).size
}

/** Omits the difference: the store derives it from the other two amounts. */
function lineRow({
  company = '',
  period,
  accountId,
  code,
  name,
  computed,
  reported,
  state,
  notice,
  documents,
}: TieOutResultLine) {
  return {
    company,
    period,
    accountId,
    code,
    name,
    computed,
    reported,
    state,
    notice,
    documents: JSON.stringify(documents),
  }
}
