/** The Trust page of an organisation: facts of the store about what is proven. */
import { trust, trustVerdicts, type TrustSource, type TrustVerdict } from '@tributary/contract/trust'
import type { Camel } from '@tributary/contract/wire'
import type { AppRoutes } from '../../app-services.ts'
import { assignmentFilter } from '../../connections/connectors/connector-access.ts'
import type { Db } from '../../kernel/store/store.ts'
import { countFilteredTables, listChangedPeriods, listMarks, listSources, type SourceRow } from './queries.ts'

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
  const filtered = await countFilteredTables(db, organisationId, connectorIds)
  const sources = rows.map((row): Camel<TrustSource> => {
    const { connectorId, name, type, state, freshAtUtc, comparedAtUtc, notice, closedThrough, verification, watches } =
      row
    const changes = changed.find((each) => each.connectorId === connectorId)
    const verdict = judgeSource(row)
    return {
      connectorId,
      name,
      type,
      state,
      verdict,
      notice,
      comparedAtUtc,
      freshAtUtc,
      filteredTables: filtered.get(connectorId) ?? 0,
      verification,
      closedThrough,
      provenAtUtc: provenAt(row, verdict),
      publicationStaysSinceUtc: row.publicationStaysSinceUtc,
      publicationHeldBecause: row.publicationHeldBecause,
      // Cut-offs have microseconds; times of the API have milliseconds.
      publishedMomentUtc: row.publishedMoment === null ? null : new Date(row.publishedMoment).toISOString(),
      differences: row.differences ?? 0,
      watchesClosedPeriods: watches === true,
      closedPeriodChanges: changes?.count ?? 0,
      changedPeriods: changes?.periods ?? [],
      marks: marks.flatMap(({ connectorId: markedId, ...mark }) => (markedId === connectorId ? [mark] : [])),
    }
  })
  return sources.toSorted((one, other) => trustVerdicts.indexOf(one.verdict) - trustVerdicts.indexOf(other.verdict))
}

/** The worse one of the comparison with the source's report and of the verification. A report alone proves no rows. */
function judgeSource({ comparison, verification }: SourceRow): TrustVerdict {
  if (comparison === 'red' || verification.differing > 0) return 'differs'
  if (comparison === 'amber' || verification.failed > 0) return 'unknown'
  if (verification.verdict === null) return 'unproven'
  return verification.overdue > 0 ? 'outdated' : verification.verdict
}

function provenAt({ comparison, comparedAtUtc, verification }: SourceRow, verdict: TrustVerdict): string | null {
  if (verdict !== 'proven' && verdict !== 'sampled') return null
  const moments = [verification.checkedAtUtc, comparison === null ? null : comparedAtUtc].filter((at) => at !== null)
  return moments.toSorted()[0] ?? null
}
