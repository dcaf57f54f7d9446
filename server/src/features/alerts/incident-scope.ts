/** Which connectors a poll for incidents checks. In stores with many connectors, a poll checks a slice of all in turn. */
import { type RawBuilder, sql } from 'kysely'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import type { Db } from '../../kernel/store/store.ts'

/**
 * One connector; all; those whose state may have changed in the last minutes; or the slice of all whose ids lie between two ids.
 */
export type IncidentScope = ConnectorLocation | 'all' | 'changed' | { readonly fromId: string; readonly toId: string }

/** Longer than a transaction that ends a run may take. What a longer pause of the worker misses, the check of its slice finds. */
const changedMinutes = 10
/** Connectors of a slice, about. */
const sliceSize = 5_000
const slicesMax = 256

/** Conditions on the ids of connectors. A store with a slice's connectors or fewer has one for all. */
export async function listSlices(db: Db): Promise<readonly IncidentScope[]> {
  const { rows } = await sql<{ connectors: number }>`
    SELECT reltuples::float8 AS connectors FROM pg_class WHERE oid = 'connector'::regclass`.execute(db)
  const slices = Math.min(slicesMax, Math.ceil((rows[0]?.connectors ?? 0) / sliceSize))
  if (slices <= 1) return ['all']
  const width = slicesMax / slices
  return Array.from({ length: slices }, (_, place) => ({
    fromId: idWith(Math.floor(place * width), '0'),
    toId: idWith(Math.floor((place + 1) * width) - 1, 'f'),
  }))
}

/** Ids are random, so their first byte divides the connectors evenly. */
function idWith(firstByte: number, digit: string): string {
  const rest = digit.repeat(30)
  return `${firstByte.toString(16).padStart(2, '0')}${rest}`.replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-')
}

/** A condition on the table `connector`. */
export function isInScope(scope: IncidentScope): RawBuilder<boolean> {
  if (scope === 'all') return sql`true`
  if (scope === 'changed') return sql`connector.id IN (${changedConnectors})`
  if ('fromId' in scope) return sql`connector.id BETWEEN ${scope.fromId} AND ${scope.toId}`
  return sql`(connector.organisationId = ${scope.organisationId} AND connector.id = ${scope.connectorId})`
}

/** Each part reads an index that holds little else. */
const changedConnectors = sql`
  SELECT connectorId FROM run WHERE status = 'FAILED' AND completedAt > now() - ${sql.lit(changedMinutes)} * interval '1 minute'
  UNION SELECT connectorId FROM run WHERE (status IN ('QUEUED', 'RUNNING', 'WAITING')) IS TRUE
    AND (queuedAt < now() - ${sql.lit(changedMinutes)} * interval '1 minute')
  UNION SELECT connectorId FROM run WHERE status = 'WAITING' AND faultKind IN ('settings', 'signIn')
  UNION SELECT id FROM connector WHERE targetDownSince IS NOT NULL`
