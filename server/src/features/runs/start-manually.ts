/** Starts a run for a user after checking their permissions and their selection. */
import { may } from '@tributary/contract/capabilities'
import type { runs } from '@tributary/contract/runs'
import type * as z from 'zod'
import type { CallerContext } from '../../kernel/audit-context.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import {
  assignmentFilter,
  requireVisibleConnector,
  selectVisibleConnectors,
} from '../../connections/connectors/connector-access.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { AppServices } from '../../app-services.ts'
import { type ManualStart, startManualRun, type StartRunServices } from '../../connections/connectors/start-run.ts'
import { listStreamNames } from '../../connections/connectors/stream-names.ts'
import {
  dailyAllowanceOf,
  judgeAllowance,
  readDayOfConnectorEverywhere,
} from '../../connections/rate-budgets/daily-allowance.ts'
import type { Db, Store } from '../../kernel/store/store.ts'

type StartManuallyServices = Pick<AppServices, 'clock' | 'settings' | 'store'> & StartRunServices

interface ManualRunRequest extends ManualStart {
  readonly auditContext: CallerContext
  readonly selection: RunSelection
}

/** Which data the run moves: all or some streams; everything, changes since the last run, or changes since a moment. */
type RunSelection = z.output<typeof runs.process.body>

export async function startRunManually(services: StartManuallyServices, request: ManualRunRequest) {
  const { organisationId } = request.auditContext
  if ((await services.settings.read()).RefuseManualNearAllowance) await requireAllowance(services.store, request)
  return services.store.within(organisationId, (db) => startInOrganisation(db, services, request))
}

/** In transactions before that of the run, because the calls of a key are those of all organisations that share it. */
async function requireAllowance(store: Store, { auditContext, connectorId }: ManualRunRequest): Promise<void> {
  const { organisationId, actor } = auditContext
  const visible = await store.within(organisationId, (db) =>
    selectVisibleConnectors(db, organisationId, { assignedTo: assignmentFilter(actor) })
      .select('connector.type')
      .where('connector.id', '=', connectorId)
      .executeTakeFirst(),
  )
  const allowance = dailyAllowanceOf(visible?.type ?? '')
  if (allowance === null) return
  const { calls } = await store.across((db) => readDayOfConnectorEverywhere(db, connectorId))
  if (judgeAllowance(calls, allowance) === 'open') return
  const values = { used: calls, allowed: allowance.calls, source: allowance.title }
  throw new ApiFault('allowanceNearlyUsed', { values })
}

async function startInOrganisation(
  db: Db,
  services: StartManuallyServices,
  { selection, auditContext, connectorId }: ManualRunRequest,
) {
  const { organisationId, actor } = auditContext
  const connector = { organisationId, connectorId }
  await requireVisibleConnector(db, actor, connector)
  requirePermission(actor, selection)
  const readFrom = requirePastMoment(selection.from, services.clock.now())
  if (selection.streams !== undefined) await requireKnownStreams(db, connector, selection.streams)
  const mode = selection.fullTransactionSync ? 'full' : 'incremental'
  const start = { auditContext, connectorId }
  const runId = await startManualRun(db, services, start, { mode, onlyStreams: selection.streams, readFrom })
  return { statusCode: 202, message: 'The run has started.', runId }
}

/** Only the provider may reload everything; administrators may reload some tables or a period. */
function requirePermission(actor: Actor, { fullTransactionSync, streams, from }: RunSelection): void {
  const isReload = streams !== undefined || from !== undefined
  if (isReload && !may(actor.roleLevel, 'reloadTables')) throw new ApiFault('notAllowed')
  if (fullTransactionSync && streams === undefined && !may(actor.roleLevel, 'chooseRunMode'))
    throw new ApiFault('notAllowed')
}

/** No source has older data, and some databases cannot represent earlier moments. */
const earliest = new Date(0)

function requirePastMoment(from: string | undefined, now: number): Date | undefined {
  if (from === undefined) return undefined
  const moment = new Date(from)
  if (moment < earliest) throw badField('from', 'is before 1970; choose a later moment, or load the tables whole')
  if (moment.getTime() > now) throw badField('from', 'is still to come; choose a moment that has passed')
  return moment
}

/** Before the first run the source's streams are unknown, so any name is accepted. */
async function requireKnownStreams(db: Db, connector: ConnectorLocation, streams: readonly string[]): Promise<void> {
  const known = await listStreamNames(db, connector, 'known')
  const unknown = known.size === 0 ? [] : streams.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  const named = unknown.slice(0, 5).join(', ')
  throw badField(
    'streams',
    `has tables in it that this connector does not move: ${named}; choose among its tables, where a new one appears after the next run`,
  )
}
