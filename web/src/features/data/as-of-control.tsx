/** Chooses the moment at which the rows of a table are shown: now, after a run, or at a date and time. */
import type { DataTable } from '@tributary/contract/data'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
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
  return (
    <div className={css.asOf}>
      <NativeSelect
        label="Rows as of"
        value={asOf ?? ''}
        data={[
          { value: '', label: 'Now' },
          ...(isOfRun ? [] : [{ value: asOf, label: formatMoment(asOf, 'dateTime') }]),
          ...runs.map(({ AsOf }) => ({ value: AsOf, label: `After the run of ${formatMoment(AsOf, 'dateTime')}` })),
        ]}
        onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        label="Or at"
        value={asOf === null ? '' : toLocal(asOf)}
        onChange={({ currentTarget }) => onChange(toUtc(currentTarget.value))}
      />
      <p className="subtle">
        History of {location.table} starts {formatMoment(history.SinceUtc, 'dateTime')}; nothing is known of before.
        {history.Name === `${location.table}__history` ? '' : ` Its row versions are in ${history.Name}.`}
      </p>
    </div>
  )
}

/** For an input of type `datetime-local`, in the time zone of the browser. */
function toLocal(moment: string): string {
  const at = new Date(moment)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Null while the date is incomplete. */
function toUtc(local: string): string | null {
  const at = new Date(local)
  return local === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}
