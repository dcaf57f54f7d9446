/** What a simulated API answers: lists, changes, feeds, events, single records and the rest of long lists. */
import { columnPointer } from '../../described/columns.ts'
import { fillPlaceholders } from '../../described/description/placeholders.ts'
import type {
  DetailDescription,
  ErrorRule,
  RestDescription,
  StreamDescription,
} from '../../described/description/schema.ts'
import type { Changes } from '../../described/description/schema-changes.ts'
import type { Paging } from '../../described/description/schema-paging.ts'
import { FollowedLists } from './followed-lists.ts'
import { gridReply } from './grid-reply.ts'
import { momentOf } from './moment-parameter.ts'
import { firstDayReply, isWithinMonth } from './monthly-replies.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { Reply, SimulatedService } from './simulated-api.ts'
import { isSimulatedObject, setAt, type SimulatedJson, type SimulatedObject, valueAt } from './simulated-json.ts'
import { hasKey, isContinued, type ListItem, pageOf } from './simulated-pages.ts'
import type { SimulatedRecord, SimulatedRecords } from './simulated-records.ts'

export interface RepliesOptions {
  readonly description: RestDescription
  readonly stream: StreamDescription
  readonly records: SimulatedRecords
  /** Values of the settings. */
  readonly values: Readonly<Record<string, string>>
  /** Whether records are deleted while others read. */
  readonly deletes: boolean
  /** The list is one record. */
  readonly isSingle: boolean
}

type RecordCall = Pick<DetailDescription, 'path' | 'query'>

interface ReplyList {
  /** Where the records are. */
  readonly at: string
  /** Absent: that of the stream. */
  readonly paging?: Paging
}

const feedParameter = 'simulated_token'

export class Replies implements SimulatedService {
  readonly basePath = '/simulated/'
  readonly #followed: FollowedLists
  readonly #options: RepliesOptions
  readonly #paging: Paging
  /** The change up to which the list that is being read is certainly complete. */
  #feedFrom = 0

  constructor(options: RepliesOptions) {
    this.#options = options
    this.#followed = new FollowedLists(options.stream, options.records)
    this.#paging = options.stream.paging ?? options.description.paging ?? { kind: 'none' }
  }

  get random(): SeededRandom {
    return this.#options.records.random
  }

  trade(times: number): void {
    this.#options.records.trade(times, this.#options.deletes)
  }

