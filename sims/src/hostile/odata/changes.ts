/** What has happened to the rows of the hostile OData service, for those who ask for changes. */
import type { Random } from '../../random.ts'
import type { HostileDocument } from '../documents.ts'
import { rowJson, rowOf } from './query.ts'

/** The changes of documents in the order in which they happened. */
export class ChangeLog {
  readonly #documents: ReadonlyMap<number, HostileDocument>
  /** The state of each document when it was recorded last. */
  #known = new Map<number, string>()
  readonly #ids: number[] = []

  constructor(documents: ReadonlyMap<number, HostileDocument>) {
    this.#documents = documents
    this.#known = this.#states()
  }

  get length(): number {
    return this.#ids.length
  }

  /** Compares the documents with those that were recorded last. */
  record(): void {
    const now = this.#states()
    for (const id of new Set([...this.#known.keys(), ...now.keys()]))
      if (this.#known.get(id) !== now.get(id)) this.#ids.push(id)
    this.#known = now
  }

  /** The documents that have changed since a position, each at its last change; undefined: it was deleted. */
  since(position: number): readonly DocumentChange[] {
    const last = new Map(this.#ids.map((id, at) => [id, at]))
    return this.#ids.flatMap((id, at) =>
      at >= position && last.get(id) === at ? [{ at, id, document: this.#documents.get(id) }] : [],
    )
  }

  #states(): Map<number, string> {
    return new Map([...this.#documents].map(([id, document]) => [id, JSON.stringify(document)]))
  }
}

interface DocumentChange {
  /** The position of the change in the log. */
  readonly at: number
  readonly id: number
  readonly document: HostileDocument | undefined
}

interface FeedQuestion {
  readonly url: URL
  readonly since: number
  readonly pageSize: number
  readonly random: Random
}

/** Deleted rows in each form of the standard; changed rows whole or only with some properties. */
export function feedJson(changes: ChangeLog, { url, since, pageSize, random }: FeedQuestion): string {
  const page = changes.since(since).slice(0, pageSize)
  const rows = page.map(({ id, document }) => {
    if (document === undefined) return random.pick(deletions)(url, id)
    const isPartial = random.next() < 0.4
    return rowJson(rowOf(document), { properties: isPartial ? new Set(['Id', 'Name']) : null })
  })
  const last = page.at(-1)
  const isLast = last === undefined || page.length < pageSize
  const link = new URL(url.origin + url.pathname)
  link.searchParams.set('$deltatoken', String(isLast ? changes.length : last.at + 1))
  return `{"value":[${rows.join(',')}],"${isLast ? '@odata.deltaLink' : '@odata.nextLink'}":${JSON.stringify(link.href)}}`
}

const deletions: readonly ((url: URL, id: number) => string)[] = [
  (_, id) => JSON.stringify({ '@removed': { reason: 'deleted' }, Id: id }),
  (url, id) =>
    JSON.stringify({ '@odata.removed': { reason: 'deleted' }, '@id': `${url.origin}${url.pathname}(${id})` }),
  (url, id) =>
    JSON.stringify({
      '@odata.context': `${url.origin}/odata/$metadata#Documents/$deletedEntity`,
      id: `${url.origin}${url.pathname}(Id=${id})`,
      reason: 'deleted',
    }),
]
