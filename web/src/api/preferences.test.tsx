import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import type { Preferences } from '@tributary/contract/preferences'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, fault } from '@tributary/testing/web/fake-server.ts'
import { defaultPreferences, leave, renderPart, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { useQuery } from '@tanstack/react-query'
import { readPreferences, storedPreferences, usePreferences, useSavePreferences } from './preferences.ts'

afterEach(leave)

const defaults = defaultPreferences

function Choices() {
  const { Density, Locale, KeyboardShortcuts } = usePreferences()
  const { save, error } = useSavePreferences()
  return (
    <>
      <button type="button" onClick={() => save({ density: 'compact' })}>
        Compact
      </button>
      <button type="button" onClick={() => save({ locale: 'de-DE', tables: { users: ['name'], runs: null } })}>
        German
      </button>
      <button type="button" onClick={() => save({ keyboardShortcuts: !KeyboardShortcuts })}>
        Keys
      </button>
      <output>
        {[Density, Locale ?? 'browser', KeyboardShortcuts ? 'keys' : 'no keys', error?.message].join(' ')}
      </output>
    </>
  )
}

/** As the profile, which fetches the current preferences. */
function Profile() {
  useQuery(storedPreferences)
  return <Choices />
}

const shown = () => screen.getByRole('status').textContent.trim()
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

/** Answers a change only when the test says so. */
function slowServer(replies: Partial<Preferences>) {
  const waiting: { body: unknown; finish: (reply: Preferences | Response) => void }[] = []
  fakeServer({
    'GET /profile/preferences': () => ({ ...defaults, ...replies }),
    'PUT /profile/preferences': ({ body }) => new Promise((finish) => waiting.push({ body, finish })),
  })
  return waiting
}

test('[UX-PREF-6] a change is shown at once, and sent without what it does not mention', async () => {
  signedInAs()
  const waiting = slowServer({})
  renderPart(<Choices />)
  press('Compact')
  expect(shown()).toBe('compact browser keys')
  await waitFor(() => expect(waiting.map(({ body }) => body)).toEqual([{ density: 'compact' }]))
  waiting[0]?.finish({ ...defaults, Density: 'compact' })
})

test('[UX-PREF-6] a refused change is taken back, with the message of the server', async () => {
  signedInAs()
  const waiting = slowServer({})
  renderPart(<Profile />)
  press('German')
  expect(shown()).toBe('comfortable de-DE keys')
  await waitFor(() => expect(waiting).toHaveLength(1))
  waiting[0]?.finish(fault(400, 'badInput', 'locale is not a locale such as en-GB.'))
  await waitFor(() => expect(shown()).toBe('comfortable browser keys locale is not a locale such as en-GB.'))
})

test('[UX-PREF-6] quick changes are sent one after the other, and the last one stays on the screen', async () => {
  signedInAs()
  const waiting = slowServer({})
  renderPart(<Choices />)
  for (const expected of ['no keys', 'keys', 'no keys']) {
    press('Keys')
    expect(shown()).toBe(`comfortable browser ${expected}`)
  }
  for (const [index, keyboardShortcuts] of [false, true, false].entries()) {
    await waitFor(() => expect(waiting).toHaveLength(index + 1))
    expect(waiting[index]?.body).toEqual({ keyboardShortcuts })
    waiting[index]?.finish({ ...defaults, KeyboardShortcuts: keyboardShortcuts })
    await act(() => Promise.resolve())
    expect(shown()).toBe('comfortable browser no keys')
  }
})

test('[UX-PREF-6] the first paint has the preferences of the session, and those that the server has meanwhile follow', async () => {
  signedInAs({ preferences: { ...defaults, Locale: 'en-NZ', Tables: { runs: ['State'] } } })
  fakeServer({ 'GET /profile/preferences': () => ({ ...defaults, Locale: 'en-US' }) })
  renderPart(<Profile />)
  expect(shown()).toBe('comfortable en-NZ keys')
  await waitFor(() => expect(shown()).toBe('comfortable en-US keys'))
})

test('[UX-PREF-6] another person in the same browser never gets them, nor a reply that arrives too late', async () => {
  signedInAs({ preferences: { ...defaults, Locale: 'en-NZ' } })
  let answer = (_preferences: Preferences): void => undefined
  const reply = new Promise<Preferences>((resolve) => {
    answer = resolve
  })
  fakeServer({ 'GET /profile/preferences': () => reply })
  renderPart(<Profile />)
  signedInAs({ email: 'user@demo.example' })
  answer({ ...defaults, Locale: 'de-DE' })
  await act(() => reply)
  expect(readPreferences()).toEqual(defaults)
})
