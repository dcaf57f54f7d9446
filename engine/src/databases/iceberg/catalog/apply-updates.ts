/** Makes the next metadata of a table from the updates of a commit, as a REST catalog does on its server. */
import { CatalogConflictError } from './catalog.ts'
import type { TableUpdate } from './commit.ts'
import type {
  IcebergSchema,
  PartitionSpec,
  Snapshot,
  SnapshotLogEntry,
  SnapshotRef,
  SortOrder,
  TableMetadata,
} from './metadata.ts'

type UpdateOf<Action extends TableUpdate['action']> = Extract<TableUpdate, { readonly action: Action }>

/** What the updates before this one have added, for the id -1. */
interface AddedIds {
  schema: number
  spec: number
  sortOrder: number
}

/** @param now milliseconds since 1970 */
export function applyUpdates(metadata: TableMetadata, updates: readonly TableUpdate[], now: number): TableMetadata {
  const added: AddedIds = { schema: -1, spec: -1, sortOrder: -1 }
  const changed = updates.reduce((before, update) => applyUpdate(before, update, added), metadata)
  return { ...changed, 'last-updated-ms': Math.max(now, metadata['last-updated-ms']) }
}

function applyUpdate(metadata: TableMetadata, update: TableUpdate, added: AddedIds): TableMetadata {
  switch (update.action) {
    case 'assign-uuid':
      return { ...metadata, 'table-uuid': update.uuid }
    case 'upgrade-format-version':
      return { ...metadata, 'format-version': Math.max(metadata['format-version'], update['format-version']) }
    case 'set-location':
      return { ...metadata, location: update.location }
    case 'set-properties':
      return { ...metadata, properties: { ...metadata.properties, ...update.updates } }
    case 'remove-properties':
      return { ...metadata, properties: omit(metadata.properties ?? {}, update.removals) }
    case 'set-statistics':
    case 'remove-statistics':
      return setStatistics(metadata, update)
    default:
      return applyStructure(metadata, update, added)
  }
}

type StructureUpdate = UpdateOf<
  | 'add-schema'
  | 'set-current-schema'
  | 'add-spec'
  | 'set-default-spec'
  | 'add-sort-order'
  | 'set-default-sort-order'
  | 'add-snapshot'
  | 'set-snapshot-ref'
  | 'remove-snapshots'
  | 'remove-snapshot-ref'
>

function applyStructure(metadata: TableMetadata, update: StructureUpdate, added: AddedIds): TableMetadata {
  switch (update.action) {
    case 'add-schema':
      return addSchema(metadata, update.schema, added)
    case 'set-current-schema':
      return { ...metadata, 'current-schema-id': resolveId(update['schema-id'], added.schema) }
    case 'add-spec':
      return addSpec(metadata, update.spec, added)
    case 'set-default-spec':
      return { ...metadata, 'default-spec-id': resolveId(update['spec-id'], added.spec) }
    case 'add-sort-order':
      return addSortOrder(metadata, update['sort-order'], added)
    case 'set-default-sort-order':
      return { ...metadata, 'default-sort-order-id': resolveId(update['sort-order-id'], added.sortOrder) }
    case 'add-snapshot':
      return addSnapshot(metadata, update.snapshot)
    case 'set-snapshot-ref':
      return setRef(metadata, update)
    case 'remove-snapshots':
      return removeSnapshots(metadata, new Set(update['snapshot-ids']))
    case 'remove-snapshot-ref':
      return removeRef(metadata, update['ref-name'])
  }
}

function resolveId(id: number, lastAdded: number): number {
  return id === -1 ? lastAdded : id
}

function addSchema(metadata: TableMetadata, schema: IcebergSchema, added: AddedIds): TableMetadata {
  const shapeOf = (described: IcebergSchema) => JSON.stringify({ ...described, 'schema-id': 0 })
  const equal = metadata.schemas.find((other) => shapeOf(other) === shapeOf(schema))
  added.schema = equal?.['schema-id'] ?? 1 + Math.max(-1, ...metadata.schemas.map((other) => other['schema-id']))
  if (equal !== undefined) return metadata
  return {
    ...metadata,
    schemas: [...metadata.schemas, { ...schema, 'schema-id': added.schema }],
    'last-column-id': Math.max(metadata['last-column-id'], highestFieldId(schema)),
  }
}

/** The highest id in a schema, those of nested types included. */
export function highestFieldId(schema: IcebergSchema): number {
  let highest = 0
  JSON.stringify(schema.fields, (key, value: unknown) => {
    if (fieldIdKeys.has(key) && typeof value === 'number') highest = Math.max(highest, value)
    return value
  })
  return highest
}

const fieldIdKeys: ReadonlySet<string> = new Set(['id', 'element-id', 'key-id', 'value-id'])

