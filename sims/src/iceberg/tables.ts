/** The tables of a simulated Iceberg catalog: strict about requirements, snapshots and references. Snapshot ids stay text. */
import { randomUUID } from 'node:crypto'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json | undefined
}

/** Thrown by a change that does not fit the table. */
export class CommitRefused extends Error {}

const idKeys = /"(?:current-|parent-|source-)?snapshot-id"\s*:\s*(-?\d+)/gu
const idLists = /"snapshot-ids"\s*:\s*\[([\d\s,]*)\]/gu

/** JSON in which the 64-bit ids of snapshots are texts. */
export function parseWithIds(text: string): JsonObject {
  const quoted = text
    .replace(idKeys, (member, id: string) => `${member.slice(0, member.length - id.length)}"#${id}"`)
    .replace(idLists, (_, ids: string) => `"snapshot-ids":[${ids.replace(/\d+/gu, '"#$&"')}]`)
  return JSON.parse(quoted) as JsonObject
}

export function stringifyWithIds(value: unknown): string {
  return JSON.stringify(value).replace(/"#(-?\d+)"/gu, '$1')
}

export interface TableState {
  readonly uuid: string
  readonly location: string
  metadata: JsonObject
  version: number
}

export function createTableState(location: string, request: JsonObject, now: number): TableState {
  const uuid = randomUUID()
  const schema = { ...objectOf(request['schema']), 'schema-id': 0 }
  const spec = objectOf(request['partition-spec'] ?? { fields: [] })
  const order = objectOf(request['write-order'] ?? { fields: [] })
  const orderId = listOf(order['fields']).length === 0 ? 0 : 1
  const metadata = {
    'format-version': 2,
    'table-uuid': uuid,
    location,
    'last-sequence-number': 0,
    'last-updated-ms': now,
    'last-column-id': highestId(schema),
    schemas: [schema],
    'current-schema-id': 0,
    'partition-specs': [{ ...spec, 'spec-id': 0 }],
    'default-spec-id': 0,
    'last-partition-id': Math.max(999, ...listOf(spec['fields']).map((field) => Number(field['field-id']))),
    'sort-orders': [{ ...order, 'order-id': orderId }],
    'default-sort-order-id': orderId,
    properties: request['properties'] ?? {},
    snapshots: [],
    refs: {},
  }
  return { uuid, location, metadata, version: 0 }
}

/** Returns the changed metadata, or throws `CommitRefused` without a change. */
export function commit(metadata: JsonObject, change: JsonObject, now: number): JsonObject {
  for (const requirement of listOf(change['requirements'])) {
    if (!holds(metadata, requirement)) throw new CommitRefused(`Requirement failed: ${String(requirement['type'])}`)
  }
  let next: JsonObject = { ...metadata, 'last-updated-ms': now }
  for (const update of listOf(change['updates'])) next = apply(next, update)
  return next
}

function holds(metadata: JsonObject, requirement: JsonObject): boolean {
  switch (requirement['type']) {
    case 'assert-table-uuid':
      return metadata['table-uuid'] === requirement['uuid']
    case 'assert-ref-snapshot-id': {
      const ref = objectOf(objectOf(metadata['refs'])[String(requirement['ref'])] ?? {})
      return (ref['snapshot-id'] ?? null) === requirement['snapshot-id']
    }
    case 'assert-last-assigned-field-id':
      return metadata['last-column-id'] === requirement['last-assigned-field-id']
    case 'assert-last-assigned-partition-id':
      return metadata['last-partition-id'] === requirement['last-assigned-partition-id']
    case 'assert-current-schema-id':
    case 'assert-default-spec-id':
    case 'assert-default-sort-order-id': {
      const name = requirement['type'].slice('assert-'.length)
      return metadata[name] === requirement[name]
    }
    default:
      return false
  }
}

