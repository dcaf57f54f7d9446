/** When a page is unknown, cannot be drawn or cannot be loaded. */
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
        <p className="muted">{explanation(error)}</p>
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

function explanation(error: unknown): string {
  if (error instanceof ChunkLoadError) return error.message
  if (error instanceof CallError) return error.message
  if (isUnknownPath(error)) return 'There is no page at this address. It may have moved, or the link may be incomplete.'
  return 'This page could not be drawn. Nothing was lost on the server. Try it again; if it stays like this, tell your administrator.'
}

/** The page of no path is drawn without anything having failed; the router then tells null. */
function isUnknownPath(error: unknown): boolean {
  return error === undefined || error === null || isRouteErrorResponse(error)
}
