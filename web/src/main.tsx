import './style/base.css'
import './style/tokens.css'
import './style/fonts.css'
import { startTransition } from 'react'
import type { DataRouter } from 'react-router'
import { ChunkLoadError, loadChunk } from './api/load-chunk.ts'
import { Providers } from './app/providers.tsx'
import { createRouter } from './app/router.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root.')

// In a task of its own: a slow phone answers whoever touches it after having read this file, and before drawing.
setTimeout(() => void start(root).catch(() => tellFailure(root)))

async function start(root: HTMLElement): Promise<void> {
  const router = createRouter()
  // A file of its own, which comes beside this one and is run by itself.
  const [{ createRoot }] = await Promise.all([loadChunk(() => import('react-dom/client')), firstPage(router)])
  // As a transition the first drawing is done in slices.
  startTransition(() => createRoot(root, { onCaughtError }).render(<Providers router={router} />))
}

/** The browser has noted a file that did not come, and whoever asked for it was told. */
function onCaughtError(error: unknown): void {
  // oxlint-disable-next-line no-console -- as React does by itself.
  if (!(error instanceof ChunkLoadError)) console.error(error)
}

/** Nothing is drawn over the skeleton until the first page's own chunk is here, so that nothing flickers. */
function firstPage({ state, subscribe }: DataRouter): Promise<void> {
  if (state.initialized) return Promise.resolve()
  return new Promise((resolve) => {
    const unsubscribe = subscribe((next) => {
      if (!next.initialized) return
      unsubscribe()
      resolve()
    })
  })
}

/** Without what draws there is no page that could tell it. */
function tellFailure(root: HTMLElement): void {
  document.getElementById('skeleton')?.remove()
  root.role = 'alert'
  root.textContent = 'Tributary could not be loaded. Check your connection, then load this page again.'
}
