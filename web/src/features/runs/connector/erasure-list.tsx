/** Earlier erasures in the history of a connector. They do not say whose data it was. */
import type { HistoryErasure } from '@tributary/contract/history-erasures'
import { useQuery } from '@tanstack/react-query'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { QueryResult } from '../../../domain/requests/query-result.tsx'
import { RelativeTime } from '../../../domain/time/relative-time.tsx'
import { formatCount } from '../../../ui/formats.ts'
import css from '../runs.module.css'
import { erasureList } from './erasure-api.ts'

export function ErasureList({ ids }: { ids: ConnectorParams }) {
  return (
    <QueryResult query={useQuery(erasureList(ids))}>
      {(erasures) =>
        erasures.length === 0 ? null : (
          <ul className={css.erasures} aria-label="Erasures, latest first">
            {erasures.map((erasure) => (
              <li key={erasure.Id}>
                <RelativeTime at={erasure.RequestedAtUtc} />
                {`, ${erasure.RequestedBy}, found by ${erasure.Table}.${erasure.Column}: ${describe(erasure)}`}
              </li>
            ))}
          </ul>
        )
      }
    </QueryResult>
  )
}

function describe({ State, Notice, Tables }: HistoryErasure): string {
  if (State === 'underWay') return 'under way'
  if (State === 'failed') return Notice ?? 'not done. Erase the person again.'
  const cleared = Tables.filter(({ Versions }) => Versions > 0)
  if (cleared.length === 0) return 'there was nothing left to clear'
  return cleared
    .map(({ Name, Versions, Columns }) => `${formatCount(Versions)} in ${Name} (${Columns.join(', ')})`)
    .join(', ')
}
