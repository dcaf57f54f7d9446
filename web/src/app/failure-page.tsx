/** Shown if a page does not exist, cannot be rendered or cannot be loaded. */
import { Button } from '@mantine/core'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { CallError } from '@tributary/client/call-error'
import { paths } from '../paths.ts'
import { BrandLogo } from '../ui/layout/brand-logo.tsx'
import { useDocumentTitle } from '../ui/layout/document-title.ts'
import css from './failure-page.module.css'
import { ChunkLoadError } from '../api/load-chunk.ts'

export function FailurePage() {
  const error = useRouteError()
  useDocumentTitle(['Error'])
  return (
    <main className={css.page}>
      <div className={css.panel}>
        <BrandLogo size={40} />
        <h1>Unexpected Application Error!</h1>
        <p className="muted">{explainError(error)}</p>
        {error instanceof CallError && error.reference !== null ? (
          <p className="small subtle">
            Reference <code>{error.reference}</code>
          </p>
        ) : null}
        <div className={css.actions}>
          {isUnknownPath(error) ? null : (
            <Button variant="default" onClick={() => window.location.reload()}>
              Retry
            </Button>
          )}
          <Button component={Link} to={paths.home}>
            Go home
          </Button>
        </div>
      </div>
    </main>
  )
}

function explainError(error: unknown): string {
  if (error instanceof ChunkLoadError) return error.message
  if (error instanceof CallError) return error.message
  if (isUnknownPath(error)) return 'There is no page at this address. It may have moved, or the link may be incomplete.'
  return 'This page could not be displayed. No data on the server was lost. Try again; if it keeps failing, contact your administrator.'
}

/** An unknown path renders this page as its element, so there is no error. */
function isUnknownPath(error: unknown): boolean {
  return error === undefined || error === null || isRouteErrorResponse(error)
}
