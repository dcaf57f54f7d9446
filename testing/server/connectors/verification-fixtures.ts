/** Verifications of streams, stored by the code that runs use. */
import type { RowDifference, StreamVerification } from '@tributary/engine/ports/verification'
import type { RunMode } from '../../../server/src/connections/verifications/verification-runs.ts'
import { storeVerification } from '../../../server/src/features/runs/execution/store-verification.ts'
import type { RunClaim } from '../../../server/src/features/runs/claiming/claim-run.ts'
import type { Db } from '../../../server/src/kernel/store/store.ts'

export interface VerifiedConnector {
  readonly organisationId: string
  readonly connectorId: string
}

/** A table that the connector moves, which holds rows of the source. */
export async function insertStream(db: Db, connector: VerifiedConnector, name: string): Promise<void> {
  const stream = { name, tableName: name, licence: 'Base', reads: 'since', freshAt: new Date() } as const
  await db
    .insertInto('connectorStream')
    .values({ ...connector, ...stream })
    .execute()
}

/** The result of a stream that is identical with its source, with these changes. */
export function streamVerification(stream: string, changes: Partial<StreamVerification> = {}): StreamVerification {
  return {
    stream,
    table: stream,
    outcome: 'identical',
    method: 'checksums',
    checkedAt: new Date(),
    rows: 100,
    newerRows: 0,
    streamedColumns: [],
    cursor: null,
    differenceCount: changes.differences?.length ?? 0,
    differences: [],
    notice: null,
    ...changes,
  }
}

export function rowDifference(id: string, changes: Partial<RowDifference> = {}): RowDifference {
  return {
    table: 'sale',
    key: { id },
    kind: 'different',
    columns: [{ name: 'total', source: '12.30', target: '12.3' }],
    cause: 'stampNotMoved',
    isRepaired: false,
    ...changes,
  }
}

/** Stores the results as a run does, and ends the run. Returns its id. */
export async function storeVerifications(
  db: Db,
  connector: VerifiedConnector,
  verifications: readonly StreamVerification[],
  { mode = 'verify', isContinued = false }: { readonly mode?: RunMode; readonly isContinued?: boolean } = {},
): Promise<string> {
  const run = { mode, trigger: 'schedule', status: 'RUNNING', fence: 1 } as const
  const { id: runId } = await db
    .insertInto('run')
    .values({ ...connector, ...run })
    .returning('id')
    .executeTakeFirstOrThrow()
  const claim: RunClaim = {
    ...connector,
    ...run,
    runId,
    type: 'postgres',
    connectorKey: 'shop',
    onlyStreams: null,
    readFrom: null,
    schemaPolicy: 'take',
    attempt: 1,
    worker: 'a worker of this test',
    memoryMb: 128,
    charge: 0,
  }
  for (const verification of verifications) await storeVerification(db, claim, verification, isContinued)
  await db.updateTable('run').set({ status: 'COMPLETED', completedAt: new Date() }).where('id', '=', runId).execute()
  return runId
}
