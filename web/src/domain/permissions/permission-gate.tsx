import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'

/** Renders the page for users who may open it, and an explanation for all others. */
export function PermissionGate({ when, title, children }: { when: boolean; title: string; children: ReactNode }) {
  return when ? children : <RefusedPage title={title} />
}

export function RefusedPage({ title }: { title: string }) {
  return (
    <Page title={title}>
      <EmptyState kind="notAllowed" title="You do not have permission to see this.">
        Your role in this organisation does not include this page. Ask an administrator of your organisation.
      </EmptyState>
    </Page>
  )
}
