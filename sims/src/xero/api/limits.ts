/** Xero's rate limits: fixed windows per company, and a maximum of concurrent calls. */
import type { LimitProblem } from './injected-faults.ts'

export interface LimitFigures {
  readonly perMinute: number
  readonly perDay: number
  readonly concurrent: number
  /** Per minute, for an app over all its companies. */
  readonly perAppMinute: number
}

export const xeroLimits: LimitFigures = { perMinute: 60, perDay: 5_000, concurrent: 5, perAppMinute: 10_000 }

export interface LimitVerdict {
  /** Why the call is refused; null if it is counted. */
  readonly problem: LimitProblem | null
  readonly waitMs: number
  readonly headers: Readonly<Record<string, string>>
}

export interface XeroLimits {
  /** Counts a call at `now`. Refused calls do not count. Without a company, only the app's limit applies. */
  take(now: number, app: string, tenantId: string | null): LimitVerdict
  enter(tenantId: string): void
  leave(tenantId: string): void
}

interface LimitWindow {
  readonly lengthMs: number
  readonly offsetMs: number
  start: number
  calls: number
}

const minuteMs = 60_000
const dayMs = 86_400_000

export function callLimits(figures: LimitFigures): XeroLimits {
  const tenants = new Map<string, { minute: LimitWindow; day: LimitWindow; inFlight: number }>()
  const apps = new Map<string, LimitWindow>()
  const tenant = (id: string) => {
    const offset = tenants.size + 1
    const found = tenants.get(id) ?? {
      minute: window(minuteMs, offset * 13_700),
      day: window(dayMs, offset * 17_000_000),
      inFlight: 0,
    }
    tenants.set(id, found)
    return found
  }
  const appOf = (id: string): LimitWindow => {
    const found = apps.get(id) ?? window(minuteMs, 7_300)
    apps.set(id, found)
    return found
  }
  return {
    take(now, app, tenantId) {
      const counted = [
        {
          window: appOf(app),
          most: figures.perAppMinute,
          problem: 'appminute',
          header: 'x-appminlimit-remaining',
        } as const,
      ]
      const of = tenantId === null ? null : tenant(tenantId)
      if (of !== null && of.inFlight > figures.concurrent) return { problem: 'concurrent', waitMs: 0, headers: {} }
      const all = of === null ? counted : [...windowsOf(of, figures), ...counted]
      for (const { window } of all) advanceWindow(window, now)
      const full = all.find(({ window, most }) => window.calls >= most)
      if (full === undefined) for (const { window } of all) window.calls += 1
      const headers = Object.fromEntries(
        all.map(({ window, most, header }) => [header, String(Math.max(0, most - window.calls))]),
      )
      return {
        problem: full?.problem ?? null,
        waitMs: full === undefined ? 0 : full.window.start + full.window.lengthMs - now,
        headers,
      }
    },
    enter: (id) => void (tenant(id).inFlight += 1),
    leave: (id) => void (tenant(id).inFlight -= 1),
  }
}

const window = (lengthMs: number, offsetMs: number): LimitWindow => ({
  lengthMs,
  offsetMs: offsetMs % lengthMs,
  start: -Infinity,
  calls: 0,
})

function windowsOf({ minute, day }: { minute: LimitWindow; day: LimitWindow }, { perMinute, perDay }: LimitFigures) {
  return [
    { window: day, most: perDay, problem: 'day', header: 'x-daylimit-remaining' },
    { window: minute, most: perMinute, problem: 'minute', header: 'x-minlimit-remaining' },
  ] as const
}

function advanceWindow(window: LimitWindow, now: number): void {
  const start = Math.floor((now - window.offsetMs) / window.lengthMs) * window.lengthMs + window.offsetMs
  if (start !== window.start) Object.assign(window, { start, calls: 0 })
}