function apply(metadata: JsonObject, update: JsonObject): JsonObject {
  switch (update['action']) {
    case 'set-properties':
      return { ...metadata, properties: { ...objectOf(metadata['properties']), ...objectOf(update['updates']) } }
    case 'remove-properties': {
      const removed = new Set(update['removals'] as readonly string[])
      const kept = Object.entries(objectOf(metadata['properties'])).filter(([name]) => !removed.has(name))
      return { ...metadata, properties: Object.fromEntries(kept) }
    }
    case 'add-schema':
    case 'add-spec':
    case 'add-sort-order':
      return addPart(metadata, update)
    case 'set-current-schema':
      return { ...metadata, 'current-schema-id': idOrLast(update['schema-id'], metadata['schemas'], 'schema-id') }
    case 'set-default-spec':
      return { ...metadata, 'default-spec-id': idOrLast(update['spec-id'], metadata['partition-specs'], 'spec-id') }
    case 'set-default-sort-order': {
      const id = idOrLast(update['sort-order-id'], metadata['sort-orders'], 'order-id')
      return { ...metadata, 'default-sort-order-id': id }
    }
    default:
      return applySnapshot(metadata, update)
  }
}

const parts = {
  'add-schema': { member: 'schema', list: 'schemas', id: 'schema-id' },
  'add-spec': { member: 'spec', list: 'partition-specs', id: 'spec-id' },
  'add-sort-order': { member: 'sort-order', list: 'sort-orders', id: 'order-id' },
} as const

function addPart(metadata: JsonObject, update: JsonObject): JsonObject {
  const { member, list, id } = parts[update['action'] as keyof typeof parts]
  const added = objectOf(update[member])
  const known = listOf(metadata[list])
  const next = { ...metadata, [list]: [...known, { ...added, [id]: known.length }] }
  if (member !== 'schema') return next
  return { ...next, 'last-column-id': Math.max(Number(metadata['last-column-id']), highestId(added)) }
}

function applySnapshot(metadata: JsonObject, update: JsonObject): JsonObject {
  const snapshots = listOf(metadata['snapshots'])
  const refs = objectOf(metadata['refs'])
  switch (update['action']) {
    case 'add-snapshot': {
      const snapshot = objectOf(update['snapshot'])
      const sequence = Number(snapshot['sequence-number'])
      if (sequence <= Number(metadata['last-sequence-number'])) throw new CommitRefused('Sequence number is not newer')
      const parent = snapshot['parent-snapshot-id']
      if (parent !== undefined && !snapshots.some((other) => other['snapshot-id'] === parent))
        throw new CommitRefused('Parent snapshot is missing')
      return { ...metadata, snapshots: [...snapshots, snapshot], 'last-sequence-number': sequence }
    }
    case 'set-snapshot-ref': {
      const { action: _action, 'ref-name': name, ...ref } = update
      if (!snapshots.some((other) => other['snapshot-id'] === ref['snapshot-id']))
        throw new CommitRefused('Snapshot is missing')
      const current = name === 'main' ? { 'current-snapshot-id': ref['snapshot-id'] } : {}
      return { ...metadata, refs: { ...refs, [String(name)]: ref }, ...current }
    }
    case 'remove-snapshot-ref': {
      const kept = Object.entries(refs).filter(([name]) => name !== update['ref-name'])
      return { ...metadata, refs: Object.fromEntries(kept) }
    }
    case 'remove-snapshots': {
      const removed = new Set(update['snapshot-ids'] as readonly string[])
      return { ...metadata, snapshots: snapshots.filter((other) => !removed.has(String(other['snapshot-id']))) }
    }
    default:
      throw new CommitRefused(`Unknown update ${String(update['action'])}`)
  }
}

function idOrLast(id: Json | undefined, list: Json | undefined, name: string): Json {
  const known = listOf(list)
  const found = id === -1 ? known.at(-1) : known.find((other) => other[name] === id)
  if (found === undefined) throw new CommitRefused(`${name} is missing`)
  return found[name] ?? null
}

function highestId(schema: JsonObject): number {
  const ids = [...JSON.stringify(schema).matchAll(/"(?:id|element-id|key-id|value-id)":(\d+)/gu)].map(([, id]) =>
    Number(id),
  )
  return Math.max(0, ...ids)
}

export function objectOf(value: Json | undefined): JsonObject {
  return value as JsonObject
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return (value ?? []) as readonly JsonObject[]
}
