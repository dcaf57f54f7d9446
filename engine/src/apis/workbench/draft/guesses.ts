/** Guesses from names that many APIs share. Each is marked in the draft, because only a person can confirm it. */
import type { DraftColumn, DraftStream, Guess } from './draft-model.ts'

/** The member of a reply that has the records, by how likely its name is. */
const listNames = ['data', 'value', 'items', 'results', 'records', 'rows', 'entries', 'list', 'content', 'collection']

/** @param candidates names of members that are lists of records */
export function likelyList(candidates: readonly string[], lastOfPath: string): string | null {
  const common = listNames.find((name) => candidates.includes(name))
  const ofPath = candidates.find((name) => name.toLowerCase() === lastOfPath.toLowerCase())
  return ofPath ?? common ?? candidates[0] ?? null
}

/** @param isUnique whether the values of a column are known to differ; absent: values are not known */
export function likelyKey(
  stream: string,
  columns: readonly DraftColumn[],
  isUnique?: (column: string) => boolean,
): Guess<readonly string[]> {
  const one = singular(stream)
  const wanted = ['id', 'uuid', 'guid', `${one}_id`, `${one}id`, 'key', `${one}_key`, `${one}_number`, 'number', 'code']
  const candidates = columns.filter(({ type }) => /^(?:text|bigint|integer|guid)/u.test(type)).map(({ name }) => name)
  const unique = isUnique === undefined ? candidates : candidates.filter(isUnique)
  const found =
    wanted.find((name) => unique.includes(name)) ??
    (isUnique === undefined ? undefined : unique.find((name) => /(?:^|_)(?:id|no|number|key|code)$/u.test(name)))
  if (found === undefined)
    return { value: [], check: 'no member looks like a key; without one, each run replaces the table' }
  return {
    value: [found],
    check: isUnique === undefined ? 'identifies a record for ever' : 'unique in the sample; is it for ever?',
  }
}

/** `order_lines` becomes `order_line`, and `companies` becomes `company`. */
export function singular(name: string): string {
  if (name.endsWith('ies') && name.length > 4) return `${name.slice(0, -3)}y`
  if (/(?:ss|us|is)$/u.test(name)) return name
  return name.endsWith('s') && name.length > 2 ? name.slice(0, -1) : name
}

const changedNames =
  /^(?:(?:date_?)?(?:last_?)?(?:updated?|modified|changed|modification)(?:_?(?:at|on|date|time|utc|date_?time|timestamp|date_?utc))?|last_?(?:update|change)d?(?:_?(?:date|time|at))?|updated_date_utc|system_modified_at)$/u

export function likelyChangedAt(columns: readonly DraftColumn[]): DraftColumn | undefined {
  return columns.find(({ name, type }) => /^(?:instant|timestamp|date)/u.test(type) && changedNames.test(name))
}

const sinceNames =
  /^(?:(?:last_?)?(?:updated?|modified|changed)_?(?:since|after|from|gte?|at_?(?:min|gte|after|from))|(?:updated?|modified|changed)(?:_?(?:at|on|date))?\[(?:gte?|after|from)\]|since|if_?modified_?since)$/u

/** The parameter that takes the earliest moment of change. */
export function likelySince(parameters: readonly string[]): string | undefined {
  return parameters.find((name) => sinceNames.test(withUnderscores(name)))
}

export function likelyChanges(column: DraftColumn | undefined, since: string | undefined): DraftStream['changes'] {
  if (column === undefined || since === undefined) return undefined
  return {
    value: { kind: 'cursor', column: column.name, from: { parameter: since } },
    check: `that ${since} includes the moment itself, and that every change alters ${column.name}`,
  }
}

/** What the parameters of a list and the members of its replies say about its pages. */
export interface PagingHints {
  readonly parameters: readonly string[]
  /** JSON Pointers of the members of a reply that are no records. */
  readonly members: readonly string[]
  /** The rows of the largest page, if the document says so. */
  readonly rowsMax?: number
  /** Where the key is in a record. */
  readonly keyAt?: string
}

const sizeNames = /^(?:limit|per_?page|page_?size|size|count|take|max_?results|\$?top|rows|page_?limit|page\[size\])$/u
const numberNames = /^(?:page|page_?(?:number|no|num|index)|pageno|page\[number\])$/u
const offsetNames = /^(?:offset|skip|\$skip|start|start_?(?:at|index|position)|from|first|page\[offset\])$/u
const afterNames = /^(?:starting_?after|after_?id|since_?id|after_?key)$/u
const cursorNames =
  /^(?:cursor|page_?token|after|next_?(?:cursor|token|page)|continuation_?token|start_?cursor|page\[after\])$/u
const linkMembers = /(?:^|\/)(?:next|next_?(?:link|page_?url|url|href)|@odata\.nextlink)$/u
const cursorMembers =
  /(?:^|\/)(?:next_?(?:cursor|page_?token|token|page)|cursor|end_?cursor|after|continuation_?token)$/u
const moreMembers = /(?:^|\/)(?:has_?(?:more|next|next_?page)|more|is_?truncated)$/u
const totalMembers = /(?:^|\/)(?:total|total_?(?:count|records|items|results|size)|count|record_?count)$/u

export function likelyPaging(hints: PagingHints): Guess<object> {
  const { parameters, members, rowsMax = 100 } = hints
  const parameter = (names: RegExp): string | undefined => parameters.find((name) => names.test(withUnderscores(name)))
  const member = (names: RegExp): string | undefined => members.find((at) => names.test(withUnderscores(at)))
  const sizeName = parameter(sizeNames)
  const value = pagingOf({
    after: parameter(afterNames),
    cursor: parameter(cursorNames),
    number: parameter(numberNames),
    offset: parameter(offsetNames),
    keyAt: hints.keyAt,
    link: member(linkMembers),
    next: member(cursorMembers),
    more: withValue('more', member(moreMembers)),
    total: withValue('total', member(totalMembers)),
    size: sizeName === undefined ? null : { size: { parameter: sizeName, rows: rowsMax } },
  })
  if (value !== null) return { value, check: 'guessed from names; prove compares pages of two sizes' }
  return {
    value: { kind: 'none' },
    check: 'how the API divides the list into pages; with none, only one reply is read',
  }
}

interface PagingNames {
  readonly after: string | undefined
  readonly cursor: string | undefined
  readonly number: string | undefined
  readonly offset: string | undefined
  readonly keyAt: string | undefined
  readonly link: string | undefined
  readonly next: string | undefined
  readonly more: object
  readonly total: object
  /** Null if no parameter has the size of a page. */
  readonly size: object | null
}

function pagingOf({ after, cursor, number, offset, keyAt, link, next, more, total, size }: PagingNames): object | null {
  if (after !== undefined && size !== null && keyAt !== undefined)
    return { kind: 'keyset', parameter: after, at: keyAt, ...more, ...size }
  if (cursor !== undefined && next !== undefined)
    return { kind: 'cursor', parameter: cursor, at: next, ...more, ...size }
  if (link !== undefined) return { kind: 'nextLink', at: link, ...size, ...total }
  if (size === null) return null
  if (number !== undefined) return { kind: 'pageNumber', parameter: number, ...size, ...total }
  return offset === undefined ? null : { kind: 'offset', parameter: offset, ...size, ...total }
}

function withValue(name: string, value: string | undefined): object {
  return value === undefined ? {} : { [name]: value }
}

/** Names as `snake_case` in lower case, with brackets kept. */
function withUnderscores(name: string): string {
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2')
    .replaceAll(/[-.](?!nextlink)/giu, '_')
    .toLowerCase()
}
