/** Reads and writes the JSON of table metadata and commits with the 64-bit ids of snapshots as exact bigint. */
import type { TableMetadata } from './metadata.ts'

type SourceReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
const parse = JSON.parse as (text: string, reviver: SourceReviver) => unknown
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object }

/** @throws SyntaxError unless it is JSON */
export function parseIcebergJson(text: string): unknown {
  return parse(text, (key, value, { source }) =>
    snapshotIdKeys.has(key) && typeof value === 'number' && source !== undefined ? BigInt(source) : value,
  )
}

export function parseMetadataJson(text: string): TableMetadata {
  return normalizeMetadata(parseIcebergJson(text) as TableMetadata)
}

/** Old catalogs write -1 for no snapshot, and leave out the branch `main`. */
export function normalizeMetadata(metadata: TableMetadata): TableMetadata {
  const current = metadata['current-snapshot-id'] ?? null
  const currentId = current === -1n ? null : current
  const main = currentId === null ? {} : { main: { 'snapshot-id': currentId, type: 'branch' as const } }
  return { ...metadata, 'current-snapshot-id': currentId, refs: { ...main, ...metadata.refs } }
}

/** Also writes requests to a catalog: every bigint becomes a number with all its digits. */
export function stringifyIcebergJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'bigint' ? rawJSON(member.toString()) : member,
  )
}

const snapshotIdKeys: ReadonlySet<string> = new Set([
  'snapshot-id',
  'parent-snapshot-id',
  'current-snapshot-id',
  'source-snapshot-id',
])
