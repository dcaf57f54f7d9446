/** Decides which tables and views of the warehouse a person reads. Pure. */
import { isViewClaim } from '@tributary/engine/databases/sql-target/owned-views'
import { sliceTableName } from '../../planning/tables/table-names.ts'
import type { ReadableTables } from '../query/readable-tables.ts'
import type { WarehouseRelation } from './warehouse-catalogue.ts'

/** The records of an organisation that own tables. */
export interface TableOwners {
  /** The writer of the organisation's own tables. */
  readonly tableWriter: string | undefined
  readonly versionIds: ReadonlySet<string>
  readonly helperTableIds: ReadonlySet<string>
}

export type RelationOwner =
  | { readonly kind: 'connector'; readonly connectorId: string; readonly stream: string }
  | { readonly kind: 'version' | 'helperTable'; readonly recordId: string }
  /** Views, and tables that the product keeps for itself. */
  | { readonly kind: 'view' | 'system' }

export function ownerOf({ claim, kind }: WarehouseRelation, owners: TableOwners): RelationOwner {
  if (kind === 'view') return { kind: 'view' }
  if (claim === null) return { kind: 'system' }
  if (claim.connector !== owners.tableWriter)
    return { kind: 'connector', connectorId: claim.connector, stream: claim.stream }
  const isSliceTable = claim.sourceName.startsWith(sliceTableName(''))
  if (owners.versionIds.has(claim.stream) && !isSliceTable) return { kind: 'version', recordId: claim.stream }
  if (owners.helperTableIds.has(claim.stream) && !isSliceTable) return { kind: 'helperTable', recordId: claim.stream }
  return { kind: 'system' }
}

/** `rows`: only the rows of the person's slices. */
type ReadExtent = 'none' | 'rows' | 'all'

/** What a person's assistants read: only tables whose owner is known, so that nothing of a forbidden source is among them. */
export function limitToAssistants(readable: ReadableTables, connectors: readonly string[]): ReadableTables {
  const own = readable.connectors
  return {
    ...readable,
    markedViews: [],
    connectors: own === 'all' ? connectors : connectors.filter((id) => own.includes(id)),
  }
}

/**
 * The relations that a person reads, by oid. A version table is closed until a policy limits its rows, except for administrators. A view runs with the
 * rights of its owner, so it is readable only if the person reads all rows of everything that it refers to, or if an auditor room names its mark.
 */
export function readableRelations(
  relations: readonly WarehouseRelation[],
  readable: ReadableTables,
  owners: TableOwners,
): ReadonlySet<number> {
  if (!readable.mayRead) return new Set()
  const byOid = new Map(relations.map((relation) => [relation.oid, relation]))
  const known = new Map<number, ReadExtent>()
  // Published views find their moment in them. They say nothing about rows.
  const publicationTables = new Set(relations.filter(isPublicationTable).map(({ oid }) => oid))

  function extentOf(oid: number): ReadExtent {
    const found = known.get(oid)
    if (found !== undefined) return found
    // Views cannot refer to themselves in a circle, except through functions.
    known.set(oid, 'none')
    const relation = byOid.get(oid)
    const extent = relation === undefined ? 'none' : relation.kind === 'view' ? ofView(relation) : ofTable(relation)
    known.set(oid, extent)
    return extent
  }

  function ofView(relation: WarehouseRelation): ReadExtent {
    const { refersTo, isInvokerView } = relation
    if (readable.connectors === 'all' || isMarkedView(relation, readable)) return 'all'
    const extents = refersTo.filter((oid) => !publicationTables.has(oid)).map(extentOf)
    if (extents.every((extent) => extent === 'all')) return extents.length === 0 ? 'none' : 'all'
    return isInvokerView && extents.every((extent) => extent !== 'none') ? 'rows' : 'none'
  }

  function ofTable(relation: WarehouseRelation): ReadExtent {
    const owner = ownerOf(relation, owners)
    if (readable.connectors === 'all') return 'all'
    if (owner.kind === 'connector') return readable.connectors.includes(owner.connectorId) ? 'all' : 'none'
    if (owner.kind === 'helperTable') return includes(readable.helperTables, owner.recordId) ? 'all' : 'none'
    if (owner.kind !== 'version' || !includes(readable.versions, owner.recordId)) return 'none'
    if (readable.versions === 'all') return 'all'
    return relation.isLimitedByRows ? 'rows' : 'none'
  }

  return new Set(relations.filter(({ oid }) => extentOf(oid) !== 'none').map(({ oid }) => oid))
}

const publicationTableNames = ['tributary_publication', 'tributary_publication_run']

function isPublicationTable({ schema, name, kind }: WarehouseRelation): boolean {
  return schema === 'published' && kind === 'table' && publicationTableNames.includes(name)
}

/** A view of a connector that reads with the rights of its owner. Others need rights to what they show, which no room gives. */
function isMarkedView({ name, claim, isInvokerView }: WarehouseRelation, { markedViews }: ReadableTables): boolean {
  if (claim === null || !isViewClaim(claim.stream) || isInvokerView) return false
  return markedViews.some((view) => view.connectorId === claim.connector && view.name === name)
}

function includes(ids: 'all' | readonly string[], id: string): boolean {
  return ids === 'all' || ids.includes(id)
}