function addSpec(metadata: TableMetadata, spec: PartitionSpec, added: AddedIds): TableMetadata {
  const equal = metadata['partition-specs'].find(
    (other) => JSON.stringify(other.fields) === JSON.stringify(spec.fields),
  )
  added.spec = equal?.['spec-id'] ?? 1 + Math.max(-1, ...metadata['partition-specs'].map((other) => other['spec-id']))
  if (equal !== undefined) return metadata
  return {
    ...metadata,
    'partition-specs': [...metadata['partition-specs'], { ...spec, 'spec-id': added.spec }],
    'last-partition-id': Math.max(metadata['last-partition-id'], ...spec.fields.map((field) => field['field-id'])),
  }
}

function addSortOrder(metadata: TableMetadata, order: SortOrder, added: AddedIds): TableMetadata {
  const equal = metadata['sort-orders'].find((other) => JSON.stringify(other.fields) === JSON.stringify(order.fields))
  // 0 is the id of the order without fields.
  const next =
    order.fields.length === 0 ? 0 : 1 + Math.max(0, ...metadata['sort-orders'].map((other) => other['order-id']))
  added.sortOrder = equal?.['order-id'] ?? next
  if (equal !== undefined) return metadata
  return { ...metadata, 'sort-orders': [...metadata['sort-orders'], { ...order, 'order-id': added.sortOrder }] }
}

function addSnapshot(metadata: TableMetadata, snapshot: Snapshot): TableMetadata {
  const isRepeated = metadata.snapshots?.some((other) => other['snapshot-id'] === snapshot['snapshot-id']) ?? false
  if (isRepeated || snapshot['sequence-number'] <= metadata['last-sequence-number'])
    throw new CatalogConflictError('The table has changed: the sequence number of the snapshot is not the next.')
  return {
    ...metadata,
    snapshots: [...(metadata.snapshots ?? []), snapshot],
    'last-sequence-number': snapshot['sequence-number'],
  }
}

function setRef(metadata: TableMetadata, update: UpdateOf<'set-snapshot-ref'>): TableMetadata {
  const { action: _, 'ref-name': name, ...ref } = update
  const snapshot = metadata.snapshots?.find((other) => other['snapshot-id'] === ref['snapshot-id'])
  if (snapshot === undefined) throw new CatalogConflictError('The table has changed: the snapshot is missing.')
  const refs = { ...metadata.refs, [name]: ref satisfies SnapshotRef }
  if (name !== 'main') return { ...metadata, refs }
  const entry: SnapshotLogEntry = {
    'snapshot-id': ref['snapshot-id'],
    'timestamp-ms': snapshot['timestamp-ms'],
  }
  return {
    ...metadata,
    refs,
    'current-snapshot-id': ref['snapshot-id'],
    'snapshot-log': [...(metadata['snapshot-log'] ?? []), entry],
  }
}

function removeRef(metadata: TableMetadata, name: string): TableMetadata {
  const refs = omit(metadata.refs ?? {}, [name])
  return name === 'main' ? { ...metadata, refs, 'current-snapshot-id': null } : { ...metadata, refs }
}

function removeSnapshots(metadata: TableMetadata, ids: ReadonlySet<bigint>): TableMetadata {
  const refs = Object.entries(metadata.refs ?? {}).filter(([, ref]) => !ids.has(ref['snapshot-id']))
  const current = metadata['current-snapshot-id'] ?? null
  // A log with a gap would place rows at times when they were not current, so it begins after the last removed entry.
  const log = metadata['snapshot-log'] ?? []
  const lastRemoved = log.findLastIndex((entry) => ids.has(entry['snapshot-id']))
  return {
    ...metadata,
    snapshots: (metadata.snapshots ?? []).filter((snapshot) => !ids.has(snapshot['snapshot-id'])),
    refs: Object.fromEntries(refs),
    'current-snapshot-id': current !== null && ids.has(current) ? null : current,
    'snapshot-log': log.slice(lastRemoved + 1),
    statistics: (metadata.statistics ?? []).filter((file) => !ids.has(file['snapshot-id'])),
  }
}

function setStatistics(
  metadata: TableMetadata,
  update: UpdateOf<'set-statistics' | 'remove-statistics'>,
): TableMetadata {
  const id = update.action === 'set-statistics' ? update.statistics['snapshot-id'] : update['snapshot-id']
  const others = (metadata.statistics ?? []).filter((file) => file['snapshot-id'] !== id)
  return { ...metadata, statistics: update.action === 'set-statistics' ? [...others, update.statistics] : others }
}

function omit<Value>(members: { readonly [name: string]: Value }, names: readonly string[]): { [name: string]: Value } {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}
