/** Relative times and durations. */
import { useNow } from './use-now.ts'
import { useOrganisationClock } from './use-organisation-clock.ts'

const tickMs = 15_000
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const month = 30 * day

const relativeFormat = new Intl.RelativeTimeFormat('en-GB', { numeric: 'always' })
const dateFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const exactFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })
const clockTime = { weekday: 'short', hour: '2-digit', minute: '2-digit' } as const

/**
 * Returns 'just now', then minutes, hours and days, then the date. Also handles future times. Both arguments are
 * in ms since 1970.
 */
export function formatRelativeTime(at: number, from: number): string {
  const distance = at - from
  const size = Math.abs(distance)
  if (size < minute) return distance > tickMs ? 'in less than a minute' : 'just now'
  if (size < hour) return relativeFormat.format(Math.trunc(distance / minute), 'minute')
  if (size < day) return relativeFormat.format(Math.trunc(distance / hour), 'hour')
  if (size < month) return relativeFormat.format(Math.trunc(distance / day), 'day')
  return dateFormat.format(at)
}

export function formatExactTime(at: string): string {
  return exactFormat.format(Date.parse(at))
}

export function RelativeTime({ at }: { at: string }) {
  const current = useNow(tickMs)
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {formatRelativeTime(Date.parse(at), current)}
    </time>
  )
}

/** A time some hours away, as weekday and clock time. */
export function ClockTime({ at }: { at: string }) {
  const format = useOrganisationClock(clockTime)
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {format(at)}
    </time>
  )
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
