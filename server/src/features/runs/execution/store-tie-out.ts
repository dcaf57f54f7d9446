/** Keeps what comparing the target with the source's own report came to: of every run the result, of the latest one each line. */
import type { TieOutResultLine, TieOutResult } from '@tributary/engine/ports/tie-out'
import type { Db } from '../../../kernel/store/store.ts'
import type { Claim } from './claim-run.ts'

/** As many at once as one statement has room for. */
const linesAtOnce = 2_000

/** Under the lock of the connector. The time is the store's, as that of everything which is compared with it. */
export async function keepTieOut(
  db: Db,
  { organisationId, connectorId, runId }: Claim,
  result: TieOutResult,
): Promise<void> {
  const { state, notice, company, currency, basis, mended, lines } = result
  const figures = { accounts: new Set(lines.map(({ accountId }) => accountId)).size, differing: differing(lines) }
  const row = { organisationId, connectorId, state, notice, company, currency, basis, mended: [...mended], ...figures }
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
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    const rows = lines.slice(at, at + linesAtOnce).map((line) => ({ organisationId, connectorId, ...lineRow(line) }))
    await db.insertInto('tieOutLine').values(rows).execute()
  }
}

function differing(lines: readonly TieOutResultLine[]): number {
  return new Set(lines.filter(({ difference }) => /[1-9]/u.test(difference)).map(({ accountId }) => accountId)).size
}

/** The difference is the other two's. */
function lineRow({ period, accountId, code, name, computed, reported, state, notice, documents }: TieOutResultLine) {
  return { period, accountId, code, name, computed, reported, state, notice, documents: JSON.stringify(documents) }
}
