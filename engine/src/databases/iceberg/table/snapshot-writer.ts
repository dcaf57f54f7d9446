/** Writes the manifests of a new snapshot: those of the snapshot before it, without the removed files and with the added ones. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { LoadedTable } from '../catalog/catalog.ts'
import type { IcebergSchema, PartitionSpec, Snapshot, TableMetadata } from '../catalog/metadata.ts'
import type { AvroSchema } from '../format/avro-schema.ts'
import {
  type DataFile,
  type Manifest,
  type ManifestEntry,
  manifestRecord,
  writeManifest,
  writeManifestList,
  type WrittenManifest,
} from '../format/manifest.ts'
import { partitionRecord } from '../format/manifest-schemas.ts'
import { isLive, type ListedManifest, snapshotOf } from './table-files.ts'

export interface SnapshotChange {
  /** The manifests to continue from; empty for none. */
  readonly listed: readonly ListedManifest[]
  readonly branch: string
  /** Data files and delete files. */
  readonly added: readonly DataFile[]
  /** Paths of both. */
  readonly removed: ReadonlySet<string>
  /** In addition to the counts. */
  readonly summary: { readonly [name: string]: string }
  /** Begins the names of files, so that those of a dead writer are found. */
  readonly filePrefix: string
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface WrittenSnapshot {
  readonly snapshot: Snapshot
  /** The files that were written for it. They are garbage if the commit fails. */
  readonly paths: readonly string[]
}

/** More small manifests are written again as one, so that readers open few files. */
const smallManifests = 20
const smallManifestFiles = 50

export async function writeSnapshot(table: LoadedTable, change: SnapshotChange): Promise<WrittenSnapshot> {
  const { metadata, storage } = table
  const parent = snapshotOf(table, change.branch)
  const id = newSnapshotId(metadata)
  const sequence = metadata['last-sequence-number'] + 1
  const written: WrittenManifest[] = []
  const base = `${metadata.location.replace(/\/$/u, '')}/metadata/${change.filePrefix}${randomUUID()}`
  const write = async (entries: readonly ManifestEntry[], { specId, content, partition }: KindOfManifest) => {
    if (entries.length === 0) return
    const path = `${base}-m${written.length}.avro`
    const spec = specOf(metadata, specId)
    const bytes = writeManifest({ entries, partition, schema: schemaOf(metadata), spec, content })
    await storage.write(path, bytes)
    written.push({ path, length: bytes.length, spec, content, entries })
  }
  const { kept, rewritten } = sortManifests(change)
  for (const content of ['data', 'deletes'] as const) {
    const again = rewritten.filter(({ manifest }) => manifest.content === content)
    for (const [specId, manifests] of Map.groupBy(again, ({ manifest }) => manifest.specId)) {
      const entries = manifests.flatMap((each) => carriedEntries(each, change.removed, id))
      const [first] = manifests
      if (first !== undefined) await write(entries, { specId, content, partition: first.partition })
    }
    const added = change.added.filter((file) => (file.content === 'data') === (content === 'data'))
    for (const [specId, files] of Map.groupBy(added, (file) => file.specId)) {
      const entries = files.map((file): ManifestEntry => ({ ...newEntry, snapshotId: id, file }))
      await write(entries, { specId, content, partition: partitionRecord(namedFields(specOf(metadata, specId))) })
    }
  }
  const listPath = `${base}-list.avro`
  const records = written.map((each) => manifestRecord(each, { id, sequence }))
  const parentId = parent?.['snapshot-id'] ?? null
  await storage.write(
    listPath,
    writeManifestList([...records, ...kept.map(({ manifest }) => manifest.record)], { id, parent: parentId, sequence }),
  )
  return {
    snapshot: {
      'snapshot-id': id,
      ...(parentId !== null && { 'parent-snapshot-id': parentId }),
      'sequence-number': sequence,
      'timestamp-ms': Math.max(change.now, metadata['last-updated-ms']),
      'manifest-list': listPath,
      summary: summaryOf(change),
      'schema-id': metadata['current-schema-id'],
    },
    paths: [...written.map(({ path }) => path), listPath],
  }
}

interface KindOfManifest {
  readonly specId: number
  readonly content: Manifest['content']
  readonly partition: AvroSchema
}

const newEntry = { status: 'added', sequence: null, fileSequence: null } as const

interface SortedManifests {
  readonly kept: readonly ListedManifest[]
  readonly rewritten: readonly ListedManifest[]
}

