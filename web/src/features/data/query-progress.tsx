/** Shows that a query is running, for how long, and its limit, with a button that cancels it. */
import { dataLimits } from '@tributary/contract/limits'
import { Button, Progress } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { useEffect, useState } from 'react'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import css from './data.module.css'

/** Most queries are over before a person could read this. */
const quietSeconds = 1

interface QueryProgressProps {
  /** The query may read the whole table. */
  isSlow: boolean
  onCancel: () => void
}

export function QueryProgress({ isSlow, onCancel }: QueryProgressProps) {
  const seconds = useSeconds()
  const { querySeconds } = dataLimits
  return (
    <div className={css.progress}>
      {seconds < quietSeconds ? null : (
        <div className={css.progressHead}>
          <output>
            {isSlow
              ? 'Reading the whole table, because the order or the filters have no index.'
              : 'Reading the first rows.'}
            {` A query may take ${querySeconds} seconds.`}
          </output>
          <Progress value={(100 * seconds) / querySeconds} aria-label="Time of the query" />
          <p className="small subtle" aria-hidden>{`${seconds} of ${querySeconds} seconds`}</p>
          <Button variant="default" size="compact-md" onClick={onCancel}>
            Cancel
          </Button>
        </div>
      )}
      <SkeletonLines count={12} height={28} />
    </div>
  )
}

function useSeconds(): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((current) => current + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return seconds
}
