/** A table as it was at a moment, by the history that is kept of it. */
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { WarehouseHistory } from '../warehouse/warehouse-histories.ts'
import type { TableModel } from './table-model.ts'

/** A clock may be a little late. */
const toleranceMs = 60_000

/**
 * Queries of the result read the rows that were there.
 *
 * @param moment ISO 8601 in UTC with up to six fractional digits
 *
 * Throws `noHistory` if no history is kept of the table, `outsideHistory` for a moment of which nothing is known, and `badInput` for
 * one in the future.
 */
export function tableAsOf(
  table: TableModel,
  history: WarehouseHistory | undefined,
  moment: string,
  clock: Pick<Clock, 'now'>,
): TableModel {
  if (history === undefined) throw new ApiFault('noHistory', { values: { table: table.name } })
  const { since, endedAt, asOfFunction, historyName } = history
  if (Date.parse(moment) > clock.now() + toleranceMs) throw badField('asOf', 'must not be in the future')
  const at = toMicroseconds(moment)
  if (at < since)
    throw outside(
      `History of ${table.name} starts ${inWords(since)}; nothing is known of before. Choose a later moment.`,
    )
  if (endedAt !== null)
    throw outside(
      `History of ${table.name} ended ${inWords(endedAt)}. The row versions from ${inWords(since)} until then are in the table ${historyName}.`,
    )
  if (asOfFunction === null)
    throw outside(
      `The next run of the connector makes ${table.name} readable as of a moment. Start it, then try again.`,
    )
  // A function has no rows with a place, and an index of the key does not serve.
  return { ...table, kind: 'view', rowsAsOf: { function: asOfFunction, moment: at } }
}

function outside(detail: string): ApiFault {
  return new ApiFault('outsideHistory', { values: { detail } })
}

/** With six fractional digits, so that texts compare like the moments. */
function toMicroseconds(moment: string): string {
  const [whole = '', fraction = ''] = moment.replace(/Z$/u, '').split('.')
  const seconds = whole.length === 16 ? `${whole}:00` : whole
  return `${seconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z`
}

const words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

function inWords(moment: string): string {
  return `${words.format(new Date(moment)).replace(',', '')} UTC`
}
