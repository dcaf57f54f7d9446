/** Moments as APIs write them, and as parameters send them. Every digit of a fraction is kept up to the column's. */

/** `2026-01-31T13:05:00.1234567+01:00`; the fraction, the seconds and the zone may be missing. */
const written =
  /^(?<day>\d{4}-\d\d-\d\d)[T ](?<time>\d\d:\d\d)(?::(?<seconds>\d\d))?(?:[.,](?<fraction>\d+))?\s*(?<zone>Z|[+-]\d\d(?::?\d\d)?)?$/u

interface WrittenMoment {
  /** In seconds since 1970, as if the text were in UTC. */
  readonly seconds: number
  readonly fraction: string
  /** In minutes ahead of UTC; null if the text has no zone. */
  readonly offset: number | null
}

export type MomentFormat = 'iso' | 'unixSeconds' | 'unixMilliseconds' | 'msDate'

/**
 * The instant in UTC: `2026-01-31 13:05:00.123+00`. Null if the text is no moment.
 * @param zone of a text without one
 * @param digits of the fraction; more are cut, because a database would round
 */
export function instantText(
  text: string,
  format: MomentFormat,
  { zone, digits }: { zone: string; digits: number },
): string | null {
  const moment = parseMoment(text, format)
  if (moment === null) return null
  const { seconds, fraction, offset } = moment
  const utc = offset === null ? zonedSeconds(seconds, zone) : seconds - offset * 60
  return `${secondsText(utc)}${fractionText(fraction, digits)}+00`
}

/** The timestamp as it is written, without its zone. */
export function timestampText(text: string, format: MomentFormat, digits: number): string | null {
  const moment = parseMoment(text, format)
  return moment === null ? null : `${secondsText(moment.seconds)}${fractionText(moment.fraction, digits)}`
}

/** The calendar day as it is written; in UTC where the API writes a number. */
export function dayText(text: string, format: MomentFormat): string | null {
  if (format === 'iso') return /^\d{4}-\d\d-\d\d(?:$|[T ])/u.test(text) ? text.slice(0, 10) : null
  const moment = parseMoment(text, format)
  return moment === null ? null : secondsText(moment.seconds).slice(0, 10)
}

/** In milliseconds since 1970; null if the text is no moment. */
export function millisecondsOf(text: string, format: MomentFormat, zone: string): number | null {
  const moment = parseMoment(text, format)
  if (moment === null) return null
  const utc = moment.offset === null ? zonedSeconds(moment.seconds, zone) : moment.seconds - moment.offset * 60
  return utc * 1_000 + Number(moment.fraction.padEnd(3, '0').slice(0, 3))
}

function parseMoment(text: string, format: MomentFormat): WrittenMoment | null {
  switch (format) {
    case 'unixSeconds': {
      const [, seconds, fraction = ''] = /^(-?\d{1,12})(?:\.(\d+))?$/u.exec(text) ?? []
      return seconds === undefined ? null : { seconds: Number(seconds), fraction, offset: 0 }
    }
    case 'unixMilliseconds':
      return /^-?\d{1,15}$/u.test(text) ? ofMilliseconds(Number(text)) : null
    case 'msDate': {
      const [, milliseconds] = /^\/Date\((-?\d{1,15})(?:[+-]\d{4})?\)\/$/u.exec(text) ?? []
      return milliseconds === undefined ? null : ofMilliseconds(Number(milliseconds))
    }
    case 'iso':
      return parseIso(text)
  }
}

function ofMilliseconds(at: number): WrittenMoment {
  const seconds = Math.floor(at / 1_000)
  return { seconds, fraction: String(at - seconds * 1_000).padStart(3, '0'), offset: 0 }
}

function parseIso(text: string): WrittenMoment | null {
  const { day, time, seconds = '00', fraction = '', zone } = written.exec(text)?.groups ?? {}
  if (day === undefined || time === undefined)
    return /^\d{4}-\d\d-\d\d$/u.test(text) ? parseIso(`${text}T00:00:00`) : null
  const at = Date.parse(`${day}T${time}:${seconds}Z`)
  // A day such as 31 February would be taken as one of March.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day) return null
  return { seconds: at / 1_000, fraction, offset: zone === undefined ? null : offsetMinutes(zone) }
}

function offsetMinutes(zone: string): number {
  if (zone === 'Z') return 0
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return (zone.startsWith('-') ? -1 : 1) * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2)))
}

/**
 * The seconds in UTC of a wall clock's seconds. Of a time that occurs twice, the first; a time that a clock skips counts as the one
 * after.
 */
function zonedSeconds(wall: number, zone: string): number {
  if (zone === 'UTC') return wall
  const before = wall - offsetSeconds(zone, wall - 86_400)
  const after = wall - offsetSeconds(zone, wall + 86_400)
  const fits = [before, after].filter((utc) => utc + offsetSeconds(zone, utc) === wall)
  return fits.length > 0 ? Math.min(...fits) : before
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function offsetSeconds(zone: string, utc: number): number {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' })
  clocks.set(zone, clock)
  const name = clock.formatToParts(utc * 1_000).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/u.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds))
}

function secondsText(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ')
}

function fractionText(fraction: string, digits: number): string {
  const cut = fraction.slice(0, digits)
  return cut === '' ? '' : `.${cut}`
}

export type ParameterFormat = 'iso' | 'isoWithoutZone' | 'isoSeconds' | 'unixSeconds' | 'unixMilliseconds' | 'date'

/** A moment as a parameter. Seconds and days are rounded down, so that the moment itself is included. */
export function momentParameter(at: number, format: ParameterFormat): string {
  const iso = new Date(at).toISOString()
  switch (format) {
    case 'iso':
      return iso
    case 'isoWithoutZone':
      return iso.slice(0, -1)
    case 'isoSeconds':
      return `${iso.slice(0, 19)}Z`
    case 'unixSeconds':
      return String(Math.floor(at / 1_000))
    case 'unixMilliseconds':
      return String(at)
    case 'date':
      return iso.slice(0, 10)
  }
}
