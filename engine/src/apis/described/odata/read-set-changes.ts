/** Reads the changes of entity sets by cursor or feed, company by company. */
import { checkpointBatch, type Checkpoint, type RowBatch } from '../../../ports/model.ts'
import type { ReadRequest } from '../../../ports/source.ts'
import { asText } from '../../http/canonical-text.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { readMember } from '../../http/fields.ts'
import type { CursorSettings } from '../description/schema-odata.ts'
import { millisecondsOf } from '../moments.ts'
import { checkpointOf, nothingRead, progressFrom } from '../read/progress.ts'
import { readChanges } from '../read/read-changes.ts'
import { readFeed } from '../read/read-feed.ts'
import type { ODataApi } from './api.ts'
import { companiesCheckpoint, companyCheckpoints, readByCompany } from './company-reads.ts'
import type { CompanyTable } from './company-table.ts'
import { cursorOf, streamOfSet } from './described-set.ts'
import { hasCode } from './faults.ts'
import { companyProperty, type ODataTable } from './metadata/tables.ts'

export async function* readSetChanges(
  api: ODataApi,
  table: ODataTable,
  request: ReadRequest,
): AsyncGenerator<RowBatch> {
  const { changes } = table.description
  yield* readByCompany(table.setNames.keys(), request.since, (company, since) => {
    const stream = streamOfSet({ api, table, company })
    if (changes?.kind === 'feed')
      return readFeed(stream, { kind: 'feed', token: '/delta', expired: changes.expired }, { ...request, since })
    if (changes?.kind === 'cursor') return readByCursor({ api, table, company }, changes, { ...request, since })
    throw new Error(`${table.name} has no changes.`)
  })
}

/** A link at which an earlier read was interrupted may have expired. Then the read begins again. */
async function* readByCursor(
  of: CompanyTable,
  settings: CursorSettings,
  request: ReadRequest,
): AsyncGenerator<RowBatch> {
  const changes = cursorOf(of, settings)
  const { api, table } = of
  const progress = progressFrom(request.since)
  try {
    yield* readChanges(streamOfSet(of), changes, request)
  } catch (error) {
    if (progress.position === null || !hasCode(error, api.described, ['bad_request', 'not_found', 'gone'])) throw error
    request.log(
      `${table.name}: ${api.described.title} no longer knows where the last read was interrupted, so it begins again.`,
    )
    const since = checkpointOf({ ...progress, position: null })
    yield checkpointBatch(table.shape, since)
    yield* readChanges(streamOfSet(of), changes, { ...request, since })
  }
}

/** The checkpoint for all changes since a moment; null if the table is not read by cursor. */
export function checkpointOfChanges({ description, setNames }: ODataTable, moment: Date): Checkpoint | null {
  if (description.changes?.kind !== 'cursor') return null
  const reached = checkpointOf({ ...nothingRead, until: moment.getTime(), isComplete: true })
  return companiesCheckpoint(new Map([...setNames.keys()].map((company) => [company, reached])))
}

/** Whether the next run reads a row anyway; null if nothing in the row shows that. */
export function isChangedSince(
  { description: { companies } }: ODataApi,
  { description: { changes } }: ODataTable,
  checkpoint: Checkpoint | null,
): ((row: JsonObject) => boolean) | null {
  if (changes?.kind !== 'cursor') return null
  const reached = companyCheckpoints(checkpoint)
  return (row) => {
    const company = companies === undefined ? '' : String(row[companyProperty])
    const { until, isComplete } = progressFrom(reached.get(company) ?? null)
    const at = millisecondsOf(asText(readMember(row, changes.property)) ?? '', 'iso', 'UTC')
    return !isComplete || until === null || at === null || at >= until - changes.overlapSeconds * 1_000
  }
}
