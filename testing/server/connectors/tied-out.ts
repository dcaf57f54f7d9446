/** Inserts the tie-out of a run, as the end of the run stores it. */
import { randomUUID } from 'node:crypto'
import type { TestApp } from '../app/test-app.ts'

interface TiedOut {
  readonly organisationId?: string
  readonly connectorId: string
  readonly state?: 'green' | 'amber' | 'red'
  readonly period?: string
}

/** Returns the id of the run, whose lines replace those of the one before. */
export function insertTieOut(
  app: TestApp,
  { organisationId = app.harbour.id, connectorId, state = 'green', period = '2026-10-01' }: TiedOut,
): Promise<string> {
  const runId = randomUUID()
  return app.store.within(organisationId, async (db) => {
    const result = {
      state,
      company: 'Quay Ltd',
      currency: 'GBP',
      basis: 'documents',
      accounts: 2,
      differing: 0,
    } as const
    const at = { organisationId, connectorId }
    await db
      .insertInto('tieOut')
      .values({ ...at, ...result, runId })
      .execute()
    await db.deleteFrom('tieOutLine').where('connectorId', '=', connectorId).execute()
    const lines = [
      { accountId: '200', code: '200', name: 'Sales', computed: '-1234567890.12', reported: '-1234567890.12', state },
      {
        accountId: '610',
        code: '610',
        name: 'Debtors “Ø”',
        computed: '1.00',
        reported: '1.00',
        state: 'green' as const,
      },
    ]
    await db
      .insertInto('tieOutLine')
      .values(lines.map((line) => ({ ...at, ...line, period })))
      .execute()
    return runId
  })
}
