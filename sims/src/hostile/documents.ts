/** The documents of the hostile API, and what happens to them while they are read. */
import type { Random } from '../random.ts'

export interface HostileDocument {
  readonly id: number
  name: string
  /** The JSON of the number: up to 38 digits, which no double holds. */
  amount: string
  /** Milliseconds since 1970. Whole seconds, so that many documents have the same. */
  changedAt: number
  readonly createdAt: number
  isDeleted: boolean
  lines: readonly HostileLine[]
}

export interface HostileLine {
  readonly sku: string
  /** The JSON of the number. */
  readonly quantity: string
}

export interface DocumentStore {
  readonly documents: Map<number, HostileDocument>
  /** Inserts, changes and deletes some documents at once. */
  trade(times: number): void
}

const awkwardNames = [
  '',
  ' blank ',
  'tab\tand\nline',
  'Æøå 漢字 🦜',
  '\\N',
  '"quoted" \\ back',
  "O'Brien",
  '0x00',
  'null',
]

export interface TradeOptions {
  readonly random: Random
  readonly now: () => number
  /** Deleted documents stay in the lists with a mark. Otherwise they are gone. */
  readonly keepsDeleted: boolean
  /** How much earlier than now a change may be dated: the commit was late. */
  readonly lateMs: number
}

export function makeDocuments(count: number, options: TradeOptions): DocumentStore {
  const documents = new Map<number, HostileDocument>()
  let nextId = 1
  const { random, now, keepsDeleted, lateMs } = options
  const stamp = (): number => Math.floor((now() - random.between(0, lateMs)) / 1_000) * 1_000
  const add = (): void => {
    const id = nextId
    nextId += 1
    const at = stamp()
    documents.set(id, { id, createdAt: at, changedAt: at, isDeleted: false, ...valuesOf(random) })
  }
  const some = (): HostileDocument | undefined => {
    const present = [...documents.values()].filter(({ isDeleted }) => !isDeleted)
    return present[random.between(0, Math.max(0, present.length - 1))]
  }
  const change = (): void => {
    const document = some()
    if (document !== undefined) Object.assign(document, valuesOf(random), { changedAt: stamp() })
  }
  const remove = (): void => {
    const document = some()
    if (document === undefined) return
    if (keepsDeleted) Object.assign(document, { isDeleted: true, changedAt: stamp() })
    else documents.delete(document.id)
  }
  for (let index = 0; index < count; index += 1) add()
  return {
    documents,
    trade(times) {
      for (let index = 0; index < times; index += 1) {
        const dice = random.next()
        if (dice < 0.35) add()
        else if (dice < 0.8) change()
        else remove()
      }
    },
  }
}

function valuesOf(random: Random): Pick<HostileDocument, 'name' | 'amount' | 'lines'> {
  return {
    name: random.next() < 0.3 ? random.pick(awkwardNames) : `document ${random.between(1, 1_000_000)}`,
    amount: amountOf(random),
    lines: Array.from({ length: random.between(0, 3) }, (_, index) => ({
      sku: `sku-${index}`,
      quantity: amountOf(random),
    })),
  }
}

/** As an integer, with 4 digits of a fraction, beyond a double, or with an exponent. */
function amountOf(random: Random): string {
  const sign = random.next() < 0.3 ? '-' : ''
  const dice = random.next()
  if (dice < 0.4) return `${sign}${random.between(1, 99_999)}`
  if (dice < 0.7) return `${sign}${random.between(0, 99_999)}.${String(random.between(1, 9_999)).padStart(4, '0')}`
  if (dice < 0.9)
    return `${sign}${random.between(1, 9)}${String(random.between(0, 999_999_999)).padStart(9, '0').repeat(3)}.0625`
  return `${sign}${random.between(1, 9)}.5e${random.between(1, 12)}`
}
