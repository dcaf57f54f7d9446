/** Where tables of the warehouse come from, and how new their rows are. */
import { readOwners } from '../../access/dictionary/table-owners.ts'
import { keyOf, type TableName } from '../../access/query/table-model.ts'
import { findWarehouse } from '../../access/warehouse/queries.ts'
import { isSyncRun } from '../../connections/verifications/verification-runs.ts'
import type { Db } from '../../kernel/store/store.ts'
import { name, type ToolCall } from './tool.ts'

export interface TableOrigin {
  readonly connector: string | null
  readonly connectorId: string | null
  readonly freshAtUtc: string | null
  /** The latest completed run of the connector. */
  readonly runId: string | null
}

const unknown: TableOrigin = { connector: null, connectorId: null, freshAtUtc: null, runId: null }

/** In the order of the tables. Planning tables and views come from no connector. */
export async function originsOf(
  { services, auditContext }: ToolCall,
  tables: readonly TableName[],
): Promise<readonly TableOrigin[]> {
  const { organisationId } = auditContext
  const { names, streams } = await services.store.within(organisationId, async (db) => ({
    names: await findWarehouse(db, organisationId),
    streams: await listStreamOrigins(db, organisationId),
  }))
  if (names === undefined || tables.length === 0) return tables.map(() => unknown)
  const owners = await readOwners(services, organisationId, names)
  return tables.map((table) => {
    const owner = owners.get(keyOf(table))?.owner
    if (owner?.kind !== 'connector') return unknown
    const found = streams.find(
      ({ connectorId, stream }) => connectorId === owner.connectorId && stream === owner.stream,
    )
    if (found === undefined) return { ...unknown, connectorId: owner.connectorId }
    const { connector, connectorId, freshAt, runId } = found
    return { connector: name(connector), connectorId, freshAtUtc: freshAt, runId }
  })
}

function listStreamOrigins(db: Db, organisationId: string) {
  return db
    .selectFrom('connectorStream')
    .innerJoin('connector', 'connector.id', 'connectorStream.connectorId')
    .select(['connector.id as connectorId', 'connector.name as connector', 'connectorStream.name as stream', 'freshAt'])
    .select((select) =>
      select
        .selectFrom('run')
        .select('run.id')
        .whereRef('run.connectorId', '=', 'connector.id')
        .where('run.organisationId', '=', organisationId)
        .where('run.status', '=', 'COMPLETED')
        .where(isSyncRun)
        .orderBy('run.completedAt', 'desc')
        .limit(1)
        .as('runId'),
    )
    .where('connectorStream.organisationId', '=', organisationId)
    .execute()
}
