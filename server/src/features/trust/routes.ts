/** The Trust page of an organisation: facts of the store about what is proven. */
import { trust, trustVerdicts, type TrustSource } from '@tributary/contract/trust'
import type { Camel } from '@tributary/contract/wire'
import type { AppRoutes } from '../../app-services.ts'
import { assignmentFilter } from '../../connections/connectors/connector-access.ts'
import type { Db } from '../../kernel/store/store.ts'
import { listChangedPeriods, listMarks, listSources, type SourceRow } from './queries.ts'

export function trustRoutes(app: AppRoutes): void {
  const { clock } = app.services

  app.bindWithin(trust.read, async (db, { organisationId, actor }) => {
    const visible = { assignedTo: assignmentFilter(actor) }
    const rows = await listSources(db, organisationId, visible, new Date(clock.now()))
    return { sources: await toSources(db, organisationId, rows) }
  })
}

async function toSources(
  db: Db,
  organisationId: string,
  rows: readonly SourceRow[],
): Promise<readonly Camel<TrustSource>[]> {
  const connectorIds = rows.map(({ connectorId }) => connectorId)
  const changed = await listChangedPeriods(db, organisationId, connectorIds)
  const marks = await listMarks(db, organisationId, connectorIds)
  const sources = rows.map(({ state, watches, publishedMoment, lateSinceUtc: _late, ...row }): Camel<TrustSource> => {
    const changes = changed.find(({ connectorId }) => connectorId === row.connectorId)
    return {
      ...row,
      // Cut-offs have microseconds; times of the API have milliseconds.
      publishedMomentUtc: publishedMoment === null ? null : new Date(publishedMoment).toISOString(),
      verdict: state === null ? 'unproven' : verdictOf[state],
      differences: row.differences ?? 0,
      watchesClosedPeriods: watches === true,
      closedPeriodChanges: changes?.count ?? 0,
      changedPeriods: changes?.periods ?? [],
      marks: marks.flatMap(({ connectorId, ...mark }) => (connectorId === row.connectorId ? [mark] : [])),
    }
  })
  return sources.toSorted((one, other) => trustVerdicts.indexOf(one.verdict) - trustVerdicts.indexOf(other.verdict))
}

const verdictOf = { green: 'proven', amber: 'unknown', red: 'differs' } as const
