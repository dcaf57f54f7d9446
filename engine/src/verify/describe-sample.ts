/** What a sample has compared, in words. */
import type { SampledStream } from './sampled-documents.ts'

interface SampleWords {
  readonly documents: number
  readonly newer: number
  readonly isCounted: boolean
  readonly hasTotals: boolean
  readonly isEqual: boolean
}

/** '12 of 3,412 documents, counts and totals equal.' */
export function describeSample(sampled: SampledStream, words: SampleWords): string {
  const { sample, rows } = sampled
  const { documents, newer, isCounted, hasTotals, isEqual } = words
  const all = Math.max(sample.count?.table === undefined ? (sample.count?.rows ?? rows) : rows, documents)
  const figures = [...(isCounted ? ['counts'] : []), ...(hasTotals ? ['totals'] : [])].join(' and ')
  const reports = sample.reportMonths === undefined ? [] : [`control totals of ${sample.reportMonths} months`]
  const compared = [
    `${format(documents)} of ${format(all)} documents`,
    ...(figures === '' ? [] : [figures]),
    ...reports,
  ]
  const leftOut =
    newer === 0
      ? ''
      : ` ${format(newer)} changed since the last run, so the next run decides about ${newer === 1 ? 'it' : 'them'}.`
  return `${compared.join(', ')} ${isEqual ? 'equal' : 'compared'}.${leftOut}${describeIgnored(sampled)}`
}

/** Columns that were not compared, of those that the tables have. */
function describeIgnored({ sample: { ignoredColumns = [] }, tables }: SampledStream): string {
  const names = ignoredColumns.filter((name) =>
    tables.some(({ described }) => described.columns.some((column) => column.name === name)),
  )
  return names.length === 0
    ? ''
    : ` Not compared, because the source changes it without the document: ${names.join(', ')}.`
}

function format(count: number): string {
  return count.toLocaleString('en-GB')
}
