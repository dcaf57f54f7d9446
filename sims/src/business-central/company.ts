/** A simulated company of Business Central: its rows and its ledger. */
import type { Random } from '../random.ts'
import { typeOfSet } from './sets.ts'

export type Value = string | number | boolean | null | bigint | readonly Row[]
/** Values by property. A bigint is a decimal in hundredths. */
export interface Row {
  [property: string]: Value
}

export interface LedgerEntry {
  readonly account: string
  /** In hundredths, debit positive. */
  readonly amount: bigint
  /** A correction is a negative debit or credit. */
  readonly isCorrection?: boolean
}

export class Company {
  readonly id: string
  readonly name: string
  readonly sets = new Map<string, Map<string, Row>>()
  /** Rows whose transaction is not committed yet, by id: the moment of its end. */
  readonly uncommitted = new Map<string, number>()
  readonly #clock: { now(): number }
  readonly #random: Random
  #entryNumber = 0
  #documentNumber = 1_000

  constructor(name: string, currency: string, random: Random, clock: { now(): number }) {
    this.name = name
    this.#random = random
    this.#clock = clock
    this.id = random.guid()
    this.put('companyInformation', { displayName: name, currencyCode: currency, country: 'DK', picture: null })
  }

  rows(set: string): readonly Row[] {
    const now = this.#clock.now()
    return [...(this.sets.get(set)?.values() ?? [])].filter(({ id }) => (this.uncommitted.get(String(id)) ?? 0) <= now)
  }

  /** Adds or changes a row, and stamps it. Properties that it does not have are null. */
  put(set: string, values: Row, options: { readonly commitsAt?: number } = {}): Row {
    const type = typeOfSet(set)
    if (type === undefined) throw new Error(`There is no set ${set}.`)
    const unknown = Object.keys(values).find((name) => !(name in type.properties) && !(name in type.lists))
    if (unknown !== undefined) throw new Error(`${set} has no property ${unknown}.`)
    const id = String(values['id'] ?? this.#random.guid())
    const before = this.sets.get(set)?.get(id)
    const empty = Object.fromEntries(Object.entries(type.properties).map(([name, kind]) => [name, emptyOf(kind)]))
    const row: Row = {
      ...empty,
      ...before,
      ...values,
      id,
      lastModifiedDateTime: new Date(this.#clock.now()).toISOString(),
    }
    const rows = this.sets.get(set) ?? new Map<string, Row>()
    rows.set(id, row)
    this.sets.set(set, rows)
    if (options.commitsAt !== undefined) this.uncommitted.set(id, options.commitsAt)
    return row
  }

  remove(set: string, id: string): void {
    this.sets.get(set)?.delete(id)
  }

  account(number: string): Row {
    const found = this.rows('accounts').find((row) => row['number'] === number)
    if (found === undefined) throw new Error(`There is no account ${number}.`)
    return found
  }

  /** Posts entries of one document. They must add up to zero. */
  post(
    date: string,
    entries: readonly LedgerEntry[],
    { documentType = '_x0020_', description = 'Entry', ...options }: PostingOptions = {},
  ): readonly Row[] {
    const sum = entries.reduce((total, { amount }) => total + amount, 0n)
    if (sum !== 0n) throw new Error('The entries do not add up to zero.')
    const documentNumber = `G${(this.#documentNumber += 1)}`
    return entries.map(({ account, amount, isCorrection = false }) => {
      const of = this.account(account)
      const isDebit = amount > 0n !== isCorrection
      of['netChange'] = (of['netChange'] as bigint) + amount
      return this.put(
        'generalLedgerEntries',
        {
          entryNumber: (this.#entryNumber += 1),
          postingDate: date,
          documentNumber,
          documentType,
          accountId: of['id'] ?? null,
          accountNumber: account,
          description,
          debitAmount: isDebit ? amount : 0n,
          creditAmount: isDebit ? 0n : -amount,
        },
        options,
      )
    })
  }

  /** The trial balance of some days, as the page of Business Central computes it: for each account, as formatted texts. */
  trialBalance(from: string, to: string): readonly Row[] {
    return this.rows('accounts').map((account) => {
      const own = this.rows('generalLedgerEntries').filter(({ accountId }) => accountId === account['id'])
      const sum = (property: string, first: string): bigint =>
        own
          .filter(({ postingDate }) => String(postingDate) >= first && String(postingDate) <= to)
          .reduce((total, entry) => total + (entry[property] as bigint), 0n)
      const balance = sum('debitAmount', '') - sum('creditAmount', '')
      const isPosting = account['accountType'] === 'Posting'
      const text = (amount: bigint): string => (isPosting ? formatted(amount) : '')
      return {
        accountId: account['id'] ?? null,
        number: account['number'] ?? null,
        accountType: account['accountType'] ?? null,
        display: account['displayName'] ?? null,
        totalDebit: text(sum('debitAmount', from)),
        totalCredit: text(sum('creditAmount', from)),
        balanceAtDateDebit: text(balance > 0n ? balance : 0n),
        balanceAtDateCredit: text(balance < 0n ? balance : 0n),
        dateFilter: to,
      }
    })
  }
}

interface PostingOptions {
  readonly documentType?: string
  readonly description?: string
  readonly commitsAt?: number
}

function emptyOf(kind: string): Value {
  if (kind === 'string') return ''
  if (kind === 'decimal') return 0n
  if (kind === 'guid') return '00000000-0000-0000-0000-000000000000'
  if (kind === 'boolean') return false
  if (kind === 'date') return '0001-01-01'
  return kind.startsWith('enum') ? '_x0020_' : null
}

/** `72,893.84`: Business Central formats the amounts of its trial balance, without a sign. */
function formatted(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(3, '0')
  return `${BigInt(digits.slice(0, -2)).toLocaleString('en-US')}.${digits.slice(-2)}`
}
