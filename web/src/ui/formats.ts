/**
 * Formats dates, times and numbers, and names days and countries, by the person's locale and in their time zone. The
 * only module of the portal that may use `Intl`: `tools/source-rules.test.ts` refuses it elsewhere. Words within an
 * English sentence, such as '3 hours ago' and the 'and' of a list, stay English.
 */
import { formatTimeZone } from '@tributary/contract/time-zone-name'

export interface FormatSettings {
  /** BCP 47; null: the browser's. */
  readonly locale: string | null
  /** A name of the IANA database; null: the browser's. */
  readonly timeZone: string | null
}

interface Formats {
  readonly locale: string
  readonly timeZone: string
  /** Formatters by what they are for. Creating one takes longer than using it a hundred times. */
  readonly cache: Map<string, unknown>
}

const words = 'en-GB'

let formats: Formats | null = null

/** Applies to everything that is formatted from now on. What is on the screen has to be rendered again. */
export function setFormatSettings({ locale, timeZone }: FormatSettings): void {
  formats = resolveFormats({ locale, timeZone })
}

/** The browser's locale and time zone, which count if the person has not chosen others. */
export function browserFormats(): { readonly locale: string; readonly timeZone: string } {
  return resolveFormats({ locale: null, timeZone: null })
}

function readFormats(): Formats {
  formats ??= resolveFormats({ locale: null, timeZone: null })
  return formats
}

function resolveFormats({ locale, timeZone }: FormatSettings): Formats {
  const locales = [locale, ...navigator.languages, words].filter((one) => one !== null)
  const resolved = new Intl.DateTimeFormat(locales.filter(isKnownLocale), {
    ...(timeZone !== null && isKnownTimeZone(timeZone) && { timeZone }),
  }).resolvedOptions()
  return { locale: resolved.locale, timeZone: resolved.timeZone, cache: new Map() }
}

/** The browser may know fewer locales and time zones than the server that accepted them. */
function isKnownLocale(locale: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0
  } catch {
    return false
  }
}

function isKnownTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat(words, { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function cached<Value>(key: string, create: (formats: Formats) => Value): Value {
  const { cache } = readFormats()
  const value = (cache.get(key) as Value | undefined) ?? create(readFormats())
  cache.set(key, value)
  return value
}

/** The person's locale, or the browser's. */
export function currentLocale(): string {
  return readFormats().locale
}

/** The person's time zone, or the browser's. */
export function currentTimeZone(): string {
  return readFormats().timeZone
}

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
const minute = { hour: 'numeric', minute: '2-digit' } as const
/** Date fields and their parser know only this calendar and these digits. */
const typable = { calendar: 'gregory', numberingSystem: 'latn' } as const
const second = { ...minute, second: '2-digit' } as const

/** With an example in British English. */
const momentStyles = {
  /** 20 Nov 2026. */
  date: day,
  /** 20 November 2026. */
  longDate: { ...day, month: 'long' },
  /** November 2026. */
  month: { month: 'long', year: 'numeric' },
  /** Fri 20 Nov. */
  weekday: { weekday: 'short', day: 'numeric', month: 'short' },
  /** Fri 06:00. */
  weekdayTime: { weekday: 'short', ...minute },
  /** Fri 20 Nov, 06:00. */
  weekdayDateTime: { weekday: 'short', day: 'numeric', month: 'short', ...minute },
  /** 06:00. */
  time: minute,
  /** 06:00:09. */
  seconds: second,
  /** 20 Nov, 06:00:09. */
  dayAndSeconds: { day: 'numeric', month: 'short', ...second },
  /** 20 Nov 2026, 06:00. */
  dateTime: { ...day, ...minute },
  /** Fri. */
  weekdayName: { weekday: 'short' },
  /** 20 Nov 2026, of the calendar and in the digits of date fields. */
  field: { ...day, ...typable },
  /** Nov, as in `field`. */
  monthName: { month: 'short', ...typable },
  /** November, as in `field`. */
  longMonthName: { month: 'long', ...typable },
  /** 20 Nov 2026, 06:00:09 GMT. */
  exact: { ...day, ...second, timeZoneName: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

export type MomentStyle = keyof typeof momentStyles

/** @param at ISO 8601, or ms since 1970. @param timeZone default: the person's. */
export function formatMoment(at: string | number, style: MomentStyle, timeZone = currentTimeZone()): string {
  return momentFormat(style, timeZone).format(typeof at === 'number' ? at : Date.parse(at))
}

/** Formats a date that has no time and no zone, such as `2026-11-20`. */
export function formatDay(date: string, style: MomentStyle): string {
  return formatMoment(date, style, 'UTC')
}

/** Formats a time of the day, such as `06:00`. */
export function formatTimeOfDay(time: string): string {
  return formatMoment(`1970-01-01T${time}:00Z`, 'time', 'UTC')
}

function momentFormat(style: MomentStyle, timeZone: string): Intl.DateTimeFormat {
  return cached(`${style} ${timeZone}`, ({ locale }) => {
    const options: Intl.DateTimeFormatOptions = momentStyles[style]
    // '06:00' and '6:00 am'.
    const width = options.hour === undefined || hasTwelveHours() ? {} : ({ hour: '2-digit' } as const)
    return new Intl.DateTimeFormat(locale, { ...options, ...width, timeZone })
  })
}

/** True if the locale writes 6 pm instead of 18:00. */
function hasTwelveHours(): boolean {
  return cached('hours', ({ locale }) =>
    ['h11', 'h12'].includes(new Intl.DateTimeFormat(locale, minute).resolvedOptions().hourCycle ?? 'h23'),
  )
}

const relativeFormat = new Intl.RelativeTimeFormat(words, { numeric: 'always' })

/** '3 hours ago' for -3 hours, 'in 3 hours' for 3. */
export function formatDistance(value: number, unit: 'minute' | 'hour' | 'day'): string {
  return relativeFormat.format(value, unit)
}

/** Whether the time zone is the person's own. */
export function isOwnTimeZone(timeZone: string): boolean {
  if (timeZone === currentTimeZone()) return true
  // A browser may know a zone by its former name, such as Asia/Calcutta.
  return cached(`zone ${timeZone}`, () => resolveFormats({ locale: null, timeZone }).timeZone) === currentTimeZone()
}

/** ' (Auckland time)' to follow a time that is not in the person's own zone; otherwise empty. */
export function formatZoneNote(timeZone: string): string {
  return isOwnTimeZone(timeZone) ? '' : ` (${formatTimeZone(timeZone)})`
}

export function formatCount(value: number): string {
  return cached('count', ({ locale }) => new Intl.NumberFormat(locale)).format(value)
}

export function formatRowCount(rows: number): string {
  return `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`
}

/** Formats an exact decimal without losing a digit: '-1234.50' as '−1,234.5', or with at least two decimal places. */
export function formatDecimal(decimal: string, minimumFractionDigits: 0 | 2 = 0): string {
  const options = { minimumFractionDigits, maximumFractionDigits: 20 }
  const format = cached(`decimal ${minimumFractionDigits}`, ({ locale }) => new Intl.NumberFormat(locale, options))
  return format.format(decimal as Intl.StringNumericLiteral).replace('-', '−')
}

/** 'Monday, Tuesday and Friday'. */
export function formatList(items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return new Intl.ListFormat(words, { type }).format(items)
}

/** The name of a country by its ISO 3166 code; the code if it is unknown. */
export function formatCountry(code: string): string {
  return cached('countries', ({ locale }) => new Intl.DisplayNames(locale, { type: 'region' })).of(code) ?? code
}

/** Compares names as the person's language sorts them, ignoring case, with 'Week 2' before 'Week 10'. */
export function compareNames(one: string, other: string): number {
  const create = ({ locale }: Formats) => new Intl.Collator(locale, { sensitivity: 'base', numeric: true })
  return cached('names', create).compare(one, other)
}

/** In English, as all words of the portal. 0 is Sunday, as in cron. */
export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** The first day of the week: 0 is Sunday, as in cron. */
export function firstDayOfWeek(): number {
  return cached('week', ({ locale }) => findFirstDay(locale))
}

/** Of CLDR, for browsers that do not say: regions whose week does not begin on Monday. */
const otherWeeks = [
  [0, 'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP'],
  [0, 'PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW'],
  [5, 'MV'],
  [6, 'AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY'],
] as const

function findFirstDay(locale: string): number {
  const found = new Intl.Locale(locale).maximize() as Intl.Locale & WeekInfoSource
  const week = found.getWeekInfo?.() ?? found.weekInfo
  if (week !== undefined) return week.firstDay % 7
  return otherWeeks.find(([, regions]) => regions.split(' ').includes(found.region ?? ''))?.[0] ?? 1
}

/** Not every browser has it, and some have it as a property. 1 is Monday, 7 is Sunday. */
interface WeekInfoSource {
  readonly getWeekInfo?: () => { readonly firstDay: number }
  readonly weekInfo?: { readonly firstDay: number }
}

/** The order in which the locale writes a date in figures: `dmy`, `mdy` or `ymd`. */
export function dateOrder(): string {
  return cached('order', ({ locale }) => {
    const options = { day: 'numeric', month: 'numeric', year: 'numeric', ...typable } as const
    const parts = new Intl.DateTimeFormat(locale, options).formatToParts(0).map(({ type }) => type.charAt(0))
    return parts.filter((part) => 'dmy'.includes(part)).join('')
  })
}

/** The day of a moment in a time zone, as `YYYY-MM-DD`. */
export function zonedDay(at: number, timeZone: string): string {
  return isoFormat(timeZone).format(at).slice(0, 10)
}

/** Start of a day in a time zone, as an ISO string in UTC. */
export function startOfZonedDay(date: string, timeZone: string): string {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // The offset must be that of the result, so it is computed twice, in case the clock changes in between.
  const first = midnight - zoneOffsetMs(midnight, timeZone)
  return new Date(midnight - zoneOffsetMs(first, timeZone)).toISOString()
}

function zoneOffsetMs(at: number, timeZone: string): number {
  return Date.parse(`${isoFormat(timeZone).format(at).replace(' ', 'T')}Z`) - at
}

/** Swedish dates and times are written as in ISO 8601. */
function isoFormat(timeZone: string): Intl.DateTimeFormat {
  const options = { dateStyle: 'short', timeStyle: 'medium', timeZone } as const
  return cached(`iso ${timeZone}`, () => new Intl.DateTimeFormat('sv-SE', options))
}

/** Every time zone that the browser knows, and `current`, for a select: those of a continent in one group, by city. */
export function listTimeZoneChoices(current: string | null = null) {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(current === null ? [] : [current])])
  const groups = Map.groupBy([...zones].toSorted(), (zone) =>
    zone.includes('/') ? zone.replace(/\/.*/u, '') : 'Other',
  )
  return [...groups].map(([group, members]) => ({
    group,
    items: members.map((value) => ({ value, label: value.replace(/^[^/]*\//u, '').replaceAll('_', ' ') })),
  }))
}

/** The English name of a locale: 'English (New Zealand)'. */
export function formatLocaleName(locale: string): string {
  return new Intl.DisplayNames(words, { type: 'language', languageDisplay: 'standard' }).of(locale) ?? locale
}

const sizeUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

export function formatSize(bytes: number | null): string {
  if (bytes === null) return '–'
  const power = bytes === 0 ? 0 : Math.min(sizeUnits.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1_024 ** power
  return `${formatDecimal(value.toFixed(value < 10 && power > 0 ? 1 : 0))} ${sizeUnits[power]}`
}
