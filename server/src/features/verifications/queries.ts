/** Queries of verifications: tables with their verdicts, rows that differ, and the history. */
import type { RowDifference, Verification, VerificationVerdict, VerifiedTable } from '@tributary/contract/verifications'
import { verificationLimits } from '@tributary/contract/limits'
import type { Camel } from '@tributary/contract/wire'
import type { StoredTable } from '../../access/dictionary/stored-structure.ts'
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import {
  listStreamVerifications,
  sourceVerification,
  type StreamVerificationRow,
  toTableVerification,
} from '../../connections/verifications/source-verification.ts'
import { isPaged, onePage, type PageQuery } from '../../kernel/http/paging.ts'
import type { Db } from '../../kernel/store/store.ts'

/** Without page and page size, a list holds so many rows. */
const unpagedMax = verificationLimits.differencesMax

export async function readVerification(db: Db, location: ConnectorLocation): Promise<Camel<Verification>> {
  const { organisationId, connectorId } = location
  const { verification } = await db
    .selectFrom('connector')
    .select(sourceVerification.as('verification'))
    .where('connector.organisationId', '=', organisationId)
    .where('connector.id', '=', connectorId)
    .executeTakeFirstOrThrow()
  return {
    source: verification,
    tables: await listVerifiedTables(db, location),
    settings: await readSettings(db, location),
  }
}

export async function readSettings(db: Db, { organisationId, connectorId }: ConnectorLocation) {
  return await db
    .selectFrom('connector')
    .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
    .select([
      'connector.verifySchedule as schedule',
      'organisation.timeZone',
      'connector.verifyNextAt as nextAtUtc',
      'connector.verifySeconds as secondsAfterRuns',
    ])
    .where('connector.organisationId', '=', organisationId)
    .where('connector.id', '=', connectorId)
    .executeTakeFirstOrThrow()
}

/** The tables that hold rows of the source, those that differ first. */
async function listVerifiedTables(db: Db, location: ConnectorLocation): Promise<Camel<VerifiedTable>[]> {
  const { organisationId, connectorId } = location
  const streams = await db
    .selectFrom('connectorStream')
    .select(['name', 'tableName', 'structure'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .where('freshAt', 'is not', null)
    .orderBy('name')
    .execute()
  const verified = new Map(
    (await listStreamVerifications(db, organisationId, connectorId)).map((row) => [row.stream, row]),
  )
  const tables = streams.map(({ name, tableName, structure }) => ({
    name,
    table: tableName,
    columns: (structure as readonly StoredTable[]).reduce((sum, { columns }) => sum + columns.length, 0),
    ...describeTable(verified.get(name)),
  }))
  return tables.toSorted((one, other) => other.differences - one.differences)
}

function describeTable(
  row: StreamVerificationRow | undefined,
): Omit<Camel<VerifiedTable>, 'name' | 'table' | 'columns'> {
  if (row === undefined)
    return {
      state: 'none',
      method: 'checksums',
      checkedAtUtc: null,
      rows: 0,
      newerRows: 0,
      differences: 0,
      columnsRowByRow: 0,
      provenAtUtc: null,
      notice: null,
      repaired: 0,
      rowsSoFar: null,
    }
  return {
    ...toTableVerification(row),
    repaired: row.repaired,
    rowsSoFar: row.passBeganAt === null ? null : row.passRows,
  }
}

interface DifferenceQuery extends PageQuery {
  readonly stream?: string | undefined
}

/** Without a page, the first rows. */
function pageOfList(query: PageQuery): PageQuery {
  return isPaged(query) ? query : { pageSize: unpagedMax }
}

/** Rows that are not repaired come first. */
export async function listDifferences(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  query: DifferenceQuery,
): Promise<{ readonly rows: Camel<RowDifference>[]; readonly total: number }> {
  const selected = db
    .selectFrom('rowDifference')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .$if(query.stream !== undefined, (some) => some.where('stream', '=', query.stream ?? ''))
  const ordered = selected
    .select([
      'id',
      'stream',
      'tableName as table',
      'kind',
      'key',
      'columns',
      'cause',
      'isRepaired',
      'foundAt as foundAtUtc',
    ])
    .orderBy('isRepaired')
    .orderBy('stream')
    .orderBy('id')
  const rows = await onePage(ordered, pageOfList(query)).execute()
  const { total } = await selected.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return {
    rows: rows.map(({ key, columns, ...row }) => ({
      ...row,
      key: key as Camel<RowDifference>['key'],
      columns: columns as Camel<RowDifference>['columns'],
    })),
    total,
  }
}

export async function listVerdicts(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  query: DifferenceQuery,
): Promise<{ readonly rows: Camel<VerificationVerdict>[]; readonly total: number }> {
  const selected = db
    .selectFrom('verificationVerdict')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .$if(query.stream !== undefined, (some) => some.where('stream', '=', query.stream ?? ''))
  const ordered = selected
    .select([
      'runId',
      'stream',
      'tableName as table',
      'outcome',
      'method',
      'checkedAt as checkedAtUtc',
      'rows',
      'differences',
      'repaired',
      'notice',
    ])
    .orderBy('at', 'desc')
    .orderBy('stream')
  const rows = await onePage(ordered, pageOfList(query)).execute()
  const { total } = await selected.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total }
}
