/** The table `tributary_tie_out` in the target: the result of the last tie-out, replaced by every run. */
import { encodeRows } from '../encoding/copy-text.ts'
import { ofCompany } from '../ports/company-names.ts'
import type { Column, LogicalType } from '../ports/model.ts'
import type { Stream } from '../ports/source.ts'
import type { OpenTarget, Writer } from '../ports/target.ts'
import type { TieOutResultLine } from '../ports/tie-out.ts'
import { figureKey } from './tie-out-figures.ts'
import type { ComparedCompany } from './tie-out-queries.ts'

const table = 'tributary_tie_out'

const amount = { kind: 'decimal', precision: 19, scale: 2 } as const
const instant = { kind: 'instant', digits: 3 } as const
const text = (maxLength: number): LogicalType => ({ kind: 'text', maxLength })
const required = (name: string, type: LogicalType): Column => ({ name, type, nullable: false })
const optional = (name: string, type: LogicalType): Column => ({ name, type, nullable: true })

/** @param company the column of the company, if several share the tables */
function tieOutStream(company: string | null): Stream {
  const own = company === null ? [] : [required(company, text(100))]
  return {
    name: table,
    table: {
      name: table,
      key: [...own.map(({ name }) => name), 'period', 'account_id'],
      columns: [
        ...own,
        required('period', { kind: 'date' }),
        required('account_id', text(100)),
        optional('account_code', text(50)),
        required('account_name', text(255)),
        required('computed', amount),
        required('reported', amount),
        required('difference', amount),
        required('state', text(10)),
        optional('notice', text(500)),
        required('checked_at', instant),
        required('run_id', text(100)),
        optional('read_again_at', instant),
      ],
    },
    children: [],
    reads: 'whole',
    hasDistinctKeys: true,
  }
}

/** A figure of an earlier tie-out whose month was read again. */
interface RereadFigure {
  readonly computed: string
  readonly reported: string
  readonly rereadAt: number
}

/** By `figureKey`. */
export type RereadFigures = ReadonlyMap<string, RereadFigure>

/** @param of the company, if several share the tables */
export async function readRereadFigures(target: OpenTarget, of: ComparedCompany | null): Promise<RereadFigures> {
  await target.prepare(tieOutStream(of?.column ?? null))
  const rows = await target.select((words) => {
    const from = of === null ? words : ofCompany(words, of.column, of.id)
    return `SELECT f.period, f.account_id, f.computed, f.reported, f.read_again_at FROM ${from.table(table)} AS f WHERE f.read_again_at IS NOT NULL`
  })
  return new Map(
    rows.map(([period, accountId, computed, reported, at]) => [
      figureKey({ period: period ?? '', accountId: accountId ?? '' }),
      { computed: computed ?? '', reported: reported ?? '', rereadAt: parseTimestamp(at ?? '') },
    ]),
  )
}

/** Parses a UTC timestamp with a space or T as the separator, with or without time zone. Milliseconds since 1970. */
function parseTimestamp(formatTimestamp: string): number {
  return Date.parse(`${formatTimestamp.replace(' ', 'T').replace(/(?:\+00(?::00)?|Z)$/u, '')}Z`)
}

interface TieOutRecord {
  readonly writer: Writer
  readonly checkedAt: Date
  readonly lines: readonly DatedLine[]
  /** The column of the company, if several share the tables. */
  readonly companyColumn: string | null
}

export interface DatedLine {
  readonly line: TieOutResultLine
  /** When its month was last read again, in milliseconds since 1970; undefined if never. */
  readonly rereadAt: number | undefined
}

export async function writeTieOut(
  target: OpenTarget,
  { writer, checkedAt, lines, companyColumn }: TieOutRecord,
): Promise<void> {
  const stream = tieOutStream(companyColumn)
  const rows = lines.map(({ line, rereadAt: again }) => {
    return [
      ...(companyColumn === null ? [] : [line.company ?? null]),
      line.period,
      line.accountId,
      line.code?.slice(0, 50) ?? null,
      line.name.slice(0, 255),
      line.computed,
      line.reported,
      line.difference,
      line.state,
      line.notice?.slice(0, 500) ?? null,
      stamp(checkedAt.getTime()),
      writer.runId,
      again === undefined ? null : stamp(again),
    ]
  })
  await target.prepare(stream)
  await using load = await target.load(stream, { kind: 'replace', resume: false })
  await load.write({ table, bytes: encodeRows(rows), rows: rows.length })
  await load.finish(null)
}

function stamp(moment: number): string {
  return new Date(moment).toISOString().replace('T', ' ').replace('Z', '+00')
}
