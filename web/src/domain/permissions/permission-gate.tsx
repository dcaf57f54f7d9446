import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Page } from '../../ui/layout/page.tsx'

/** Stands in for a page that the user may not open. */
export function RefusedPage({ title }: { title: string }) {
  return (
    <Page kind="list" title={title}>
      <EmptyState kind="notAllowed" title="You do not have permission to see this.">
        Your role in this organisation does not include this page. Ask an administrator of your organisation.
      </EmptyState>
    </Page>
  )
}
