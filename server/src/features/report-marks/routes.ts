/** Routes for marks "as reported". They name periods of the books, so organisations that a connector is shared with cannot read them. */
import { reportMarks } from '@tributary/contract/report-marks'
import type { AppRoutes } from '../../app-services.ts'
import { bindVisibleConnector, isVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import { requireSqlTarget } from '../../connections/connectors/tables-only.ts'
import { roomIn } from '../../kernel/http/actor.ts'
import { badField, notFound } from '../../kernel/http/api-fault.ts'
import { selectCertificates } from '../../security/certificates/certificate.ts'
import { certifyMark, coversMark } from './certify.ts'
import { findExamined, findMark, insertMark, listMarks, listSingleMarks, supersedeMark } from './queries.ts'

export function reportMarkRoutes(app: AppRoutes): void {
  const { audit } = app.services

  app.bindWithin(reportMarks.list, async (db, { actor, organisationId, params: { connectorId } }) => {
    const connector = { organisationId, connectorId }
    const isSeen = await isVisibleConnector(db, actor, connector)
    const single = await listSingleMarks(db, connector, roomIn(actor, organisationId))
    if (!isSeen && single.size === 0) throw notFound()
    const marks = await listMarks(db, connector)
    return marks.filter((mark) => single.has(mark.id) || (isSeen && coversMark(actor, organisationId, mark)))
  })

  bindVisibleConnector(app, reportMarks.certify, async (db, connector, { auditContext, params: { markId } }) => {
    const id = await certifyMark(app.services, db, auditContext, { ...connector, markId })
    return selectCertificates(db, connector.organisationId, app.services.config.publicUrl)
      .where('certificate.id', '=', id)
      .executeTakeFirstOrThrow()
  })

  bindVisibleConnector(app, reportMarks.create, async (db, connector, { actor, auditContext, body }) => {
    if ((await lockConnector(db, connector)) === undefined) throw notFound()
    await requireSqlTarget(db, connector, 'marks')
    const examined = await findExamined(db, connector)
    const { examinedUpTo: moment = null, examinedBy: runId = null } = examined ?? {}
    if (moment === null || runId === null)
      throw badField('name', 'cannot be marked yet: switch closed periods on, and wait for a run of all tables')
    const { name, periodEnd } = body
    const slug = slugOf(name)
    const id = await insertMark(db, connector, { name, slug, periodEnd, moment, runId, createdBy: actor.userId })
    if (id === undefined) throw badField('name', 'is taken by another mark; choose another name')
    const object = { type: 'connector', id: connector.connectorId }
    await audit.record(db, auditContext, { action: 'connector.marked_reported', object, detail: { name, periodEnd } })
    return getMark(await findMark(db, connector, id))
  })

  bindVisibleConnector(app, reportMarks.supersede, async (db, connector, { actor, auditContext, params, body }) => {
    const { name } = getMark(await findMark(db, connector, params.markId))
    const { reason } = body
    if (!(await supersedeMark(db, connector, params.markId, { reason, userId: actor.userId })))
      throw badField('reason', 'is not needed: the mark is superseded already')
    const object = { type: 'connector', id: connector.connectorId }
    await audit.record(db, auditContext, { action: 'connector.mark_superseded', object, detail: { name, reason } })
    return getMark(await findMark(db, connector, params.markId))
  })
}

function getMark<Mark>(mark: Mark | undefined): Mark {
  if (mark === undefined) throw notFound()
  return mark
}

/** Part of a name that every database accepts without quotes, short enough for the names of the views. */
function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '_')
    .replace(/^_+|_+$/gu, '')
  return plain.slice(0, 30).replace(/_+$/u, '') || 'mark'
}
