/** When schedules must fire, found by checking every minute of the wall clock: slow, but independent of the product. */

export interface ZonedSchedule {
  readonly schedule: string
  readonly zone: string
}

const minuteMs = 60_000

/**
 * Schedules with `*` as hour follow elapsed time. Otherwise a wall clock time fires once, when it is first shown or
 * skipped.
 */
export function expectedFires({ schedule, zone }: ZonedSchedule, from: number, until: number): ReadonlySet<number> {
  const [minutes = '', hours = '', , , weekdays = ''] = schedule.split(' ')
  const fires = new Set<number>()
  const shown = new Set<number>()
  // Starts three hours earlier, because the clock may show those times again.
  let previous = wallOf(from - 180 * minuteMs, zone)
  for (let at = from - 180 * minuteMs; at < until; at += minuteMs) {
    const wall = wallOf(at, zone)
    for (let each = Math.min(previous + minuteMs, wall); each <= wall; each += minuteMs) {
      const isNew = hours === '*' ? each === wall : !shown.has(each)
      shown.add(each)
      if (isNew && at >= from && matches(each, { minutes, hours, weekdays })) fires.add(at)
    }
    previous = Math.max(previous, wall)
  }
  return fires
}

function matches(
  wall: number,
  { minutes, hours, weekdays }: { minutes: string; hours: string; weekdays: string },
): boolean {
  const shown = new Date(wall)
  return fits(minutes, shown.getUTCMinutes()) && fits(hours, shown.getUTCHours()) && fits(weekdays, shown.getUTCDay())
}

function fits(field: string, value: number): boolean {
  if (field === '*') return true
  const [, step] = /^\*\/(\d+)$/.exec(field) ?? []
  if (step !== undefined) return value % Number(step) === 0
  const [first, last = first] = field.split('-').map(Number)
  return first !== undefined && last !== undefined && value >= first && value <= last
}

/** The wall clock time of the zone, as if it were UTC. */
function wallOf(at: number, zone: string): number {
  const key = `${zone} ${Math.floor(at / (15 * minuteMs))}`
  const known = offsets.get(key)
  const offset = known ?? offsetOf(at, zone)
  if (known === undefined) offsets.set(key, offset)
  return at + offset
}
/** Cached per quarter of an hour, because zones change their offset only at those. */
const offsets = new Map<string, number>()

function offsetOf(at: number, zone: string): number {
  const text = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).format(at)
  const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minuteMs
}
