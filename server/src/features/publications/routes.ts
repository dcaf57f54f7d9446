/** Routes of publications: which connectors are published together, by which rule, and what was published. */
import { publications, type PublicationSet } from '@tributary/contract/publications'
import type { Camel } from '@tributary/contract/wire'
import type * as z from 'zod'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { requireSqlTarget } from '../../connections/connectors/tables-only.ts'
import { setHistoryReason } from '../../connections/history/history-reasons.ts'
import { publicationChannel } from '../../connections/publications/publication-sets.ts'
import { badField, requireFound } from '../../kernel/http/api-fault.ts'
import { setTotalCountHeader } from '../../kernel/http/bind.ts'
import { pageOf } from '../../kernel/http/paging.ts'
import type { Db } from '../../kernel/store/store.ts'
import { decidePublication } from './decide-publication.ts'
import { describeSets } from './describe-sets.ts'
import { listLoadingConnectors } from './publishing-target.ts'
import {
  listMembers,
  listPublications,
  listPublishedRuns,
  listSets,
  lockSet,
  replaceMembers,
  updateSet,
} from './queries.ts'
import { saveSet } from './save-set.ts'

export function publicationRoutes(app: AppRoutes): void {
  const { services } = app

  app.bindWithin(publications.list, async (db, { organisationId }) => {
    const sets = await describeSets(db, services, organisationId)
    return sets.filter(({ state, connectors, notice }) => state !== 'off' || connectors.length > 0 || notice !== null)
  })

  app.bindWithin(publications.save, async (db, { organisationId, actor, auditContext, params: { setId }, body }) => {
    const loading = await listLoadingConnectors(db, services, organisationId)
    const former = await listMembers(db, organisationId)
    const stored = await lockSet(db, organisationId, setId)
    const target = requireFound(loading.find((one) => one.target.id === setId)?.target ?? stored)
    const known = new Set([
      ...loading.filter((one) => one.target.id === setId).map(({ connectorId }) => connectorId),
      ...former.filter((member) => member.setId === setId).map(({ connectorId }) => connectorId),
    ])
    for (const connectorId of body.connectors.filter((id) => !known.has(id)))
      await requireSqlTarget(db, { organisationId, connectorId }, 'publications')
    if (!body.connectors.every((id) => known.has(id)))
      throw badField('connectors', `contains a connector that does not load ${target.name}; choose from its list`)
    await saveSet(db, organisationId, { target, userId: actor.userId, rule: body })
    await changeMembers(db, organisationId, { setId, connectorIds: body.connectors, userId: actor.userId })
    // The reply says what the set waits for. A worker makes the publication.
    await decidePublication(db, organisationId, setId)
    await services.queue.notify(db, publicationChannel, setId)
    const object = { type: 'publication_set', id: setId }
    const detail = { connectors: body.connectors.length, ...rulesOf(body) }
    await services.audit.record(db, auditContext, { action: 'publication_set.saved', object, detail })
    return getSet(db, services, organisationId, setId)
  })

  app.bindWithin(publications.switchOff, async (db, { organisationId, actor, auditContext, params: { setId } }) => {
    const set = requireFound(await lockSet(db, organisationId, setId))
    if (set.isOn) {
      await updateSet(db, organisationId, setId, { isOn: false, decidedAt: null, notice: null })
      await changeMembers(db, organisationId, { setId, connectorIds: [], userId: actor.userId })
      await services.queue.notify(db, publicationChannel, setId)
      const object = { type: 'publication_set', id: setId }
      await services.audit.record(db, auditContext, { action: 'publication_set.switched_off', object })
    }
    return getSet(db, services, organisationId, setId)
  })

  app.bindWithin(publications.history, async (db, { organisationId, params: { setId }, query, reply }) => {
    requireFound((await listSets(db, organisationId)).find(({ id }) => id === setId))
    const { rows, total } = await listPublications(db, organisationId, { setId, ...pageOf(query) })
    const runs = await listPublishedRuns(
      db,
      organisationId,
      setId,
      rows.map(({ number }) => number),
    )
    setTotalCountHeader(reply, total)
    return rows.map((publication) => ({
      ...publication,
      runs: runs
        .filter(({ number }) => number === publication.number)
        .map(({ number: _number, moment, ...run }) => ({ ...run, momentUtc: new Date(moment).toISOString() })),
    }))
  })
}

type SaveBody = z.output<typeof publications.save.body>

function rulesOf({ tieOut, verifiedWithinDays, incidentAfterHours }: SaveBody) {
  return { tieOut, verifiedWithinDays, incidentAfterHours }
}

/** Published tables keep history; a table that is no longer published keeps it only for another reason. */
async function changeMembers(
  db: Db,
  organisationId: string,
  {
    setId,
    connectorIds,
    userId,
  }: { readonly setId: string; readonly connectorIds: readonly string[]; readonly userId: string },
): Promise<void> {
  const former = await listMembers(db, organisationId)
  const left = former.filter((member) => member.setId === setId && !connectorIds.includes(member.connectorId))
  await replaceMembers(db, organisationId, setId, connectorIds)
  for (const { connectorId } of left)
    await setHistoryReason(db, { organisationId, connectorId }, { reason: 'publications', streams: [] }, userId)
  for (const connectorId of connectorIds)
    await setHistoryReason(db, { organisationId, connectorId }, { reason: 'publications', streams: 'all' }, userId)
}

async function getSet(
  db: Db,
  services: AppServices,
  organisationId: string,
  setId: string,
): Promise<Camel<PublicationSet>> {
  const sets = await describeSets(db, services, organisationId)
  return requireFound(sets.find(({ id }) => id === setId))
}
