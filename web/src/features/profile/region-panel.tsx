/** Locale and time zone of the person, with examples of what they change. */
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { now } from '@tributary/client/server-clock'
import { storedPreferences, usePreferences, useSavePreferences } from '../../api/preferences.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { useNow } from '../../domain/time/use-now.ts'
import {
  browserFormats,
  currentTimeZone,
  firstDayOfWeek,
  formatDecimal,
  formatLocaleName,
  formatMoment,
  listTimeZoneChoices,
  weekdayNames,
} from '../../ui/formats.ts'
import { DescriptionList, Panel } from '../../ui/layout/panel.tsx'
import { locales } from './locales.ts'
import css from './profile.module.css'

const minuteMs = 60_000

export function RegionPanel() {
  useQuery(storedPreferences)
  const { Locale, TimeZone } = usePreferences()
  const preferences = useSavePreferences()
  const time = useNow(minuteMs)
  return (
    <Panel title="Language and region">
      <MutationError of={preferences} />
      <div className={css.pair}>
        <NativeSelect
          label="Formats"
          description="For dates, times, numbers and names. The texts of the portal are in English."
          data={listLocaleChoices(Locale)}
          value={Locale ?? ''}
          onChange={(event) => preferences.save({ locale: event.currentTarget.value || null })}
        />
        <NativeSelect
          label="Time zone"
          description="Schedules run in the time zone of their organisation."
          data={[{ value: '', label: nameBrowsers(browserFormats().timeZone) }, ...listTimeZoneChoices(TimeZone)]}
          value={TimeZone ?? ''}
          onChange={(event) => preferences.save({ timeZone: event.currentTarget.value || null })}
        />
      </div>
      <DescriptionList
        items={[
          { label: 'Date', value: formatMoment(time, 'longDate') },
          { label: 'Time now', value: `${formatMoment(now(), 'time')}, ${currentTimeZone().replaceAll('_', ' ')}` },
          { label: 'Number', value: formatDecimal('-1234567.89') },
          { label: 'Week starts on', value: weekdayNames[firstDayOfWeek()] ?? '' },
        ]}
      />
    </Panel>
  )
}

function listLocaleChoices(current: string | null) {
  const all = new Set([...locales, ...(current === null ? [] : [current])])
  const named = [...all].map((locale) => ({ value: locale, label: formatLocaleName(locale) }))
  const sorted = named.toSorted((one, other) => (one.label < other.label ? -1 : 1))
  return [{ value: '', label: nameBrowsers(formatLocaleName(browserFormats().locale)) }, ...sorted]
}

function nameBrowsers(value: string): string {
  return `Browser: ${value.replaceAll('_', ' ')}`
}
