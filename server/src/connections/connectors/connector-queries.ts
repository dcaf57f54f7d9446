/** Queries about connectors and their runs that several features share. */
import { sql, type UpdateObject } from 'kysely'
import { notFound } from '../../kernel/http/api-fault.ts'
import type { StoreSchema } from '../../kernel/store/schema/schema.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { ConnectorLocation } from './connector-settings.ts'

/** Throws `notFound`. */
export async function getConnectorId(db: Db, organisationId: string, key: string): Promise<string> {
  const found = await db
    .selectFrom('connector')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow(notFound)
  return found.id
}

export type ConnectorChange = UpdateObject<StoreSchema, 'connector'>

export async function updateConnector(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  change: ConnectorChange,
): Promise<void> {
  await db
    .updateTable('connector')
    .set(change)
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .execute()
}

/**
 * Cancels unfinished runs of the organisation. One that a worker has claimed is only asked to cancel; the worker sees
 * it within a second.
 */
export function cancelRuns(
  db: Db,
  organisationId: string,
  change: { readonly notice: string; readonly cancelledBy?: string | null },
) {
  return db
    .updateTable('run')
    .set({
      ...change,
      cancelRequestedAt: sql`coalesce(cancelRequestedAt, now())`,
      status: sql`CASE status WHEN 'RUNNING' THEN status ELSE 'CANCELLED' END`,
      completedAt: sql`CASE status WHEN 'RUNNING' THEN NULL ELSE now() END`,
    })
    .where('organisationId', '=', organisationId)
    .where('status', 'in', ['QUEUED', 'RUNNING', 'WAITING'])
}

export async function getConnectorName(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<string> {
  const { name } = await db
    .selectFrom('connector')
    .select('name')
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .executeTakeFirstOrThrow()
  return name
}
