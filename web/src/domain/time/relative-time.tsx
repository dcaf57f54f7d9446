/** Relative times and durations. */
import { useNow } from './use-now.ts'
import { now } from '@tributary/client/server-clock'
import { formatDistance, formatMoment, formatZoneNote } from '../../ui/formats.ts'

const tickMs = 15_000
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const month = 30 * day

/**
 * Returns 'just now', then minutes, hours and days, then the date. Also handles future times. Both arguments are
 * in ms since 1970.
 */
export function formatRelativeTime(at: number, from: number): string {
  const distance = at - from
  const size = Math.abs(distance)
  if (size < minute) return distance > tickMs ? 'in less than a minute' : 'just now'
  if (size < hour) return formatDistance(Math.trunc(distance / minute), 'minute')
  if (size < day) return formatDistance(Math.trunc(distance / hour), 'hour')
  if (size < month) return formatDistance(Math.trunc(distance / day), 'day')
  return formatMoment(at, 'date')
}

export function RelativeTime({ at }: { at: string }) {
  const current = useNow(tickMs)
  return (
    <time dateTime={at} title={formatMoment(at, 'exact')}>
      {formatRelativeTime(Date.parse(at), current)}
    </time>
  )
}

/** A time some hours away, as weekday and clock time. */
export function ClockTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at, 'exact')}>
      {formatMoment(at, 'weekdayTime')}
    </time>
  )
}

interface ScheduledTimeProps {
  readonly at: string
  readonly timeZone: string
  /** Weekday and time are enough within a week. */
  readonly hasDate?: boolean
}

/** A time of a schedule, on the clock of the organisation that has it. The title is on the person's own clock. */
export function ScheduledTime({ at, timeZone, hasDate = false }: ScheduledTimeProps) {
  const note = formatZoneNote(timeZone)
  return (
    <span>
      <time dateTime={at} title={formatMoment(at, 'exact')}>
        {formatMoment(at, hasDate ? 'weekdayDateTime' : 'weekdayTime', timeZone)}
      </time>
      {note === '' ? null : (
        <>
          {' '}
          <span data-zone>{note.trim()}</span>
        </>
      )}
    </span>
  )
}

const isoTime = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?Z/g

/** Writes the ISO times in a text of the server on the person's clock; without the date if it is today's. */
export function formatTimesIn(text: string): string {
  return text.replaceAll(isoTime, (at) => {
    const isToday = formatMoment(at, 'date') === formatMoment(now(), 'date')
    return formatMoment(at, isToday ? 'time' : 'weekdayDateTime')
  })
}

/** How long something took or has been running. */
export function ElapsedTime({ from, to }: { from: string; to: string | null }) {
  const current = useNow(1_000)
  return <span className="num">{formatElapsed((to === null ? current : Date.parse(to)) - Date.parse(from))}</span>
}

/** Formats a duration in its two largest units: `5 s`, `1 min 5 s`, `2 h 3 min`. */
export function formatElapsed(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / 1_000))
  const minutes = Math.floor(seconds / 60)
  if (seconds < 1) return 'under 1 s'
  if (minutes < 1) return `${seconds} s`
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
