/** Times in words, all redrawn by one ticker. */
import { useSyncExternalStore } from 'react'
import { now } from '@tributary/client/server-clock'
import { useClock } from './use-organisation-clock.ts'

const tickMs = 15_000
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const month = 30 * day

const words = new Intl.RelativeTimeFormat('en-GB', { numeric: 'always' })
const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })
const clockTime = { weekday: 'short', hour: '2-digit', minute: '2-digit' } as const

/** 'just now', then minutes, hours and days, then the date. Works for times to come, too. */
export function relativeWords(at: number, from: number): string {
  const distance = at - from
  const size = Math.abs(distance)
  if (size < minute) return distance > tickMs ? 'in less than a minute' : 'just now'
  if (size < hour) return words.format(Math.trunc(distance / minute), 'minute')
  if (size < day) return words.format(Math.trunc(distance / hour), 'hour')
  if (size < month) return words.format(Math.trunc(distance / day), 'day')
  return dates.format(at)
}

export function exactTime(at: string): string {
  return exact.format(Date.parse(at))
}

export function RelativeTime({ at }: { at: string }) {
  const current = useTick(tickMs)
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeWords(Date.parse(at), current)}
    </time>
  )
}

/** A moment some hours away, as weekday and clock time. */
export function ClockTime({ at }: { at: string }) {
  const tell = useClock(clockTime)
  return (
    <time dateTime={at} title={exactTime(at)}>
      {tell(at)}
    </time>
  )
}

/** How long something took, or has been going. */
export function Elapsed({ from, to }: { from: string; to: string | null }) {
  const current = useTick(1_000)
  return <span className="num">{elapsedWords((to === null ? current : Date.parse(to)) - Date.parse(from))}</span>
}

/** In the two largest units: `5 s`, `1 min 5 s`, `2 h 3 min`. */
export function elapsedWords(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / 1_000))
  const minutes = Math.floor(seconds / 60)
  if (seconds < 1) return 'under 1 s'
  if (minutes < 1) return `${seconds} s`
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** The time, renewed every so often; as coarse as the tick, so that React sees a change only then. */
export function useTick(everyMs: number): number {
  const coarse = () => Math.floor(now() / everyMs) * everyMs
  useSyncExternalStore((redraw) => tickers(everyMs).add(redraw), coarse)
  return now()
}

type Ticker = { add: (redraw: () => void) => () => void }
const running = new Map<number, Ticker>()

function tickers(everyMs: number): Ticker {
  const existing = running.get(everyMs)
  if (existing !== undefined) return existing
  const made = createTicker(everyMs)
  running.set(everyMs, made)
  return made
}

function createTicker(everyMs: number): Ticker {
  const redraws = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    add(redraw) {
      redraws.add(redraw)
      timer ??= setInterval(() => redraws.forEach((each) => each()), everyMs)
      return () => {
        redraws.delete(redraw)
        if (redraws.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
