/**
 * The selected organisation: the query `organisation`, else the stored choice, else the first. The session is re-issued
 * for it.
 */
import type { Organisation } from '@tributary/contract/organisations'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { organisationList } from '../../api/queries/common-queries.ts'
import { isCutOff, useOrganisationsBeyond } from '../../api/queries/organisation-queries.ts'
import { renewTokenFor } from '../../api/session/token-renewal.ts'
import { endSession, type SignedInUser, useIdentity } from '../../api/session/session.ts'
import { cacheForUser, readJson } from '../../api/local-storage.ts'
import type { Workspace } from '../../api/session/workspace.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { compareNames } from '../../ui/formats.ts'

type StoredOrganisation = { organisationId: string; data: { CompanyName: string } }

export interface ChosenWorkspace {
  /** Null until there is a session for the organisation. */
  readonly workspace: Workspace | null
  readonly organisations: readonly Organisation[]
  /** There are more organisations: the server searches them. */
  readonly isCutOff: boolean
  readonly error: unknown
  readonly isEmpty: boolean
  choose(organisationId: string): void
  retry(): void
}

export function useChosenWorkspace(): ChosenWorkspace {
  const requestedId = useUrlParams().get('organisation')
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const invalidate = useInvalidate()
  const [stored, setStored] = useState(() => readJson<StoredOrganisation>('organisationSelected')?.organisationId)
  useChoice(setStored)

  const { organisations, selected, ...list } = useOrganisations(requestedId, stored)
  // An organisation in the address becomes the choice, because later addresses do not repeat it.
  if (selected !== undefined && selected.Id !== stored) setStored(selected.Id)
  const identity = useOrganisationSession(selected)
  const renewal = useSessionRenewal(selected, identity)

  return {
    workspace: selected !== undefined && identity !== null ? { organisation: selected, identity } : null,
    organisations,
    isCutOff: list.isCutOff,
    error: list.error ?? renewal.error,
    isEmpty: list.isEmpty,
    choose(organisationId) {
      // Keeps the page and removes the record id of the previous organisation. The choice travels with the navigation,
      // because a page with unsaved input may block it.
      void navigate(pathname.replace(recordId, ''), {
        replace: true,
        state: { chosen: organisationId } satisfies OrganisationChoice,
      })
    },
    retry() {
      // Also those that were read by their ids.
      void invalidate(organisationList)
      void renewal.refetch()
    },
  }
}

/** At the end of a path: the id of the open load or approval. */
const recordId = /\/[0-9a-f]{8}-[0-9a-f-]{27}$/iu

interface OrganisationChoice {
  readonly chosen: string
}

/** Applies the choice that a navigation carries, but not when the browser goes back to it. */
function useChoice(onChoice: (organisationId: string) => void): void {
  const location = useLocation()
  const isNew = useNavigationType() !== 'POP'
  const [key, setKey] = useState(location.key)
  if (key === location.key) return
  setKey(location.key)
  const choice = location.state as Partial<OrganisationChoice> | null
  if (isNew && choice?.chosen !== undefined) onChoice(choice.chosen)
}

function useOrganisations(requestedId: string | null, stored: string | undefined) {
  const list = useQuery(organisationList)
  const loaded = list.data ?? []
  const beyond = useOrganisationsBeyond(loaded, wantedIds(loaded, requestedId, stored))
  const organisations = [...loaded, ...beyond.organisations].toSorted((a, b) =>
    compareNames(a.CompanyName, b.CompanyName),
  )
  const isKnown = !beyond.isPending && beyond.error === null
  return {
    organisations,
    selected: isKnown ? pickOrganisation(organisations, requestedId, stored) : undefined,
    isCutOff: isCutOff(loaded),
    error: list.data === undefined ? list.error : beyond.error,
    isEmpty: list.isSuccess && !list.isFetching && organisations.length === 0,
  }
}

/** The stored choice counts only if the address names no organisation that there is. */
function wantedIds(list: readonly Organisation[], requestedId: string | null, stored: string | undefined) {
  return list.some(({ Id }) => Id.toLowerCase() === requestedId?.toLowerCase()) ? [] : [requestedId, stored]
}

export function pickOrganisation(
  organisations: readonly Organisation[],
  requestedId: string | null,
  stored: string | undefined,
): Organisation | undefined {
  const byId = (id: string | null | undefined) =>
    organisations.find((organisation) => organisation.Id.toLowerCase() === id?.toLowerCase())
  return byId(requestedId) ?? byId(stored) ?? organisations[0]
}

/**
 * The latest session for the organisation, or null. All tabs share one session, and another tab may have had it
 * re-issued for another organisation since. This tab does not take it back, because each call names its organisation.
 */
function useOrganisationSession(organisation: Organisation | undefined): SignedInUser | null {
  const identity = useIdentity()
  const [latest, setLatest] = useState(identity)
  const isCurrent = identity !== null && identity.organisationId === organisation?.Id
  if (isCurrent && latest !== identity) setLatest(identity)
  const session = isCurrent ? identity : latest
  return session?.organisationId === organisation?.Id && session?.email === identity?.email ? session : null
}

/** Re-issues the session if there was none for the organisation, and clears the cache of the previous organisation. */
function useSessionRenewal(organisation: Organisation | undefined, session: SignedInUser | null) {
  const identity = useIdentity()
  const queryClient = useQueryClient()
  const id = organisation?.Id
  const name = organisation?.CompanyName

  useEffect(() => {
    if (id === undefined || name === undefined) return
    cacheForUser('organisationSelected', {
      organisationId: id,
      data: { CompanyName: name },
    } satisfies StoredOrganisation)
  }, [id, name])

  return useQuery({
    queryKey: ['renewal', id],
    enabled: id !== undefined && identity !== null && session === null,
    retry: false,
    gcTime: 0,
    staleTime: 0,
    queryFn: async () => {
      queryClient.removeQueries({ predicate: ({ queryKey }) => !keysOfAllOrganisations.has(String(queryKey[0])) })
      const renewed = await renewTokenFor(id ?? '')
      if (renewed === null) endSession()
      else announceToScreenReader(`Now working in ${name}`)
      return renewed
    },
  })
}

const keysOfAllOrganisations = new Set(['organisations', 'connectorTypes', 'roles', 'statuses', 'renewal'])
