/** The tie-out of a described source: its rows against its own monthly report. */
import type { TieOutDefinition } from '../../../ports/tie-out.ts'
import type { EntriesDescription, TieOutDescription } from '../description/schema-tie-out.ts'
import type { SourceDescription } from '../description/source-description.ts'
import type { DayParameters } from '../months/monthly-stream.ts'
import { LedgerSql } from './ledger-sql.ts'
import { SourceTables, type StreamTables } from './source-tables.ts'

/** @param streams those of the open source, which are known once it has listed them */
export function tieOutOf(
  description: SourceDescription,
  streams: () => readonly StreamTables[],
): { readonly tieOut?: TieOutDefinition } {
  const { tieOut, title } = description
  if (tieOut === undefined) return {}
  const sql = new LedgerSql(tieOut, new SourceTables(description, streams))
  const { company, accounts, periods, entries, report, addresses = {} } = tieOut
  const required = [company, accounts, periods, ...entries, report].filter((table) => table !== undefined)
  return {
    tieOut: {
      requiredStreams: [...new Set(required.map(({ stream }) => stream))],
      reportStream: report.stream,
      company: (names) => sql.company(names, title),
      ledger: () => ({
        basis: 'journals',
        datedStreams: datedStreams(description, tieOut),
        views: sql.views,
        selectFigures: (names) => sql.figures(names),
        selectDocuments: (names, cells) => sql.documents(names, cells),
      }),
      addressOf: ({ kind, id }) => (addresses[kind] ?? addresses['*'])?.replace('{id}', encodeURIComponent(id)) ?? null,
    },
  }
}

/** The entries that can be read again for some months, also those that are a report. Numbered rows cannot: their numbers depend on all others. */
function datedStreams(description: SourceDescription, { entries }: TieOutDescription): readonly string[] {
  const isReadable = ({ stream }: EntriesDescription): boolean =>
    description.engine === 'odata'
      ? description.keys.areUnique
      : description.streams[stream]?.changes?.kind === 'months' || dayParametersOf(description, stream) !== null
  return [...new Set(entries.filter(isReadable).map(({ stream }) => stream))]
}

/** How the entries of some days are read; null if the description does not say. */
export function dayParametersOf(
  { tieOut, streams }: SourceDescription & { readonly engine: 'rest' },
  name: string,
): DayParameters | null {
  const entries = tieOut?.entries.find(({ stream }) => stream === name)
  if (entries?.again !== undefined) return { ...entries.again, toDay: 'last' }
  const changes = streams[name]?.changes
  if (entries === undefined || changes?.kind !== 'windows') return null
  return { from: changes.from, to: changes.to, toDay: 'next' }
}
