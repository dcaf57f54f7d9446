/** The selected organisation: the query `organisation`, else the stored choice, else the first. The session follows it. */
import type { Organisation } from '@tributary/contract/organisations'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { organisationList } from '../../api/queries/common-queries.ts'
import { renewTokenFor } from '../../api/session/token-renewal.ts'
import { endSession, type SignedInUser, useIdentity } from '../../api/session/session.ts'
import { cacheForUser, readJson } from '../../api/local-storage.ts'
import type { Workspace } from '../../api/session/workspace.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'

type Stored = { organisationId: string; data: { CompanyName: string } }

export interface ChosenWorkspace {
  /** Null until there is a session for the organisation. */
  readonly workspace: Workspace | null
  readonly organisations: readonly Organisation[]
  readonly error: unknown
  readonly isEmpty: boolean
  choose(organisationId: string): void
  retry(): void
}

export function useChosenWorkspace(): ChosenWorkspace {
  const list = useQuery(organisationList)
  const asked = useUrlParams().get('organisation')
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const [stored, setStored] = useState(() => readJson<Stored>('organisationSelected')?.organisationId)
  useChoice(setStored)

  const organisations = (list.data ?? []).toSorted((a, b) => a.CompanyName.localeCompare(b.CompanyName))
  const wanted = pickOrganisation(organisations, asked, stored)
  // An organisation in the address becomes the choice, because later addresses do not repeat it.
  if (wanted !== undefined && wanted.Id !== stored) setStored(wanted.Id)
  const identity = useSpeaker(wanted)
  const renewal = useSessionFor(wanted, identity)

  return {
    workspace: wanted !== undefined && identity !== null ? { organisation: wanted, identity } : null,
    organisations,
    error: list.data === undefined ? list.error : renewal.error,
    isEmpty: list.isSuccess && !list.isFetching && organisations.length === 0,
    choose(organisationId) {
      // Keeps the page and removes the record id of the previous organisation. The choice travels with the navigation, because a page
      // with unsaved input may block it.
      void navigate(pathname.replace(recordId, ''), {
        replace: true,
        state: { chosen: organisationId } satisfies Choice,
      })
    },
    retry() {
      void list.refetch()
      void renewal.refetch()
    },
  }
}

/** At the end of a path: the id of the open load or approval. */
const recordId = /\/[0-9a-f]{8}-[0-9a-f-]{27}$/iu

interface Choice {
  readonly chosen: string
}

/** Applies the choice that a navigation carries, but not when the browser goes back to it. */
function useChoice(onChoice: (organisationId: string) => void): void {
  const location = useLocation()
  const isNew = useNavigationType() !== 'POP'
  const [key, setKey] = useState(location.key)
  if (key === location.key) return
  setKey(location.key)
  const choice = location.state as Partial<Choice> | null
  if (isNew && choice?.chosen !== undefined) onChoice(choice.chosen)
}

export function pickOrganisation(
  organisations: readonly Organisation[],
  asked: string | null,
  stored: string | undefined,
): Organisation | undefined {
  const byId = (id: string | null | undefined) =>
    organisations.find((each) => each.Id.toLowerCase() === id?.toLowerCase())
  return byId(asked) ?? byId(stored) ?? organisations[0]
}

/**
 * The latest session for the organisation, or null. All tabs share one session, and another tab may have had it re-issued for another
 * organisation since. This tab does not take it back, because each call names its organisation.
 */
function useSpeaker(wanted: Organisation | undefined): SignedInUser | null {
  const identity = useIdentity()
  const [held, setHeld] = useState(identity)
  const speaks = identity !== null && identity.organisationId === wanted?.Id
  if (speaks && held !== identity) setHeld(identity)
  const speaker = speaks ? identity : held
  return speaker?.organisationId === wanted?.Id && speaker?.email === identity?.email ? speaker : null
}

/** Re-issues the session if there was none for the organisation, and clears the cache of the previous organisation. */
function useSessionFor(wanted: Organisation | undefined, speaker: SignedInUser | null) {
  const identity = useIdentity()
  const queryClient = useQueryClient()
  const id = wanted?.Id
  const name = wanted?.CompanyName

  useEffect(() => {
    if (id === undefined || name === undefined) return
    cacheForUser('organisationSelected', { organisationId: id, data: { CompanyName: name } } satisfies Stored)
  }, [id, name])

  return useQuery({
    queryKey: ['renewal', id],
    enabled: id !== undefined && identity !== null && speaker === null,
    retry: false,
    gcTime: 0,
    staleTime: 0,
    queryFn: async () => {
      queryClient.removeQueries({ predicate: ({ queryKey }) => !ofEveryOrganisation.has(String(queryKey[0])) })
      const session = await renewTokenFor(id ?? '')
      if (session === null) endSession()
      else announceToScreenReader(`Now working in ${name}`)
      return session
    },
  })
}

const ofEveryOrganisation = new Set(['organisations', 'connectorTypes', 'roles', 'statuses', 'renewal'])
