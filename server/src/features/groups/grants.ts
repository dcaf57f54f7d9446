/** Parses, compares and writes the grants of a group. */
import type { GroupGrants } from '@tributary/contract/groups'
import { sql } from 'kysely'
import { type PairGrant, toGrantKey } from '../../planning/entitlement/entitlement.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'

/**
 * The two kinds of grants and their tables. A subarea may be granted without an area (in all areas), a milestone only with its
 * version.
 */
export const grantKinds = {
  areas: { table: 'groupPair', outer: 'area', inner: 'subarea', outerColumn: 'areaId', innerColumn: 'subareaId' },
  versions: {
    table: 'groupMilestone',
    outer: 'version',
    inner: 'milestone',
    outerColumn: 'versionId',
    innerColumn: 'milestoneId',
  },
} as const
export type GrantKind = keyof typeof grantKinds
export type GrantsByKind = Readonly<Record<GrantKind, readonly PairGrant[]>>

/**
 * Grants of a request, and all records that it names. It names more records than it grants if a flag makes an id irrelevant.
 */
export interface ParsedGrants {
  readonly granted: GrantsByKind
  readonly named: GrantsByKind
}

/** Parses one side of a grant. The flag takes precedence over the id. Throws `badInput` if neither is given. */
export function parseSide(field: string, id: string | null | undefined, hasAll: boolean | undefined): string | null {
  if (hasAll === true) return null
  if (id === null || id === undefined) throw badField(field, 'is missing; choose one, or choose all')
  return id
}

/** Parses the grants of a full save. Throws `badInput` with the field of the first invalid grant. */
export function parseGrants(grants: GroupGrants): ParsedGrants {
  return { granted: collectGrants(grants), named: collectNamed(grants) }
}

/** Wraps grants that name no further records. */
export function toParsedGrants(granted: GrantsByKind): ParsedGrants {
  return { granted, named: granted }
}

/** Removes duplicates. */
function collectGrants({ areas, versions }: GroupGrants): GrantsByKind {
  return {
    areas: deduplicate(
      areas.map(({ areaId, subareaId, allAreas, allSubareas }, at) => ({
        outerId: parseSide(`grants.areas.${at}.areaId`, areaId, allAreas),
        innerId: parseSide(`grants.areas.${at}.subareaId`, subareaId, allSubareas),
      })),
    ),
    versions: deduplicate(
      versions.map(({ versionId, milestoneId, allVersions, allMilestones }, at) => ({
        outerId: parseSide(`grants.versions.${at}.versionId`, versionId, allVersions),
        innerId: parseSide(`grants.versions.${at}.milestoneId`, milestoneId, allVersions || allMilestones),
      })),
    ),
  }
}

/** Keeps every id, because a record of another organisation is refused in any position. */
function collectNamed({ areas, versions }: GroupGrants): GrantsByKind {
  return {
    areas: areas.map(({ areaId, subareaId }) => ({ outerId: areaId, innerId: subareaId })),
    versions: versions.map(({ versionId, milestoneId }) => ({ outerId: versionId, innerId: milestoneId })),
  }
}

function deduplicate(grants: readonly PairGrant[]): readonly PairGrant[] {
  return [...new Map(grants.map((grant) => [toGrantKey(grant.outerId, grant.innerId), grant])).values()]
}

/** The grants that are not among the others. */
export function subtractGrants(grants: readonly PairGrant[], others: readonly PairGrant[]): readonly PairGrant[] {
  const keys = new Set(others.map(({ outerId, innerId }) => toGrantKey(outerId, innerId)))
  return grants.filter(({ outerId, innerId }) => !keys.has(toGrantKey(outerId, innerId)))
}

export async function readGrants(db: Db, organisationId: string, groupId: string): Promise<GrantsByKind> {
  const read = async (kind: GrantKind): Promise<readonly PairGrant[]> => {
    const { table, outerColumn, innerColumn } = grantKinds[kind]
    const { rows } = await sql<PairGrant>`
      SELECT ${sql.ref(outerColumn)} AS outerId, ${sql.ref(innerColumn)} AS innerId FROM ${sql.table(table)}
      WHERE organisationId = ${organisationId} AND groupId = ${groupId}`.execute(db)
    return rows
  }
  return { areas: await read('areas'), versions: await read('versions') }
}

