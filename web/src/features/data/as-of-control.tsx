/** Chooses the moment at which the rows of a table are shown: now, after a run, or at the end of a day. */
import type { DataTable } from '@tributary/contract/data'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { now } from '@tributary/client/server-clock'
import { LazyDateField } from '../../ui/forms/lazy-date-field.tsx'
import { formatMoment } from '../../ui/formats.ts'
import { tableMoments, type TableLocation } from './api.ts'
import css from './data.module.css'

interface AsOfControlProps {
  location: TableLocation
  history: NonNullable<DataTable['History']>
  /** Null: now. */
  asOf: string | null
  onChange: (asOf: string | null) => void
}

export function AsOfControl({ location, history, asOf, onChange }: AsOfControlProps) {
  const { data } = useQuery(tableMoments(location))
  const runs = data?.Runs ?? []
  const isOfRun = asOf === null || runs.some(({ AsOf }) => AsOf === asOf)
  const words = runWords(runs.map(({ AsOf }) => AsOf))
  return (
    <div className={css.asOf}>
      <NativeSelect
        label="Rows as of"
        value={asOf ?? ''}
        data={[
          { value: '', label: 'Now' },
          ...(isOfRun ? [] : [{ value: asOf, label: formatMoment(asOf, 'dateTime') }]),
          ...runs.map(({ AsOf }) => ({ value: AsOf, label: words(AsOf) })),
        ]}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
      />
      <LazyDateField
        label="Or at the end of"
        value={isOfRun ? '' : dayOf(asOf)}
        min={dayOf(history.SinceUtc)}
        max={dayOf(history.EndedAtUtc ?? new Date(now()).toISOString())}
        onChange={(day) => onChange(day === '' ? null : endOfDay(day))}
      />
      <p className="subtle">
        History of {location.table} starts {formatMoment(history.SinceUtc, 'dateTime')}; nothing is known of before.
        {history.Name === `${location.table}__history` ? '' : ` Its row versions are in ${history.Name}.`}
      </p>
    </div>
  )
}

/** With seconds where two runs began in one minute. */
function runWords(moments: readonly string[]): (moment: string) => string {
  const inMinutes = moments.map((moment) => formatMoment(moment, 'dateTime'))
  const style = new Set(inMinutes).size === inMinutes.length ? 'dateTime' : 'exact'
  return (moment) => `After the run of ${formatMoment(moment, style)}`
}

/** `YYYY-MM-DD` in the time zone of the browser. */
function dayOf(moment: string): string {
  const at = new Date(moment)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

/** The last second of a day in the time zone of the browser, in UTC. */
function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString()
}