  to(url: URL): Reply {
    const { stream } = this.#options
    const { changes } = stream
    const path = decodeURIComponent(url.pathname.slice(this.basePath.length))
    if (changes?.kind === 'months') return this.#monthly(changes, path, url)
    const followed = this.#followed.items(path, path === this.#filled(stream.path), new URL(this.basePath, url))
    if (followed !== null) return this.#reply(url, followed, { at: stream.records })
    if (changes?.kind === 'events' && path === this.#filled(changes.path)) return this.#events(changes, url)
    if (this.#isChanges(path, url)) return this.#changes(url)
    if (path === this.#filled(stream.path)) return this.#withAccount(path, this.#list(url))
    return this.#single(path, url) ?? this.#rest(path, url) ?? this.#account(path)
  }

  /** Whether the call asks for changes: by the path or a parameter of the description. */
  #isChanges(path: string, url: URL): boolean {
    const { changes, path: listPath } = this.#options.stream
    if (changes?.kind !== 'cursor' && changes?.kind !== 'windows') return false
    const own = changes.kind === 'cursor' ? changes.path : undefined
    if (own !== undefined && path === this.#filled(own)) return true
    return path === this.#filled(listPath) && momentOf(changes.from, url) !== null
  }

  #filled(path: string): string {
    return fillPlaceholders(path, (name) => this.#options.values[name])
  }

  #list(url: URL): Reply {
    const { stream, records } = this.#options
    const { changes } = stream
    if (changes?.kind === 'feed') return this.#feed(changes, url)
    if (this.#options.isSingle) return this.#onlyRecord()
    const all = [...records.records.values()].filter((record) => !record.isDeleted || this.#keepsDeleted())
    return this.#reply(url, all.map(itemById), { at: stream.records })
  }

  #onlyRecord(): Reply {
    const { stream, records } = this.#options
    const [record] = records.present()
    return { status: 200, json: record === undefined ? {} : withFirstRows(stream, record.json), isRecord: true }
  }

  /** The figures of a month, or the call that finds the first one. */
  #monthly(changes: Changes & { kind: 'months' }, path: string, url: URL): Reply {
    const { stream, records } = this.#options
    const first = firstDayReply(changes, { path, url, records }, (text) => this.#filled(text))
    if (first !== null) return first
    if (path !== this.#filled(stream.path)) return this.#account(path)
    const found = records.present().filter(({ datedAt }) => isWithinMonth(changes, url, datedAt))
    return this.#reply(url, found.map(itemById), { at: stream.records })
  }

  /** Deleted records stay in lists with a mark, unless the API gives them only one by one. */
  #keepsDeleted(): boolean {
    const { deletes, changes } = this.#options.stream
    return deletes?.kind === 'status' && changes?.kind !== 'events'
  }

  #changes(url: URL): Reply {
    const { stream, records } = this.#options
    const { changes } = stream
    if (changes?.kind !== 'cursor' && changes?.kind !== 'windows') return this.#list(url)
    const from = momentOf(changes.from, url) ?? -Infinity
    const to = (changes.to === undefined ? null : momentOf(changes.to, url)) ?? Infinity
    const isWindow = changes.kind === 'windows'
    const isWithin = ({ changedAt, datedAt, isDeleted }: SimulatedRecord): boolean => {
      const at = isWindow ? datedAt : changedAt
      const isEarly = isWindow ? at < to : at <= to
      return at >= from && isEarly && (!isDeleted || this.#keepsDeleted())
    }
    const found = [...records.records.values()].filter(isWithin)
    if (isWindow) return this.#reply(url, found.map(itemById), { at: stream.records })
    const isOrdered = changes.order === 'ascending'
    const items = found.map((record) => ({ ...itemById(record), at: isOrdered ? record.changedAt : 0 }))
    const most = items.toSorted(inOrder).slice(0, changes.rowsMax ?? Infinity)
    return this.#reply(url, most, { at: changes.records ?? stream.records, paging: changes.paging ?? this.#paging })
  }

  #feed({ parameter, token }: Changes & { kind: 'feed' }, url: URL): Reply {
    const { stream, records } = this.#options
    const since = url.searchParams.get(parameter ?? feedParameter)
    if (!isContinued(url, this.#paging)) this.#feedFrom = records.change
    const found = [...records.records.values()].filter((record) =>
      since === null ? !record.isDeleted : record.change > Number(since) && (!record.isDeleted || this.#keepsDeleted()),
    )
    const reply = this.#reply(url, found.map(itemById), { at: stream.records })
    const next = new URL(url.pathname, url)
    next.searchParams.set(feedParameter, String(this.#feedFrom))
    return { ...reply, json: setAt(reply.json, token, parameter === undefined ? next.href : String(this.#feedFrom)) }
  }

  /** Each change is an event of the first kind that the description reads. */
  #events(changes: Changes & { kind: 'events' }, url: URL): Reply {
    const { stream, records } = this.#options
    const [first] = changes.of
    const isFirst = Object.entries(first?.query ?? {}).every(
      ([name, value]) => url.searchParams.get(name) === String(value),
    )
    const from = momentOf(changes.from, url) ?? -Infinity
    const found = isFirst ? [...records.records.values()].filter(({ changedAt }) => changedAt >= from) : []
    const items = found.map((record): ListItem => {
      let json: SimulatedJson = setAt({}, first?.ids[0] ?? '/id', keyOf(stream, record))
      if (this.#paging.kind === 'keyset' && valueAt(json, this.#paging.at) === undefined)
        json = setAt(json, this.#paging.at, `event-${record.id}`)
      return { at: 0, id: record.id, json: json as SimulatedObject }
    })
    return this.#reply(url, items, { at: changes.records })
  }

  #reply(url: URL, items: readonly ListItem[], { at, paging = this.#paging }: ReplyList): Reply {
    const { description, stream, records } = this.#options
    const goneRule = description.errors.find(({ verdict }) => verdict === 'positionGone')
    const page = pageOf({
      paging,
      url,
      items: items.toSorted(inOrder),
      findByKey(pointer, value) {
        const known = items.find((item) => hasKey(item, pointer, value))
        if (known !== undefined || goneRule !== undefined) return known
        return [...records.records.values()].map(itemById).find((item) => hasKey(item, pointer, value)) ?? items[0]
      },
    })
    if (page === 'gone') return refusal(goneRule)
    const list = page.items.map((item) => withFirstRows(stream, item.json))
    let json = stream.grid === undefined ? setAt({}, at, list) : gridReply(stream, stream.grid, list)
    for (const [pointer, value] of Object.entries(page.members)) json = setAt(json, pointer, value)
    return { status: 200, json, ...(page.link !== undefined && { link: page.link }) }
  }

  /** One record, by the path of details or of the record of an event. */
  #single(path: string, url: URL): Reply | null {
    const { description, stream } = this.#options
    const { detail, changes } = stream
    const described = detail ?? (changes?.kind === 'events' ? changes.record : undefined)
    if (described === undefined) return null
    const record = this.#find(described, path, url)
    if (record === undefined) return null
    const isThere = !record.isDeleted || stream.deletes?.kind === 'status'
    if (!isThere) return refusal(description.errors.find(({ verdict }) => verdict === 'skipRecord'))
    return { status: 200, json: setAt({}, described.record, withFirstRows(stream, record.json)), isRecord: true }
  }

  /** The whole list of a child table, of which records have only the first rows. */
  #rest(path: string, url: URL): Reply | null {
    for (const child of Object.values(this.#options.stream.children ?? {})) {
      const record = child.continued === undefined ? undefined : this.#find(child.continued, path, url)
      if (child.continued === undefined || record === undefined) continue
      const rows = valueAt(record.json, child.records)
      const nodes = Array.isArray(rows) ? rows.filter(isSimulatedObject) : []
      const items = nodes.map((json, index) => ({ at: 0, id: index + 1, json }))
      return this.#reply(url, items, { at: child.continued.records, paging: child.continued.paging ?? this.#paging })
    }
    return null
  }

  /** The record whose values make the path and the parameters. */
  #find({ path: template, query = {} }: RecordCall, path: string, url: URL): SimulatedRecord | undefined {
    const { records } = this.#options
    return [...records.records.values()].find(
      (record) =>
        this.#filledBy(record, template) === path &&
        Object.entries(query).every(
          ([name, value]) => this.#filledBy(record, String(value)) === url.searchParams.get(name),
        ),
    )
  }

  #filledBy(record: SimulatedRecord, text: string): string {
    const { stream, values } = this.#options
    return fillPlaceholders(text, (name) => {
      const column = stream.columns[name]
      return column === undefined ? values[name] : String(valueAt(record.json, columnPointer(name, column)))
    })
  }

  /** The account, and anything else that is only called to see that it answers. */
  #account(path: string): Reply {
    return this.#withAccount(path, { status: 200, json: {} })
  }

  #withAccount(path: string, reply: Reply): Reply {
    let { json } = reply
    for (const part of this.#options.description.origin ?? [])
      if (this.#filled(part.path) === path && valueAt(json, part.at) === undefined)
        json = setAt(json, part.at, 'simulated')
    return { ...reply, json }
  }
}

function itemById({ id, json }: SimulatedRecord): ListItem {
  return { at: 0, id, json }
}

function inOrder(one: ListItem, other: ListItem): number {
  return one.at - other.at || one.id - other.id
}

function keyOf({ key, columns }: StreamDescription, { json }: SimulatedRecord): SimulatedJson {
  const [name = ''] = key
  const column = columns[name]
  return column === undefined ? null : (valueAt(json, columnPointer(name, column)) ?? null)
}

function refusal(rule: ErrorRule | undefined): Reply {
  if (rule === undefined) return { status: 404, json: {} }
  const json = rule.at === undefined ? {} : setAt({}, rule.at, rule.equals?.[0] ?? true)
  return { status: rule.status[0] ?? 404, json }
}

/** Lists that are continued elsewhere have only their first row. */
function withFirstRows({ children = {} }: StreamDescription, record: SimulatedObject): SimulatedJson {
  let json: SimulatedJson = record
  for (const { continued, records } of Object.values(children)) {
    if (continued === undefined) continue
    const rows = valueAt(record, records)
    if (!Array.isArray(rows)) continue
    json = setAt(structuredCopy(json), records, rows.slice(0, 1))
    json = setAt(json, continued.when, rows.length > 1)
  }
  return json
}

/** Copies objects and lists; plain values are shared. */
function structuredCopy(value: SimulatedJson): SimulatedJson {
  if (Array.isArray(value)) return value.map(structuredCopy)
  if (!isSimulatedObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, structuredCopy(inner)]))
}
