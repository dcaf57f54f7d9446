/** Routes of verifications. Values of rows are only for members who may read them, never for organisations that a connector is shared with. */
import { may } from '@tributary/contract/capabilities'
import { verifications } from '@tributary/contract/verifications'
import type { AppRoutes } from '../../app-services.ts'
import { bindVisibleConnector } from '../../connections/connectors/connector-access.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { lockUndeletedConnector } from '../../connections/connectors/connector-lock.ts'
import { updateConnector } from '../../connections/connectors/connector-queries.ts'
import { startManualRun } from '../../connections/connectors/start-run.ts'
import { requireSqlTarget } from '../../connections/connectors/tables-only.ts'
import { listStreamNames } from '../../connections/connectors/stream-names.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import { setTotalCountHeader } from '../../kernel/http/bind.ts'
import { isSchedule, nextFire, scheduleFormat } from '../../kernel/cron-schedule.ts'
import type { Db } from '../../kernel/store/store.ts'
import { selectCertificates } from '../../security/certificates/certificate.ts'
import { findTimeZone } from '../../identity/people/organisations.ts'
import { certifyVerification } from './certify.ts'
import { listDifferences, listVerdicts, readSettings, readVerification } from './queries.ts'

export function verificationRoutes(app: AppRoutes): void {
  const { services } = app

  bindVisibleConnector(app, verifications.read, readVerification)

  bindVisibleConnector(app, verifications.start, async (db, connector, { actor, auditContext, body }) => {
    const { streams, repair } = body
    if (repair && (!may(actor.roleLevel, 'reloadTables') || actor.isGuest === true)) throw new ApiFault('notAllowed')
    await requireSqlTarget(db, connector, 'verification')
    if (streams !== undefined) await requireVerifiable(db, connector, streams)
    const start = { auditContext, connectorId: connector.connectorId }
    const runId = await startManualRun(db, services, start, {
      mode: repair ? 'repair' : 'verify',
      onlyStreams: streams,
    })
    return { statusCode: 202, message: 'The verification has started.', runId }
  })

  bindVisibleConnector(app, verifications.differences, async (db, connector, { query, reply }) => {
    const { rows, total } = await listDifferences(db, connector, query)
    setTotalCountHeader(reply, total)
    return rows
  })

  bindVisibleConnector(app, verifications.history, async (db, connector, { query, reply }) => {
    const { rows, total } = await listVerdicts(db, connector, query)
    setTotalCountHeader(reply, total)
    return rows
  })

  bindVisibleConnector(app, verifications.certify, async (db, connector, { auditContext }) => {
    const id = await certifyVerification(services, db, auditContext, connector)
    return selectCertificates(db, connector.organisationId, services.config.publicUrl)
      .where('certificate.id', '=', id)
      .executeTakeFirstOrThrow()
  })

  bindVisibleConnector(app, verifications.saveSettings, async (db, connector, { auditContext, body }) => {
    await lockUndeletedConnector(db, connector)
    const before = await readSettings(db, connector)
    const { schedule, secondsAfterRuns } = body
    if (schedule !== null && !isSchedule(schedule)) throw badField('schedule', scheduleFormat)
    if (schedule !== null) await requireSqlTarget(db, connector, 'verification')
    const timeZone = await findTimeZone(db, connector.organisationId)
    await updateConnector(db, connector, {
      verifySchedule: schedule,
      verifyNextAt: schedule === null ? null : nextFire(schedule, timeZone, new Date(services.clock.now())),
      verifySeconds: secondsAfterRuns,
    })
    await services.audit.record(db, auditContext, {
      action: 'connector.verification_set',
      object: { type: 'connector', id: connector.connectorId },
      detail: {
        before: { schedule: before.schedule, secondsAfterRuns: before.secondsAfterRuns },
        after: { schedule, secondsAfterRuns },
      },
    })
    return readSettings(db, connector)
  })
}

async function requireVerifiable(db: Db, connector: ConnectorLocation, streams: readonly string[]): Promise<void> {
  const known = await listStreamNames(db, connector, 'moved')
  const unknown = streams.filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw badField(
    'streams',
    `has tables in it that no run has read completely: ${unknown.slice(0, 5).join(', ')}; choose among the tables of the connector, where a new one appears after the next run`,
  )
}
