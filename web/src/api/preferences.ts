/**
 * The person's preferences. The session brings them, and the browser caches them until the person signs out, so that
 * every first paint has them, and all tabs share them.
 */
import type { Preferences, PreferencesChange } from '@tributary/contract/preferences'
import { Subscribers } from '@tributary/client/subscribers'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { call } from './call.ts'
import { cacheForUser, readJson, readText } from './local-storage.ts'
import { readIdentity, subscribe as subscribeToSession } from './session/session.ts'
import { useMutation } from './use-mutation.ts'

const defaults: Preferences = {
  Locale: null,
  TimeZone: null,
  KeyboardShortcuts: true,
  Density: 'comfortable',
  Tables: {},
}

const subscribers = new Subscribers()
let cached: { text: string | null; stored: Preferences | undefined } = { text: null, stored: undefined }

/** The defaults for visitors. Returns the same object as long as nothing changed. */
export function readPreferences(): Preferences {
  const text = readText('preferences')
  if (text !== cached.text) cached = { text, stored: readJson<Preferences>('preferences') }
  return cached.stored ?? defaults
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribePreferences, readPreferences)
}

/** Calls the listener after each change, in this tab or another one, and after another person has signed in. */
export function subscribePreferences(listener: () => void): () => void {
  const unsubscribers = [subscribers.subscribe(listener), subscribeToSession(listener)]
  return () => unsubscribers.forEach((unsubscribe) => unsubscribe())
}

/** For the profile. Elsewhere a change in another browser shows when the session is renewed. */
export const storedPreferences = queryOptions({
  queryKey: ['preferences'],
  queryFn: async ({ signal }) => {
    const owner = readOwner()
    return storePreferences(owner, await call('GET /profile/preferences', { signal }))
  },
})

let changes = 0

/** A mutation whose `save` shows the change at once, and takes it back if it fails. Fields and tables that it does not mention stay. */
export function useSavePreferences() {
  const queryClient = useQueryClient()
  const mutation = useMutation({
    // One after the other, so that the last change wins.
    scope,
    mutationFn: ({ change }: NumberedChange) => call('PUT /profile/preferences', { body: change }),
    onMutate: async ({ change }) => {
      const former = { owner: readOwner(), preferences: readPreferences() }
      storePreferences(former.owner, applyChange(former.preferences, change))
      // A reply from before the change would undo it.
      await queryClient.cancelQueries(storedPreferences)
      return former
    },
    onSuccess: (saved, _, { owner }) => {
      // Any later change is already shown, and its reply will follow.
      const isLast = queryClient.isMutating({ predicate: ({ options }) => options.scope?.id === scope.id }) === 1
      if (isLast) storePreferences(owner, saved)
    },
    onError: (_, __, former) => {
      if (former !== undefined) storePreferences(former.owner, former.preferences)
      return queryClient.invalidateQueries(storedPreferences)
    },
  })
  function save(change: PreferencesChange, onError?: (error: Error) => void) {
    changes += 1
    mutation.mutate({ change, number: changes }, { ...(onError !== undefined && { onError }) })
  }
  return { ...mutation, save }
}

const scope = { id: 'preferences' }

/** The number distinguishes a change from an equal one in progress: on, off and on again are three. */
interface NumberedChange {
  readonly change: PreferencesChange
  readonly number: number
}

function readOwner(): string {
  return readIdentity()?.email ?? ''
}

function storePreferences(owner: string, preferences: Preferences): Preferences {
  const { Locale, TimeZone, KeyboardShortcuts, Density, Tables } = preferences
  // The owner has signed out meanwhile, in this tab or another one.
  if (owner !== readOwner()) return preferences
  cacheForUser('preferences', { Locale, TimeZone, KeyboardShortcuts, Density, Tables })
  subscribers.notify()
  return preferences
}

function applyChange(former: Preferences, change: PreferencesChange): Preferences {
  const { locale = former.Locale, timeZone = former.TimeZone, density = former.Density } = change
  const { keyboardShortcuts = former.KeyboardShortcuts, tables = {} } = change
  const merged = Object.entries({ ...former.Tables, ...tables }).flatMap(([name, columns]) =>
    columns === null ? [] : [[name, columns] as const],
  )
  return {
    Locale: locale,
    TimeZone: timeZone,
    KeyboardShortcuts: keyboardShortcuts,
    Density: density,
    Tables: Object.fromEntries(merged),
  }
}
