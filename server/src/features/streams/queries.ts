/** A connector's streams as the store knows them. */
import type { RenamedColumn } from '@tributary/engine/ports/target'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { listStreamVerifications, toTableVerification } from '../../connections/verifications/source-verification.ts'
import { describeFilters } from '../../connections/table-rules/table-rules.ts'
import type { Db } from '../../kernel/store/store.ts'

export async function listStreams(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  const streams = await db
    .selectFrom('connectorStream')
    .select(['name', 'tableName as table', 'licence', 'reads', 'why', 'rows', 'freshAt as freshAtUtc', 'fault'])
    .select(({ ref }) => ref('renamed').$castTo<readonly RenamedColumn[]>().as('renamed'))
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('name')
    .execute()
  const verified = new Map(
    (await listStreamVerifications(db, organisationId, connectorId)).map((row) => [row.stream, row]),
  )
  const filters = await describeFilters(db, { organisationId, connectorId })
  return streams.map((stream) => {
    const row = verified.get(stream.name)
    const filter = filters.get(stream.name) ?? null
    return { ...stream, filter, verification: row === undefined ? null : toTableVerification(row) }
  })
}
