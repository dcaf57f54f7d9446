/**
 * An API of documents with lines, quick enough that a reader and not the API is measured. Amounts have more digits than a double, many
 * documents have the same moment of change, some commits are late, and rows move while pages are read.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRandom, type Random } from '@tributary/sims/random'

export interface ApiDocument {
  readonly id: number
  readonly number: string
  readonly customer: string
  /** The JSON of the number. */
  readonly total: string
  readonly rate: string
  readonly isPaid: boolean
  readonly note: string | null
  /** Whole seconds, in milliseconds since 1970. */
  readonly changedAt: number
  readonly isDeleted: boolean
  readonly lines: readonly ApiLine[]
}

export interface ApiLine {
  readonly sku: string
  readonly name: string
  readonly quantity: number
  readonly amount: string
}

export interface DocumentApiOptions {
  readonly seed: number
  readonly documents: number
  /** `marked`: a deleted document stays in the list of changes with a mark. `gone`: it is nowhere any more. */
  readonly deletions: 'marked' | 'gone'
  /** Before the calls of these numbers, until the first change, a document of the first page is deleted. */
  readonly movesAtCalls: readonly number[]
}

export interface DocumentApi extends AsyncDisposable {
  readonly url: string
  documents(): readonly ApiDocument[]
  /** Changes, inserts and deletes documents: in this moment, in the same second as earlier ones, and with a late commit. */
  change(): void
}

