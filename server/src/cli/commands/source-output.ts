/** Results of the workbench as lines for people. */
import type { Proof } from '@tributary/engine/apis/workbench/prove/verdict'
import type { TriedTable } from '@tributary/engine/apis/workbench/try/tables-read'
import type { TryResult } from '@tributary/engine/apis/workbench/try/try-stream'

const bodyShown = 1_500
const rowsShown = 10
const cellShown = 40

export function triedText({ stream, exchanges, tables, misfits, log, fault, hasMore }: TryResult): string {
  const calls = exchanges.flatMap(({ method, address, headers, status, replyHeaders, body, bytes }) => [
    `> ${method} ${address}`,
    ...Object.entries(headers).map(([name, value]) => `> ${name}: ${value}`),
    `< ${status === null ? 'no complete reply' : `${status}, ${bytes} bytes`}`,
    ...Object.entries(replyHeaders).map(([name, value]) => `< ${name}: ${value}`),
    body.length > bodyShown ? `${body.slice(0, bodyShown)} …` : body,
    '',
  ])
  return [
    ...calls,
    `${stream}:`,
    ...tables.map(tableText),
    ...misfits.map(
      ({ table, column, pointer, row, value, wanted }) =>
        `${table}.${column} (${pointer}), row ${row}: ${value} is not ${wanted}.`,
    ),
    ...log,
    ...(hasMore ? ['The list has more pages.'] : []),
    ...(fault === null ? [] : [`Reading ended with a fault: ${fault}`]),
  ].join('\n')
}

function tableText({ name, columns, rows, rowsRead }: TriedTable): string {
  const lines = columns.map((column, index) => {
    const values = rows.slice(0, rowsShown).map((row) => cell(row[index] ?? null))
    return `  ${column.name} ${column.type} ${column.pointer}${column.isSeen ? '' : ' (no value yet)'}: ${values.join(' | ')}`
  })
  return [`${name}, ${rowsRead} rows`, ...lines].join('\n')
}

function cell(value: string | null): string {
  if (value === null) return 'NULL'
  return value.length > cellShown ? `${value.slice(0, cellShown)}…` : value
}

const words = { provenLive: 'proven live', provenSimulated: 'proven simulated', notProven: 'not proven' } as const
const checks = {
  paging: 'paging',
  types: 'types',
  order: 'order',
  limits: 'limits',
  ties: 'ties',
  lateCommits: 'late commits',
  deletes: 'deletes',
  cuts: 'cuts',
  kills: 'kills',
} as const

export function proofText(proofs: readonly Proof[]): string {
  return proofs
    .map(
      ({ stream, check, verdict, why }) =>
        `${stream}  ${checks[check].padEnd(12)}  ${words[verdict].padEnd(16)}  ${why}`,
    )
    .join('\n')
}
