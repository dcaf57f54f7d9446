/** A run that a person starts: whether they may have it so, and whether it can be done. */
import { may } from '@tributary/contract/capabilities'
import type { AuditContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { requireVisible } from '../../connections/connectors/connector-access.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import { type ManualStart, startForPerson, type StartRunServices } from '../../connections/connectors/start-run.ts'
import type { Db } from '../../kernel/store/store.ts'
import { knownStreams } from './queries.ts'

type StartManuallyServices = Pick<AppServices, 'clock'> & StartRunServices

interface StartRequest extends ManualStart {
  readonly auditContext: AuditContext<string, Actor>
  readonly wish: Wish
}

/** What is to be moved: everything or some streams, what has changed or all of it, since the last time or since a moment. */
interface Wish {
  readonly fullTransactionSync: boolean
  readonly streams?: readonly string[] | undefined
  /** ISO 8601 */
  readonly from?: string | undefined
}

export async function startManually(
  db: Db,
  services: StartManuallyServices,
  { wish, auditContext, connectorId }: StartRequest,
) {
  const { organisationId, actor } = auditContext
  await requireVisible(db, organisationId, actor, connectorId)
  requireRight(actor, wish)
  const readFrom = requirePast(wish.from, services.clock.now())
  if (wish.streams !== undefined) await requireKnown(db, organisationId, connectorId, wish.streams)
  const mode = wish.fullTransactionSync ? 'full' : 'incremental'
  const start = { auditContext, connectorId }
  const runId = await startForPerson(db, services, start, { mode, onlyStreams: wish.streams, readFrom })
  return { statusCode: 202, message: 'The run has started.', runId }
}

/** To read everything again is the provider's; some tables, or a stretch of time, an administrator may. */
function requireRight(actor: Actor, { fullTransactionSync, streams, from }: Wish): void {
  const isReload = streams !== undefined || from !== undefined
  if (isReload && !may(actor.roleLevel, 'reloadTables')) throw new ApiFault('notAllowed')
  if (fullTransactionSync && streams === undefined && !may(actor.roleLevel, 'chooseRunMode'))
    throw new ApiFault('notAllowed')
}

/** No source knows an older moment, and not every database has one. */
const earliest = new Date(0)

function requirePast(from: string | undefined, now: number): Date | undefined {
  if (from === undefined) return undefined
  const moment = new Date(from)
  if (moment < earliest) throw badField('from', 'is before 1970; choose a later moment, or load the tables whole')
  if (moment.getTime() > now) throw badField('from', 'is still to come; choose a moment that has passed')
  return moment
}

/** Before the first run nobody knows what the source offers, so that run tells. */
async function requireKnown(
  db: Db,
  organisationId: string,
  connectorId: string,
  streams: readonly string[],
): Promise<void> {
  const known = await knownStreams(db, organisationId, connectorId)
  const unknown = known.size === 0 ? [] : streams.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  const named = unknown.slice(0, 5).join(', ')
  throw badField(
    'streams',
    `has tables in it that this connector does not move: ${named}; choose among its tables, where a new one appears after the next run`,
  )
}
