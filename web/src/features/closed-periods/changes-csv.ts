import type { ClosedPeriodChange, DocumentState } from '@tributary/contract/closed-periods'
import { type CsvCell, formatCsv } from '../../ui/files/csv.ts'

const header = [
  'Seen',
  'Changed',
  'Change',
  'Kind',
  'Document',
  'Id',
  'Dates before',
  'Dates after',
  'Account code',
  'Account',
  'Before',
  'After',
  'Moved',
  'Closed up to',
  'Acknowledged',
  'Acknowledged by',
  'Reason',
]

/** One line for each account on which a document moved an amount; one line for a document that moved none. */
export function changesCsv(changes: readonly ClosedPeriodChange[]): string {
  return formatCsv([header, ...changes.flatMap(linesOf)])
}

function linesOf(change: ClosedPeriodChange): CsvCell[][] {
  const document = [
    change.SeenAtUtc,
    change.ChangedAtUtc ?? '',
    change.Change,
    change.Kind,
    change.Number ?? '',
    change.DocumentId,
    datesOf(change.Before),
    datesOf(change.After),
  ]
  const acknowledged = [
    change.ClosedThrough,
    change.AcknowledgedAtUtc ?? '',
    change.AcknowledgedBy ?? '',
    change.Reason ?? '',
  ]
  if (change.Moved.length === 0) return [[...document, '', '', '', '', '', ...acknowledged]]
  return change.Moved.map(({ Code, Name, AccountId, Before, After, Moved }) => [
    ...document,
    Code ?? '',
    Name ?? AccountId,
    { figure: Before },
    { figure: After },
    { figure: Moved },
    ...acknowledged,
  ])
}

function datesOf(state: DocumentState | null): string {
  return state?.Dates.join(' ') ?? ''
}
