/** What an assistant can ask about a connector: a failed run with an incident, a tie-out, and a change of the source's tables. */
import type { TestApp } from '../app/test-app.ts'

export interface PlantedRecords {
  readonly connectorId: string
  /** In every text that comes from the source. */
  readonly text: string
}

export async function plantRecords(app: TestApp, { connectorId, text }: PlantedRecords): Promise<void> {
  const organisationId = app.harbour.id
  const ids = { organisationId, connectorId }
  const at = new Date(app.clock.now() - 3_600_000)
  await app.store.within(organisationId, async (db) => {
    const counts = { rowsRead: 5, rowsWritten: 3, rowsUpdated: 1, rowsDeleted: 1, rowsRejected: 0 }
    const ended = { status: 'FAILED', queuedAt: at, startedAt: at, completedAt: at, notice: text } as const
    const fault = { faultKind: 'settings', faultCode: 'source.refused' } as const
    const { id: runId } = await db
      .insertInto('run')
      .values({ ...ids, ...counts, ...ended, ...fault, mode: 'incremental', trigger: 'schedule' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const table = { name: text, tableName: text }
    await db
      .insertInto('runStream')
      .values({ organisationId, runId, ordinal: 0, phase: 'failed', ...table, ...counts, notice: text })
      .execute()
    await db
      .insertInto('incident')
      .values({ ...ids, runId, kind: 'settings', notice: text })
      .execute()
    await db
      .insertInto('schemaChange')
      .values({ ...ids, runId, stream: text, tableName: text, columnName: text, after: text, status: 'PENDING' })
      .execute()
    const result = {
      state: 'amber',
      company: text,
      basis: 'documents',
      accounts: 1,
      differing: 1,
      notice: text,
    } as const
    await db
      .insertInto('tieOut')
      .values({ runId, ...ids, ...result })
      .execute()
    const line = {
      period: '2026-10-01',
      accountId: 'sales',
      name: text,
      computed: '-10.00',
      reported: '-12.00',
    } as const
    await db
      .insertInto('tieOutLine')
      .values({ ...ids, ...line, state: 'amber', notice: text })
      .execute()
  })
}

export async function findConnectorId(app: TestApp, name: string): Promise<string> {
  const { id } = await app.store.within(app.harbour.id, (db) =>
    db
      .selectFrom('connector')
      .select('id')
      .where('organisationId', '=', app.harbour.id)
      .where('originalName', '=', name)
      .executeTakeFirstOrThrow(),
  )
  return id
}
