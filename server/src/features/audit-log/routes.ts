/** The audit log for people: read page by page, or taken away as a file. */
import { type AuditFilter, auditLog } from '@tributary/contract/audit-log'
import { auditLogLimits, unsearchedHeaders } from '@tributary/contract/limits'
import { may } from '@tributary/contract/capabilities'
import type { FastifyReply } from 'fastify'
import type { Actor } from '../../kernel/http/actor.ts'
import { setFileNameHeader, setTotalCountHeader } from '../../kernel/http/bind.ts'
import type { AppRoutes } from '../../app-services.ts'
import { isoTime } from '../../kernel/clock.ts'
import { csvLine, csvStart } from '../../kernel/text/csv.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { pageOf } from '../../kernel/http/paging.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { hasSearch, searchEvents, type UnsearchedEvent } from './page-of-events.ts'
import { type ExportedEvent, findKey, listEvents, listExportedEvents, readExportedEvents } from './queries.ts'
import type { EventFilter, EventRange } from './select-events.ts'

const batch = 500

export function auditLogRoutes(app: AppRoutes): void {
  const { audit, clock } = app.services

  app.bind(auditLog.list, async ({ actor, organisationId, query, reply, store }) => {
    const { page, pageSize, beforeId, ...filter } = query
    const { chain, wanted } = requireChain(actor, organisationId, filter)
    const range = { organisationId: chain, beforeId }
    const { events, total, unsearched } = await inChain(store, chain, (db) =>
      listEvents(db, range, { ...wanted, ...pageOf({ page, pageSize }) }),
    )
    setTotalCountHeader(reply, total)
    if (unsearched !== null) setUnsearchedHeaders(reply, unsearched)
    return events
  })

  app.bind(auditLog.exportCsv, async ({ actor, organisationId, auditContext, query, reply, signal, store }) => {
    const { chain, wanted } = requireChain(actor, organisationId, query)
    await inChain(store, chain, async (db) => {
      const whose = chain === null ? 'provider' : await findKey(db, chain)
      setFileNameHeader(reply, `${whose}-audit-${isoTime(clock.now()).slice(0, 10)}.csv`)
      await audit.record(db, auditContext, { organisationId: chain, action: 'data.export_downloaded', detail: wanted })
    })
    return exportEvents(store, chain, { ...wanted, signal })
  })
}

/** The search continues with `beforeId`, so that it finds this event first. */
function setUnsearchedHeaders(reply: FastifyReply, { id, at }: UnsearchedEvent): void {
  reply.header(unsearchedHeaders.continueBefore, id + 1).header(unsearchedHeaders.newestAt, at)
}

/** Whose events are asked for: an organisation's, or with null the provider's own, which only the provider may see. */
function requireChain(
  actor: Actor,
  organisationId: string,
  filter: AuditFilter,
): { readonly chain: string | null; readonly wanted: EventFilter } {
  const { orgId: _, ofProvider = false, ...wanted } = filter
  if (!ofProvider) return { chain: organisationId, wanted }
  if (!may(actor.roleLevel, 'manageOrganisations')) throw new ApiFault('notAllowed')
  return { chain: null, wanted }
}

/** Across: the provider's own chain belongs to no organisation. */
function inChain<T>(store: Store, chain: string | null, work: (db: Db) => Promise<T>): Promise<T> {
  return chain === null ? store.across(work) : store.within(chain, work)
}

/** Ends when the caller is gone. */
type ExportRequest = EventFilter & { readonly signal: AbortSignal }

async function* exportEvents(store: Store, chain: string | null, wanted: ExportRequest): AsyncGenerator<string> {
  yield csvStart + csvLine(columns.map(wireName))
  const batches = hasSearch(wanted) ? listFoundBatches(store, chain, wanted) : listBatches(store, chain, wanted)
  for await (const events of batches)
    yield events.map((event) => csvLine(columns.map((column) => cell(event[column])))).join('')
}

/** A transaction a batch: the log only grows, so what is before the newest line of the first batch stays as it is. */
async function* listBatches(
  store: Store,
  chain: string | null,
  { signal, ...wanted }: ExportRequest,
): AsyncGenerator<ExportedEvent[]> {
  let beforeId: number | undefined
  while (!signal.aborted) {
    const range: EventRange = { organisationId: chain, beforeId }
    const events = await inChain(store, chain, (db) => listExportedEvents(db, range, { ...wanted, limit: batch }))
    const last = events.at(-1)
    if (last === undefined) return
    yield events
    beforeId = last.id
  }
}

/** Searches the log part by part, so that no query reads all of a long one. */
async function* listFoundBatches(
  store: Store,
  chain: string | null,
  { signal, ...wanted }: ExportRequest,
): AsyncGenerator<ExportedEvent[]> {
  const range: EventRange = { organisationId: chain }
  let beforeId: number | undefined
  while (!signal.aborted) {
    const part = { organisationId: chain, beforeId }
    const { ids, unsearched } = await inChain(store, chain, (db) =>
      searchEvents(db, part, wanted, { limit: auditLogLimits.searchedMax, offset: 0 }),
    )
    for (let at = 0; at < ids.length; at += batch)
      yield await inChain(store, chain, (db) => readExportedEvents(db, range, ids.slice(at, at + batch)))
    if (unsearched === null) return
    beforeId = unsearched.id + 1
  }
}

const columns = [
  'atUtc',
  'action',
  'outcome',
  'actor',
  'actorRole',
  'objectType',
  'objectId',
  'address',
  'reference',
  'detail',
  'id',
] as const satisfies readonly (keyof ExportedEvent)[]

function cell(value: ExportedEvent[(typeof columns)[number]]): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function wireName(column: string): string {
  return column.charAt(0).toUpperCase() + column.slice(1)
}
