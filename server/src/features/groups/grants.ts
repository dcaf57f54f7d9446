/** The grants of a group: read from what was sent, compared with what is stored, and written. */
import type { GroupGrants } from '@tributary/contract/groups'
import { sql } from 'kysely'
import { type PairGrant, toGrantKey } from '../../planning/entitlement/entitlement.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'

/**
 * The two kinds of grants, and where each is kept. A milestone without its version is no grant; a subarea without its
 * area is.
 */
export const kinds = {
  areas: { table: 'groupPair', outer: 'area', inner: 'subarea', outerColumn: 'areaId', innerColumn: 'subareaId' },
  versions: {
    table: 'groupMilestone',
    outer: 'version',
    inner: 'milestone',
    outerColumn: 'versionId',
    innerColumn: 'milestoneId',
  },
} as const
export type KindName = keyof typeof kinds
export type Granted = Readonly<Record<KindName, readonly PairGrant[]>>

/**
 * A whole save: what it grants, and what it names, which is more where an id stands beside a flag that makes it mean
 * nothing.
 */
export interface Sent {
  readonly granted: Granted
  readonly named: Granted
}

/** A side of a grant as it is sent; the flag counts for more than an id. Throws `badInput` where neither is given. */
export function sideOf(field: string, id: string | null | undefined, hasAll: boolean | undefined): string | null {
  if (hasAll === true) return null
  if (id === null || id === undefined) throw badField(field, 'is missing; name one, or say that all are meant')
  return id
}

/** Of a whole save. Throws `badInput` naming the grant that is not right. */
export function sentOf(grants: GroupGrants): Sent {
  return { granted: grantsOf(grants), named: namedIn(grants) }
}

/** Grants that name nothing else. */
export function asSent(granted: Granted): Sent {
  return { granted, named: granted }
}

/** Each once. */
function grantsOf({ areas, versions }: GroupGrants): Granted {
  return {
    areas: unique(
      areas.map(({ areaId, subareaId, allAreas, allSubareas }, at) => ({
        outerId: sideOf(`grants.areas.${at}.areaId`, areaId, allAreas),
        innerId: sideOf(`grants.areas.${at}.subareaId`, subareaId, allSubareas),
      })),
    ),
    versions: unique(
      versions.map(({ versionId, milestoneId, allVersions, allMilestones }, at) => ({
        outerId: sideOf(`grants.versions.${at}.versionId`, versionId, allVersions),
        innerId: sideOf(`grants.versions.${at}.milestoneId`, milestoneId, allVersions || allMilestones),
      })),
    ),
  }
}

/** Another organisation's record is refused wherever it stands. */
function namedIn({ areas, versions }: GroupGrants): Granted {
  return {
    areas: areas.map(({ areaId, subareaId }) => ({ outerId: areaId, innerId: subareaId })),
    versions: versions.map(({ versionId, milestoneId }) => ({ outerId: versionId, innerId: milestoneId })),
  }
}

function unique(grants: readonly PairGrant[]): readonly PairGrant[] {
  return [...new Map(grants.map((grant) => [toGrantKey(grant.outerId, grant.innerId), grant])).values()]
}

/** Those of the first that the second lacks. */
export function without(grants: readonly PairGrant[], others: readonly PairGrant[]): readonly PairGrant[] {
  const keys = new Set(others.map(({ outerId, innerId }) => toGrantKey(outerId, innerId)))
  return grants.filter(({ outerId, innerId }) => !keys.has(toGrantKey(outerId, innerId)))
}

export async function readGrants(db: Db, organisationId: string, groupId: string): Promise<Granted> {
  const read = async (kind: KindName): Promise<readonly PairGrant[]> => {
    const { table, outerColumn, innerColumn } = kinds[kind]
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

/** Throws `badInput` naming the first grant whose record is not there. */
export async function writeGrants(
  db: Db,
  organisationId: string,
  kind: KindName,
  { groupId, added, removed }: GrantChange,
): Promise<void> {
  const { table, outerColumn, innerColumn } = kinds[kind]
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

/** A record that a grant names, as it is called; of a milestone also its version. */
type Records = ReadonlyMap<string, { readonly name: string; readonly versionId: string | null }>

/**
 * Every record that these grants name and that the organisation has, held so that none is deleted while they are
 * saved.
 */
export async function holdRecords(
  db: Db,
  organisationId: string,
  kind: KindName,
  grants: readonly PairGrant[],
): Promise<Records> {
  const { outer, inner } = kinds[kind]
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

/** Which side of a grant names what is not there, if one does; a milestone is looked for in the version beside it. */
export function missingSide(
  kind: KindName,
  records: Records,
  { outerId, innerId }: PairGrant,
): 'outer' | 'inner' | undefined {
  if (outerId !== null && !records.has(outerId)) return 'outer'
  if (innerId === null) return undefined
  const inner = records.get(innerId)
  return inner === undefined || (kind === 'versions' && outerId !== null && inner.versionId !== outerId)
    ? 'inner'
    : undefined
}

/** 'Kitchen / Bar', 'Kitchen / all subareas'. */
export function grantName(kind: KindName, records: Records, { outerId, innerId }: PairGrant): string {
  const { outer, inner } = kinds[kind]
  const name = (id: string | null, word: string) => (id === null ? `all ${word}s` : (records.get(id)?.name ?? id))
  return `${name(outerId, outer)} / ${name(innerId, inner)}`
}
