/** Queries of the search: the best matches of each kind. */
import { recentRunsMax } from '@tributary/contract/limits'
import { runStatuses } from '@tributary/contract/runs'
import { type SearchHit, searchHitsPerKind } from '@tributary/contract/search'
import type { Camel } from '@tributary/contract/wire'
import { type SqlBool, sql } from 'kysely'
import { type ConnectorVisibility, selectVisibleConnectors } from '../../connections/connectors/connector-access.ts'
import { matchesMember, type SeenMemberFields, selectMembers } from '../../identity/people/members.ts'
import { matchesOneWord, matchesWords, rankMatch } from '../../kernel/store/search.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { SearchTerm } from './search-term.ts'

export interface RankedHit extends Camel<SearchHit> {
  /** See `rankMatch`. */
  readonly rank: number
}

/** Connectors that are not deleted, with what all their hits have in common. */
function selectConnectors(db: Db, organisationId: string, visibility: ConnectorVisibility) {
  return selectVisibleConnectors(db, organisationId, visibility)
    .select(sql<RankedHit['connector']>`json_build_object('id', connector.id, 'type', connector.type)`.as('connector'))
    .where('connector.status', '<>', 'DELETED')
}

export async function findConnectors(
  db: Db,
  organisationId: string,
  visibility: ConnectorVisibility,
  { text }: SearchTerm,
): Promise<RankedHit[]> {
  const rows = await selectConnectors(db, organisationId, visibility)
    .select(['connector.id', 'connector.name'])
    .select(sql<string | null>`nullif(connector.originalName, connector.name)`.as('detail'))
    .select(rankMatch(sql.ref('connector.name'), text).as('rank'))
    .where(matchesWords(sql`connector.name || ' ' || connector.originalName`, text))
    .orderBy('rank')
    .orderBy(sql`length(connector.name)`)
    .orderBy('connector.name')
    .limit(searchHitsPerKind)
    .execute()
  return rows.map((row) => ({ ...row, kind: 'connector', run: null }))
}

/** A word may also be one of the connector's name, but not all of them. */
export async function findTables(
  db: Db,
  organisationId: string,
  visibility: ConnectorVisibility,
  { text }: SearchTerm,
): Promise<RankedHit[]> {
  const names = sql`stream.name || ' ' || stream.tableName`
  const rows = await selectConnectors(db, organisationId, visibility)
    .innerJoin('connectorStream as stream', 'stream.connectorId', 'connector.id')
    .select(['stream.name as id', 'stream.name', 'connector.name as detail'])
    .select(rankMatch(sql.ref('stream.name'), text).as('rank'))
    .where('stream.organisationId', '=', organisationId)
    .where(matchesWords(sql`${names} || ' ' || connector.name`, text))
    .where(matchesOneWord(names, text))
    .orderBy('rank')
    .orderBy(sql`length(stream.name)`)
    .orderBy('stream.name')
    .orderBy('connector.name')
    .limit(searchHitsPerKind)
    .execute()
  return rows.map((row) => ({ ...row, kind: 'table', run: null }))
}

/** The latest runs of the connectors that the term names, or of all if it only says which runs. */
export async function findRuns(
  db: Db,
  organisationId: string,
  visibility: ConnectorVisibility,
  { runs }: SearchTerm,
): Promise<RankedHit[]> {
  const { connectorText, statuses, perConnector } = runs
  const rows = await selectConnectors(db, organisationId, visibility)
    .innerJoinLateral(
      (lateral) =>
        lateral
          .selectFrom((latest) =>
            latest
              .selectFrom('run')
              .select(['run.id', 'run.status', 'run.queuedAt'])
              .whereRef('run.connectorId', '=', 'connector.id')
              .orderBy('run.queuedAt', 'desc')
              .limit(recentRunsMax)
              .as('latest'),
          )
          .selectAll()
          .$if(statuses.length > 0, (some) => some.where('latest.status', 'in', statuses))
          .orderBy('latest.queuedAt', 'desc')
          .limit(perConnector)
          .as('run'),
      (join) => join.onTrue(),
    )
    .select(['run.id', 'run.status', 'run.queuedAt', 'connector.name'])
    .select(rankMatch(sql.ref('connector.name'), connectorText).as('rank'))
    .$if(connectorText !== '', (some) => some.where(matchesWords(sql.ref('connector.name'), connectorText)))
    .orderBy('run.queuedAt', 'desc')
    .limit(searchHitsPerKind)
    .execute()
  return rows.map(toRunHit)
}

/** The run whose id begins with the term. */
export async function findRunById(
  db: Db,
  organisationId: string,
  visibility: ConnectorVisibility,
  { runIds }: SearchTerm,
): Promise<RankedHit[]> {
  if (runIds === null) return []
  const rows = await selectConnectors(db, organisationId, visibility)
    .innerJoin('run', 'run.connectorId', 'connector.id')
    .select(['run.id', 'run.status', 'run.queuedAt', 'connector.name', sql<number>`0`.as('rank')])
    .where('run.organisationId', '=', organisationId)
    .where('run.id', '>=', runIds.first)
    .where('run.id', '<=', runIds.last)
    .limit(1)
    .execute()
  return rows.map(toRunHit)
}

interface RunRow extends Pick<RankedHit, 'id' | 'name' | 'connector' | 'rank'> {
  readonly status: string
  readonly queuedAt: string
}

function toRunHit({ status, queuedAt, ...row }: RunRow): RankedHit {
  const known = runStatuses.find((one) => one === status) ?? 'QUEUED'
  return { ...row, kind: 'run', detail: null, run: { status: known, queuedAtUtc: queuedAt } }
}

const recordTables = {
  area: 'area',
  subarea: 'subarea',
  version: 'version',
  helperTable: 'helperTable',
  entity: 'entity',
  group: 'permissionGroup',
} as const

/** Areas, subareas, versions, helper tables, entities and groups that are not archived. */
export async function findRecords(db: Db, organisationId: string, { text }: SearchTerm): Promise<RankedHit[]> {
  const perKind = Object.entries(recordTables).map(
    ([kind, table]) => sql`(SELECT ${sql.lit(kind)} AS kind, id, name, ${rankMatch(sql`name`, text)} AS rank
      FROM ${sql.table(table)} WHERE organisationId = ${organisationId}
        AND statusId = ANY (ARRAY(SELECT id FROM status WHERE name <> 'archived')) AND ${matchesWords(sql`name`, text)}
      ORDER BY rank, length(name), name LIMIT ${searchHitsPerKind})`,
  )
  const { rows } = await sql<
    Pick<RankedHit, 'kind' | 'id' | 'name' | 'rank'>
  >`${sql.join(perKind, sql` UNION ALL `)}`.execute(db)
  return rows.map((row) => ({ ...row, detail: null, connector: null, run: null }))
}

export async function findPeople(
  db: Db,
  organisationId: string,
  fields: SeenMemberFields,
  { text, words }: SearchTerm,
): Promise<RankedHit[]> {
  const name = sql<string>`firstName || ' ' || lastName`
  const rows = await selectMembers(db, organisationId)
    .select(['portalUser.id', name.as('name'), rankMatch(name, text).as('rank')])
    .select((fields === 'all' ? sql<string | null>`emailAddress` : sql<string | null>`NULL`).as('detail'))
    .where(
      sql.join<SqlBool>(
        words.map((word) => matchesMember(word, fields)),
        sql` AND `,
      ),
    )
    .orderBy('rank')
    .orderBy('name')
    .orderBy('portalUser.id')
    .limit(searchHitsPerKind)
    .execute()
  return rows.map((row) => ({ ...row, kind: 'person', connector: null, run: null }))
}
