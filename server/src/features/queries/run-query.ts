/** Runs a query for a person, and adds it to their history. */
import { queryLimits } from '@tributary/contract/limits'
import type { QueryFailure, QueryOutcome, QueryRun } from '@tributary/contract/queries'
import type { Camel } from '@tributary/contract/wire'
import { runPostgresQuery } from '@tributary/engine/databases/postgres/queries/run-query'
import { type QueryLimits, QueryRefused, type QueryResult } from '@tributary/engine/ports/query'
import { withPersonConnection } from '../../access/query/person-connection.ts'
import { takeQuerySlot } from '../../access/query/query-slots.ts'
import type { AppServices } from '../../app-services.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { warehouseId } from './database-ids.ts'
import { addToHistory } from './queries.ts'
import { queryTarget } from './reading-login.ts'

type RunQueryServices = Pick<
  AppServices,
  'audit' | 'clock' | 'log' | 'network' | 'rateLimiters' | 'secrets' | 'store' | 'throttle' | 'warehouse'
>

interface QueryRequest {
  readonly auditContext: CallerContext
  readonly database: string
  readonly statement: string
  /** Aborts when the caller goes away, which cancels the query in the database. */
  readonly signal: AbortSignal
}

const limits: QueryLimits = { rows: queryLimits.rowsMax, bytes: queryLimits.bytesMax, timeMs: queryLimits.timeMs }
const nothing: QueryResult = { columns: [], rows: [], reached: null }

/** A statement that the database refuses is a result. Throws faults of the connection. */
export async function runQuery(services: RunQueryServices, request: QueryRequest): Promise<Camel<QueryOutcome>> {
  const { organisationId, actor } = request.auditContext
  const release = takeQuerySlot(`${organisationId} ${actor.userId}`)
  try {
    return await runAndRemember(services, request)
  } finally {
    release()
  }
}

async function runAndRemember(services: RunQueryServices, request: QueryRequest): Promise<Camel<QueryOutcome>> {
  const { organisationId, actor } = request.auditContext
  const startedAt = isoTime(services.clock.now())
  const beganMs = performance.now()
  const finish = async (outcome: QueryRun['Outcome'], { rows }: QueryResult): Promise<number> => {
    const durationMs = Math.round(performance.now() - beganMs)
    await services.store.within(organisationId, (db) =>
      addToHistory(db, organisationId, {
        userId: actor.userId,
        connectorId: request.database === warehouseId ? null : request.database,
        statement: request.statement,
        startedAt,
        durationMs,
        rows: rows.length,
        outcome,
      }),
    )
    return durationMs
  }
  try {
    const result = await execute(services, request)
    request.signal.throwIfAborted()
    const durationMs = await finish(result.reached === null ? 'completed' : 'limited', result)
    return { ...toReply(result), durationMs, failure: null }
  } catch (error) {
    const refusal = request.signal.aborted ? new QueryRefused('The query was cancelled.') : error
    if (!(refusal instanceof QueryRefused)) throw refusal
    const durationMs = await finish(request.signal.aborted ? 'cancelled' : 'refused', nothing)
    return { ...toReply(nothing), durationMs, failure: toFailure(refusal) }
  }
}

async function execute(services: RunQueryServices, request: QueryRequest): Promise<QueryResult> {
  const { auditContext, database, statement, signal } = request
  if (database !== warehouseId)
    return queryTarget(services, { auditContext, connectorId: database, signal }, statement, limits)
  const { organisationId, actor } = auditContext
  return withPersonConnection(services, { organisationId, actor, signal }, (client) =>
    runPostgresQuery(client, statement, limits),
  )
}

function toReply({ columns, rows, reached }: QueryResult) {
  return { columns: [...columns], rows: rows.map((row) => [...row]), reached }
}

function toFailure({ message, hint, position, code }: QueryRefused): Camel<QueryFailure> {
  return { message, hint: hint ?? null, position: position ?? null, code: code ?? null }
}