export interface GrantChange {
  readonly groupId: string
  readonly added: readonly PairGrant[]
  readonly removed: readonly PairGrant[]
}

/** Deletes and inserts grants of one kind. Their records must exist: see `requireGrants`. */
export async function writeGrants(
  db: Db,
  organisationId: string,
  kind: GrantKind,
  { groupId, added, removed }: GrantChange,
): Promise<void> {
  const { table, outerColumn, innerColumn } = grantKinds[kind]
  const [outer, inner] = [sql.ref(outerColumn), sql.ref(innerColumn)]
  const rows = (grants: readonly PairGrant[]) =>
    sql`unnest(${grants.map(({ outerId }) => outerId)}::uuid[], ${grants.map(({ innerId }) => innerId)}::uuid[]) AS one (outerId, innerId)`
  if (removed.length > 0) {
    await sql`
      DELETE FROM ${sql.table(table)} AS stored USING ${rows(removed)}
      WHERE organisationId = ${organisationId} AND groupId = ${groupId}
        AND stored.${outer} IS NOT DISTINCT FROM one.outerId AND stored.${inner} IS NOT DISTINCT FROM one.innerId`.execute(
      db,
    )
  }
  if (added.length > 0) {
    await sql`
      INSERT INTO ${sql.table(table)} (organisationId, groupId, ${outer}, ${inner})
      SELECT ${organisationId}, ${groupId}, outerId, innerId FROM ${rows(added)}`.execute(db)
  }
}

/** Records that grants name, by id. `versionId` is set for milestones only. */
type NamedRecords = ReadonlyMap<string, { readonly name: string; readonly versionId: string | null }>

/**
 * Finds the records of the organisation that the grants name, and locks them, so that none is deleted while the grants are saved.
 */
export async function lockRecords(
  db: Db,
  organisationId: string,
  kind: GrantKind,
  grants: readonly PairGrant[],
): Promise<NamedRecords> {
  const { outer, inner } = grantKinds[kind]
  const found = new Map<string, { name: string; versionId: string | null }>()
  for (const [table, column] of [
    [outer, 'outerId'],
    [inner, 'innerId'],
  ] as const) {
    const ids = [...new Set(grants.map((grant) => grant[column]).filter((id) => id !== null))]
    if (ids.length === 0) continue
    const versionId = table === 'milestone' ? sql`versionId` : sql`NULL::uuid`
    const { rows } = await sql<{ id: string; name: string; versionId: string | null }>`
      SELECT id, name, ${versionId} AS versionId FROM ${sql.table(table)}
      WHERE organisationId = ${organisationId} AND id = ANY(${ids}::uuid[]) ORDER BY id FOR KEY SHARE`.execute(db)
    for (const { id, ...record } of rows) found.set(id, record)
  }
  return found
}

/** The side of a grant whose record does not exist. A milestone must belong to the granted version. */
export function findMissingSide(
  kind: GrantKind,
  records: NamedRecords,
  { outerId, innerId }: PairGrant,
): 'outer' | 'inner' | undefined {
  if (outerId !== null && !records.has(outerId)) return 'outer'
  if (innerId === null) return undefined
  const inner = records.get(innerId)
  return inner === undefined || (kind === 'versions' && outerId !== null && inner.versionId !== outerId)
    ? 'inner'
    : undefined
}

/** For example `Kitchen / Bar` or `Kitchen / all subareas`. */
export function describeGrant(kind: GrantKind, records: NamedRecords, { outerId, innerId }: PairGrant): string {
  const { outer, inner } = grantKinds[kind]
  const name = (id: string | null, noun: string) => (id === null ? `all ${noun}s` : (records.get(id)?.name ?? id))
  return `${name(outerId, outer)} / ${name(innerId, inner)}`
}