export async function startDocumentApi(options: DocumentApiOptions): Promise<DocumentApi> {
  const store = new DocumentStore(options)
  let calls = 0
  let movesAtCalls = options.movesAtCalls
  const server = createServer((request, reply) => {
    calls += 1
    if (movesAtCalls.includes(calls)) store.removeFirst()
    respond(store, new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`), reply)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1/`,
    documents: () => store.inOrder('id'),
    change() {
      movesAtCalls = []
      store.change()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const pageRows = 1_000

/** Pages by number of the documents in the order of ids, or by links in the order of changes. */
function respond(store: DocumentStore, url: URL, reply: ServerResponse): void {
  const size = Math.min(pageRows, Number(url.searchParams.get('size') ?? pageRows))
  const body = url.pathname === '/v1/documents' ? numberedPage(store, url, size) : linkedPage(store, url, size)
  reply.sendDate = false
  reply.setHeader('date', new Date(store.now).toUTCString()).setHeader('content-type', 'application/json').end(body)
}

function numberedPage(store: DocumentStore, url: URL, size: number): string {
  const since = Date.parse(url.searchParams.get('changed_since') ?? '1970-01-01T00:00:00Z')
  const found = store.inOrder('id').filter(({ changedAt }) => changedAt >= since)
  const page = Number(url.searchParams.get('page') ?? 1)
  return listJson(found.slice((page - 1) * size, page * size), `"total":${found.length}`)
}

function linkedPage(store: DocumentStore, url: URL, size: number): string {
  const since = Date.parse(url.searchParams.get('changed_since') ?? '1970-01-01T00:00:00Z')
  const [changedAt = since, id = 0] = (url.searchParams.get('after') ?? `${since}.0`).split('.').map(Number)
  const found = store.after(changedAt, id, size + 1)
  const last = found.length > size ? found[size - 1] : undefined
  const next = new URL(url)
  if (last !== undefined) next.searchParams.set('after', `${last.changedAt}.${last.id}`)
  return listJson(found.slice(0, size), `"next":${last === undefined ? 'null' : JSON.stringify(next.href)}`)
}

function listJson(documents: readonly ApiDocument[], more: string): string {
  return `{${more},"data":[${documents.map(documentJson).join(',')}]}`
}

const written = new WeakMap<ApiDocument, string>()

function documentJson(document: ApiDocument): string {
  const found = written.get(document)
  if (found !== undefined) return found
  const { id, number, customer, total, rate, isPaid, note, changedAt, isDeleted, lines } = document
  const lineTexts = lines.map(
    ({ sku, name, quantity, amount }) =>
      `{"sku":"${sku}","name":${JSON.stringify(name)},"quantity":${quantity},"amount":${amount}}`,
  )
  const text = `{"id":${id},"number":"${number}","customer":${JSON.stringify(customer)},"total":${total},"rate":${rate},"paid":${isPaid},"note":${JSON.stringify(note)},"changed":"${new Date(changedAt).toISOString()}","deleted":${isDeleted},"lines":[${lineTexts.join(',')}]}`
  written.set(document, text)
  return text
}

type Order = 'id' | 'changes'

class DocumentStore {
  readonly #random: Random
  readonly #options: DocumentApiOptions
  readonly #documents = new Map<number, ApiDocument>()
  readonly #orders = new Map<Order, readonly ApiDocument[]>()
  /** Not from the clock: the same seed gives the same documents. */
  #now = Date.parse('2026-03-02T08:00:00Z')

  constructor(options: DocumentApiOptions) {
    this.#options = options
    this.#random = createRandom(options.seed)
    for (let id = 1; id <= options.documents; id += 1) {
      // A hundred documents of one import have one moment, over the edges of pages.
      if (id % 130 === 0) this.#now += 60_000
      this.#put(id, this.#now)
    }
  }

  /** The clock of the API, in milliseconds since 1970. */
  get now(): number {
    return this.#now
  }

  /** Deleted documents that are marked are in the order of changes only. */
  inOrder(order: Order): readonly ApiDocument[] {
    const found = this.#orders.get(order)
    if (found !== undefined) return found
    const all = [...this.#documents.values()]
    const sorted =
      order === 'id'
        ? all.filter(({ isDeleted }) => !isDeleted).toSorted((one, other) => one.id - other.id)
        : all.toSorted((one, other) => one.changedAt - other.changedAt || one.id - other.id)
    this.#orders.set(order, sorted)
    return sorted
  }

  /** At most so many documents behind a position in the order of changes. */
  after(changedAt: number, id: number, count: number): readonly ApiDocument[] {
    const all = this.inOrder('changes')
    const isBehind = (one: ApiDocument): boolean =>
      one.changedAt > changedAt || (one.changedAt === changedAt && one.id > id)
    let [from, to] = [0, all.length]
    while (from < to) {
      const middle = (from + to) >> 1
      const one = all[middle]
      if (one !== undefined && isBehind(one)) to = middle
      else from = middle + 1
    }
    return all.slice(from, from + count)
  }

  change(): void {
    const last = this.#now
    const present = this.inOrder('id')
    const some = (): ApiDocument => this.#random.pick(present)
    const share = Math.ceil(present.length / 100)
    // In the second of the newest document that was read, and two minutes late.
    for (let index = 0; index < share; index += 1) this.#put(some().id, last)
    for (let index = 0; index < share; index += 1) this.#put(some().id, last - 120_000)
    this.#now += 3_600_000
    const firstNew = Math.max(...this.#documents.keys()) + 1
    for (let index = 0; index < share; index += 1) this.#put(firstNew + index, this.#now)
    for (let index = 0; index < share; index += 1) this.#remove(some())
  }

  /** Everything behind it moves to the page before. */
  removeFirst(): void {
    const [first] = this.inOrder('id')
    if (first !== undefined) this.#remove(first)
  }

  #remove(document: ApiDocument): void {
    if (this.#options.deletions === 'gone') this.#documents.delete(document.id)
    else this.#documents.set(document.id, { ...document, isDeleted: true, changedAt: this.#now })
    this.#orders.clear()
  }

  #put(id: number, changedAt: number): void {
    const random = this.#random
    const lines = Array.from({ length: 3 }, (_, index) => ({
      sku: `SKU-${random.between(1, 9_999)}`,
      name: `Folding chair ${index + 1}, natural oak, “${random.between(1, 99)} cm”`,
      quantity: random.between(1, 9),
      amount: amountOf(random),
    }))
    this.#documents.set(id, {
      id,
      number: `INV-${String(id).padStart(7, '0')}`,
      customer: `Harbour Outfitters ${random.between(1, 997)}`,
      total: amountOf(random),
      rate: `0.${random.between(1_000_000_000, 9_999_999_999)}`,
      isPaid: random.next() < 0.5,
      note: random.next() < 0.8 ? null : 'Delivery in the morning\nRing twice',
      changedAt,
      isDeleted: false,
      lines,
    })
    this.#orders.clear()
  }
}

/** Money; one in twenty has more digits than a double can hold. */
function amountOf(random: Random): string {
  const cents = String(random.between(0, 9_999)).padStart(4, '0')
  return random.next() < 0.05
    ? `${random.between(1, 9)}${String(random.between(0, 99_999_999)).padStart(8, '0')}${String(random.between(0, 99_999_999)).padStart(8, '0')}.${cents}`
    : `${random.between(0, 99_999)}.${cents}`
}
