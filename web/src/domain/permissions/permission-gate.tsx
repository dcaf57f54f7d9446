import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'

/** Shows the page to those who may open it, and says so to all others, whatever link led them here. */
export function Allowed({ when, title, children }: { when: boolean; title: string; children: ReactNode }) {
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
