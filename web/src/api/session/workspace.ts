/** The current organisation, and the user's rights in it. Every page of the protected layout has one. */
import type { Organisation } from '@tributary/contract/organisations'
import { type Capability, may } from '@tributary/contract/capabilities'
import { createContext, use } from 'react'
import type { SignedInUser } from './session.ts'

export interface Workspace {
  readonly organisation: Organisation
  readonly identity: SignedInUser
}

export const WorkspaceContext = createContext<Workspace | null>(null)

export function useWorkspace(): Workspace {
  const workspace = use(WorkspaceContext)
  if (workspace === null) throw new Error('This page is shown outside the protected layout.')
  return workspace
}

export function useOrganisationId(): string {
  return useWorkspace().organisation.Id
}

export function useMay(): (capability: Capability) => boolean {
  const { identity } = useWorkspace()
  return (capability) => may(identity.roleLevel, capability)
}
