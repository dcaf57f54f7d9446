/** How much of the audit log a search has examined. A long log is searched in parts, the newest events first. */
import type { ListPage } from '@tributary/client/create-client'
import { auditLogLimits } from '@tributary/contract/limits'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Callout } from '../../ui/feedback/callout.tsx'
import { formatCount, formatMoment } from '../../ui/formats.ts'
import css from './audit-log.module.css'
import type { AuditLogQuery } from './use-audit-log-filter.ts'

/** Where the search continues, until the filter changes. */
export function useContinuedSearch(filter: AuditLogQuery) {
  const [continued, setContinued] = useState<{ key: string; beforeId: number } | null>(null)
  const key = JSON.stringify(filter)
  return {
    beforeId: continued?.key === key ? continued.beforeId : undefined,
    continueBefore: (beforeId: number | null) => setContinued(beforeId === null ? null : { key, beforeId }),
  }
}

interface SearchExtentProps {
  unsearched: ListPage<unknown>['unsearched']
  isContinued: boolean
  /** Null: begins with the newest events again. */
  onContinue: (beforeId: number | null) => void
}

/** Nothing if one search has examined all events. */
export function SearchExtent({ unsearched, isContinued, onContinue }: SearchExtentProps) {
  if (unsearched === undefined && !isContinued) return null
  return (
    <div className={css.extent}>
      <Callout tone="info">
        <p>{extentText(unsearched, isContinued)}</p>
        <div className={css.links}>
          {unsearched === undefined ? null : (
            <Button variant="default" size="compact-md" onClick={() => onContinue(unsearched.beforeId)}>
              Search older events
            </Button>
          )}
          {isContinued ? (
            <Button variant="default" size="compact-md" onClick={() => onContinue(null)}>
              Back to the newest events
            </Button>
          ) : null}
        </div>
      </Callout>
    </div>
  )
}

function extentText(unsearched: SearchExtentProps['unsearched'], isContinued: boolean): string {
  if (unsearched === undefined) return 'These are the oldest events. The search has reached the beginning of the log.'
  const newest = isContinued ? 'next' : 'newest'
  const searched = `The ${newest} ${formatCount(auditLogLimits.searchedMax)} events were searched`
  return `${searched}. Those of ${formatMoment(unsearched.newestAt, 'exact')} and before were not.`
}
