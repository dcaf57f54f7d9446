/** Writes a draft as YAML, with a comment wherever a person has to check what was guessed. */
import { Document, isMap, isScalar, isSeq, type Scalar } from 'yaml'
import type { DraftChild, DraftColumn, DraftStream, Guess, ODataDraft, RestDraft, SourceParts } from './draft-model.ts'

type Path = readonly (string | number)[]

/** Collects values with what has to be checked about them. */
class CheckList {
  readonly checks: (readonly [Path, string])[] = []

  value<Value>(path: Path, { value, check }: Guess<Value>): Value {
    if (check !== undefined) this.checks.push([path, check])
    return value
  }
}

/** @param type the name of the source in the product */
export function writeRestDraft(draft: RestDraft, type: string): string {
  const list = new CheckList()
  const [first] = draft.streams
  const value = {
    ...opening({ draft, type, engine: 'rest' }, list),
    check: { path: first?.path ?? '', ...(first?.query !== undefined && { query: first.query }) },
    streams: Object.fromEntries(
      draft.streams.map((stream) => [stream.name, streamValue(stream, ['streams', stream.name], list)]),
    ),
  }
  list.checks.push([['check'], 'a cheap call that tests the connection'])
  return written(value, list)
}

export function writeODataDraft(draft: ODataDraft, type: string): string {
  const list = new CheckList()
  const sets = draft.sets.map(({ name, key, changes }) => [
    name,
    {
      ...(key !== undefined && { key: list.value(['sets', name, 'key'], key) }),
      ...(changes !== undefined && {
        changes: list.value(['sets', name, 'changes'], changes),
        deletes: { kind: 'keys' },
      }),
    },
  ])
  const value = {
    ...opening({ draft, type, engine: 'odata' }, list),
    service: { literals: draft.literals },
    sets: Object.fromEntries(sets) as object,
  }
  return written(value, list)
}

interface OpeningParts {
  readonly draft: SourceParts
  readonly type: string
  readonly engine: 'rest' | 'odata'
}

function opening({ draft, type, engine }: OpeningParts, list: CheckList): object {
  const base = list.value(['base'], draft.base)
  const title = list.value(['title'], draft.title)
  list.checks.push([['type'], 'it is stored with each connector, so never change it later'])
  list.checks.push([['pace'], 'how many calls the API allows'])
  list.checks.push([['needs'], 'what a connection needs, and the steps to find the settings'])
  return {
    format: 1,
    type,
    engine,
    title,
    needs: `Credentials of ${title}.`,
    about: `Records of ${title}.`,
    guide: [`Create credentials in ${title} that may read.`],
    settings: draft.settings,
    base,
    hosts: [hostOf(base)],
    signIn: list.value(['signIn'], draft.signIn),
    pace: { calls: 60, seconds: 60 },
  }
}

/** A setting in the host stands for one label. */
function hostOf(base: string): string {
  const host = /^https?:\/\/([^/:]+)/u.exec(base)?.[1] ?? 'api.example.com'
  return host.replace(/^[^.]*\{[^}]+\}[^.]*/u, '*').toLowerCase()
}

function streamValue(stream: DraftStream, path: Path, list: CheckList): object {
  const { query, paging, changes, about, columns, children } = stream
  const pages = list.value([...path, 'paging'], paging)
  return {
    path: stream.path,
    ...(query !== undefined && { query }),
    records: stream.records,
    paging: pages,
    ...(about !== undefined && { about }),
    key: list.value([...path, 'key'], stream.key),
    ...(changes !== undefined && { changes: list.value([...path, 'changes'], changes), deletes: { kind: 'keys' } }),
    columns: columnsValue(columns, [...path, 'columns'], list),
    ...(children.length > 0 && {
      children: Object.fromEntries(
        children.map((child) => [child.name, childValue(child, [...path, 'children', child.name], list)]),
      ),
    }),
  }
}

function childValue({ records, key, columns }: DraftChild, path: Path, list: CheckList): object {
  return { records, ...(key !== undefined && { key }), columns: columnsValue(columns, [...path, 'columns'], list) }
}

function columnsValue(columns: readonly DraftColumn[], path: Path, list: CheckList): object {
  const values = columns.map(({ name, type, at, format, about, check }) => {
    if (check !== undefined) list.checks.push([[...path, name], check])
    const more = {
      ...(at !== `/${name}` && { at }),
      ...(format !== undefined && { format }),
      ...(about !== undefined && { about }),
    }
    return [name, Object.keys(more).length === 0 ? type : { type, ...more }]
  })
  return Object.fromEntries(values) as object
}

function written(value: object, { checks }: CheckList): string {
  const document = new Document(value, { aliasDuplicateObjects: false })
  for (const [path, text] of checks) {
    const key = keyAt(document, path)
    if (key !== null) key.commentBefore = [key.commentBefore, ` check: ${text}`].filter(Boolean).join('\n')
  }
  shorten(document.contents)
  return document.toString({ lineWidth: 140 })
}

function keyAt(document: Document, path: Path): Scalar | null {
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (!isMap(parent)) return null
  const pair = parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
  return isScalar(pair?.key) ? pair.key : null
}

/** Small maps of plain values are written on one line, unless a comment is in them. */
function shorten(node: unknown): void {
  if (isSeq(node) && node.items.every((item) => isShort(item))) node.flow = true
  if (!isMap(node)) return
  const isSmall = node.items.length <= 4 && node.items.every(({ key, value }) => isShort(value) && !hasComment(key))
  if (isSmall) node.flow = true
  else for (const { value } of node.items) shorten(value)
}

function hasComment(key: unknown): boolean {
  return isScalar(key) && typeof key.commentBefore === 'string'
}

function isShort(value: unknown): boolean {
  if (isScalar(value)) return String(value.value).length <= 60
  return isMap(value) && value.items.length <= 2 && value.items.every((pair) => isScalar(pair.value))
}
