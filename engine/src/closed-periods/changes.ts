/** Builds the list of changes from the rows that the target returns. Pure. */
import type {
  AccountAmount,
  ChangeKind,
  ClosedPeriodChange,
  ClosedPeriodDefinition,
  DocumentState,
  MovedAmount,
} from '../ports/closed-periods.ts'
import { addAmounts, isZero, subtractAmounts } from './exact-amounts.ts'

type SelectedRow = readonly (string | null)[]

interface Posting extends AccountAmount {
  readonly side: 'before' | 'after'
  readonly kind: string
  readonly id: string
  readonly date: string
  readonly number: string | null
  readonly contact: string | null
}

interface DocumentFacts {
  readonly status: string
  readonly changedAt: string | null
}

export interface ChangesInput {
  /** Rows of `selectDocumentStates`. */
  readonly states: readonly SelectedRow[]
  /** Rows of `selectDocumentFacts`; null if the source has no such facts. */
  readonly facts: readonly SelectedRow[] | null
  readonly closedThrough: string
  readonly addressOf: ClosedPeriodDefinition['addressOf']
}

/** The changed documents, by date and number. */
export function buildChanges({ states, facts, closedThrough, addressOf }: ChangesInput): readonly ClosedPeriodChange[] {
  const postings = Map.groupBy(states.map(toPosting), ({ kind, id }) => documentKey(kind, id))
  const known = facts === null ? null : new Map(facts.map(toFacts))
  const changes = [...postings.values()].flatMap((all) => {
    const [first] = all
    if (first === undefined) return []
    const { kind, id } = first
    const [before, after] = [stateOf(all, 'before'), stateOf(all, 'after')]
    const facts = known?.get(documentKey(kind, id))
    const change: ClosedPeriodChange = {
      change: changeKind(before, after, known === null ? 'unknown' : facts?.status),
      kind,
      id,
      before,
      after,
      moved: movedAmounts(all.filter(({ date }) => date <= closedThrough)),
      changedAt: facts?.changedAt ?? null,
      address: addressOf({ kind, id }),
    }
    return [change]
  })
  return changes.toSorted(
    (one, other) =>
      firstDate(one).localeCompare(firstDate(other)) ||
      one.kind.localeCompare(other.kind) ||
      one.id.localeCompare(other.id),
  )
}

/** @param status undefined: the document no longer exists; `unknown`: the source has no statuses */
function changeKind(before: DocumentState | null, after: DocumentState | null, status: string | undefined): ChangeKind {
  if (before === null) return 'added'
  if (after !== null) return 'changed'
  if (status === 'VOIDED') return 'voided'
  if (status === undefined || status === 'unknown' || status === 'DELETED') return 'deleted'
  return 'changed'
}

function stateOf(postings: readonly Posting[], side: Posting['side']): DocumentState | null {
  const of = postings.filter((each) => each.side === side)
  if (of.length === 0) return null
  const named = of.toSorted((one, other) => one.date.localeCompare(other.date))
  const byAccount = Map.groupBy(of, ({ accountId }) => accountId)
  return {
    dates: [...new Set(named.map(({ date }) => date))],
    number: named.find(({ number }) => number !== null)?.number ?? null,
    contact: named.find(({ contact }) => contact !== null)?.contact ?? null,
    postings: [...byAccount.values()].flatMap((some) => sumOf(some) ?? []).toSorted(byCode),
  }
}

function sumOf(postings: readonly AccountAmount[]): AccountAmount | undefined {
  const [first] = postings
  if (first === undefined) return undefined
  const { accountId, code, name } = first
  return { accountId, code, name, amount: postings.map(({ amount }) => amount).reduce(addAmounts) }
}

function movedAmounts(postings: readonly Posting[]): readonly MovedAmount[] {
  const byAccount = Map.groupBy(postings, ({ accountId }) => accountId)
  return [...byAccount.values()]
    .flatMap((all): MovedAmount[] => {
      const latest = all.find(({ side }) => side === 'after') ?? all[0]
      if (latest === undefined) return []
      const total = (side: Posting['side']): string =>
        sumOf(all.filter((each) => each.side === side))?.amount ?? subtractAmounts(latest.amount, latest.amount)
      const [before, after] = [total('before'), total('after')]
      const moved = subtractAmounts(after, before)
      const { accountId, code, name } = latest
      return isZero(moved) ? [] : [{ accountId, code, name, before, after, moved }]
    })
    .toSorted(byCode)
}

function toPosting(row: SelectedRow): Posting {
  const [side, kind, id, date, accountId, code, name, number, contact, amount] = row
  return {
    side: side === 'before' ? 'before' : 'after',
    kind: kind ?? '',
    id: idOf(id),
    date: date ?? '',
    accountId: idOf(accountId),
    code: nullIfEmpty(code),
    name: nullIfEmpty(name),
    number: nullIfEmpty(number),
    contact: nullIfEmpty(contact),
    amount: amount ?? '0',
  }
}

function toFacts([kind, id, status, changedAt]: SelectedRow): [string, DocumentFacts] {
  const facts = {
    status: status ?? '',
    changedAt: changedAt === null || changedAt === undefined ? null : toIso(changedAt),
  }
  return [documentKey(kind ?? '', idOf(id)), facts]
}

/** Databases return GUIDs in either case, and texts of a fixed length with trailing blanks. */
function idOf(text: string | null | undefined): string {
  const id = (text ?? '').trimEnd()
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(id) ? id.toLowerCase() : id
}

/** @param text a UTC timestamp with a space or T as the separator, with or without time zone */
function toIso(text: string): string | null {
  const at = new Date(`${text.replace(' ', 'T').replace(/(?:[ ]?\+00(?::00)?|Z)$/u, '')}Z`)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

const documentKey = (kind: string, id: string): string => JSON.stringify([kind, id])

const firstDate = ({ before, after }: ClosedPeriodChange): string =>
  [...(before?.dates ?? []), ...(after?.dates ?? [])].toSorted()[0] ?? ''

const byCode = (one: AccountName, other: AccountName): number =>
  (one.code ?? '').localeCompare(other.code ?? '') || one.accountId.localeCompare(other.accountId)

type AccountName = Pick<AccountAmount, 'accountId' | 'code'>

function nullIfEmpty(text: string | null | undefined): string | null {
  return text === undefined || text === null || text === '' ? null : text
}