function sortManifests({ listed, removed }: SnapshotChange): SortedManifests {
  const hasRemoved = ({ entries }: ListedManifest): boolean =>
    entries.some((entry) => isLive(entry) && removed.has(entry.file.path))
  const isEmpty = ({ entries }: ListedManifest): boolean => !entries.some(isLive)
  const living = listed.filter((each) => !isEmpty(each))
  const small = living.filter(({ entries }) => entries.length < smallManifestFiles)
  const merged = new Set(small.length > smallManifests ? small : [])
  const isRewritten = (each: ListedManifest): boolean => merged.has(each) || hasRemoved(each)
  return { kept: living.filter((each) => !isRewritten(each)), rewritten: living.filter(isRewritten) }
}

/** Entries of a manifest that is written again. Deletions are listed once, in the snapshot that makes them. */
function carriedEntries(
  { entries, manifest }: ListedManifest,
  removed: ReadonlySet<string>,
  snapshotId: bigint,
): readonly ManifestEntry[] {
  return entries.filter(isLive).map((entry) => {
    const numbers = {
      sequence: entry.sequence ?? manifest.sequence,
      fileSequence: entry.fileSequence ?? manifest.sequence,
    }
    return removed.has(entry.file.path)
      ? { ...entry, ...numbers, status: 'deleted', snapshotId }
      : { ...entry, ...numbers, status: 'existing' }
  })
}

function summaryOf({ listed, added, removed, summary }: SnapshotChange): Snapshot['summary'] {
  const before = listed.flatMap(({ entries }) => entries.filter(isLive).map(({ file }) => file))
  const gone = before.filter(({ path }) => removed.has(path))
  const isData = ({ content }: DataFile): boolean => content === 'data'
  const [addedData, goneData] = [added.filter(isData), gone.filter(isData)]
  return {
    operation: operationOf(added, gone),
    ...summary,
    'added-data-files': String(addedData.length),
    'added-records': sumOf(addedData, 'rows'),
    'added-files-size': sumOf(added, 'size'),
    'deleted-data-files': String(goneData.length),
    'deleted-records': sumOf(goneData, 'rows'),
    'removed-files-size': sumOf(gone, 'size'),
    ...totalsOf([...before.filter(({ path }) => !removed.has(path)), ...added]),
    ...changedDeletions(added, gone),
  }
}

function operationOf(added: readonly DataFile[], gone: readonly DataFile[]): string {
  if (gone.length === 0 && added.every(({ content }) => content === 'data')) return 'append'
  return added.some(({ content }) => content === 'data') ? 'overwrite' : 'delete'
}

function sumOf(files: readonly DataFile[], of: 'rows' | 'size'): string {
  return String(files.reduce((all, file) => all + file[of], 0))
}

function totalsOf(files: readonly DataFile[]): { readonly [name: string]: string } {
  const of = (wanted: DataFile['content']) => files.filter(({ content }) => content === wanted)
  return {
    'total-data-files': String(of('data').length),
    'total-records': sumOf(of('data'), 'rows'),
    'total-files-size': sumOf(files, 'size'),
    'total-delete-files': String(files.length - of('data').length),
    'total-position-deletes': sumOf(of('positions'), 'rows'),
    'total-equality-deletes': sumOf(of('keys'), 'rows'),
  }
}

/** Absent where no delete file changes, as other writers do. */
function changedDeletions(added: readonly DataFile[], gone: readonly DataFile[]): { readonly [name: string]: string } {
  const positionsOf = (files: readonly DataFile[]) => files.filter(({ content }) => content === 'positions')
  const [more, less] = [positionsOf(added), positionsOf(gone)]
  return {
    ...(more.length > 0 && {
      'added-delete-files': String(more.length),
      'added-position-delete-files': String(more.length),
      'added-position-deletes': sumOf(more, 'rows'),
    }),
    ...(less.length > 0 && {
      'removed-delete-files': String(less.length),
      'removed-position-delete-files': String(less.length),
      'removed-position-deletes': sumOf(less, 'rows'),
    }),
  }
}

/** Positive and below 2^53, so that readers that parse JSON numbers as doubles find it. */
function newSnapshotId({ snapshots = [] }: TableMetadata): bigint {
  const taken = new Set(snapshots.map((snapshot) => snapshot['snapshot-id']))
  for (;;) {
    const id = randomBytes(8).readBigUInt64BE() >> 12n
    if (id > 0n && !taken.has(id)) return id
  }
}

export function schemaOf(metadata: TableMetadata): IcebergSchema {
  const found = metadata.schemas.find((schema) => schema['schema-id'] === metadata['current-schema-id'])
  if (found === undefined) throw new Error('The table has no current schema.')
  return found
}

function specOf(metadata: TableMetadata, specId: number): PartitionSpec {
  return metadata['partition-specs'].find((spec) => spec['spec-id'] === specId) ?? { 'spec-id': specId, fields: [] }
}

function namedFields({ fields }: PartitionSpec): readonly { readonly id: number; readonly name: string }[] {
  return fields.map(({ 'field-id': id, name }) => ({ id, name }))
}
