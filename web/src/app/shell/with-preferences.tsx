import type { ComponentType } from 'react'
import { subscribePreferences, readPreferences, usePreferences } from '../../api/preferences.ts'
import { setFormatSettings } from '../../ui/formats.ts'

applyPreferences()
// Subscribes before any component, so that pages render again with the new formats.
subscribePreferences(applyPreferences)

function applyPreferences(): void {
  const { Locale, TimeZone } = readPreferences()
  setFormatSettings({ locale: Locale, timeZone: TimeZone })
}

/** A page that is rendered again when the person's preferences change. */
export function withPreferences(Page: ComponentType): ComponentType {
  return function PageWithPreferences() {
    usePreferences()
    return <Page />
  }
}
