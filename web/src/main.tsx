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

// In a separate task, so that a slow phone can respond to input between evaluating this file and rendering.
setTimeout(() => void start(root).catch(() => showFailure(root)))

async function start(root: HTMLElement): Promise<void> {
  const router = createRouter()
  // In a separate chunk, which is preloaded with this one and evaluated in a separate task.
  const [{ createRoot }] = await Promise.all([loadChunk(() => import('react-dom/client')), waitForFirstPage(router)])
  // A transition renders the first page in slices.
  startTransition(() => createRoot(root, { onCaughtError }).render(<Providers router={router} />))
}

/** Does not log a chunk that failed to load: the browser has logged it, and the page shows it. */
function onCaughtError(error: unknown): void {
  // oxlint-disable-next-line no-console -- React's default.
  if (!(error instanceof ChunkLoadError)) console.error(error)
}

/** Keeps the skeleton until the chunks of the first page have loaded, which avoids flicker. */
function waitForFirstPage({ state, subscribe }: DataRouter): Promise<void> {
  if (state.initialized) return Promise.resolve()
  return new Promise((resolve) => {
    const unsubscribe = subscribe((next) => {
      if (!next.initialized) return
      unsubscribe()
      resolve()
    })
  })
}

/** Does not use React, because its chunk may be the one that failed to load. */
function showFailure(root: HTMLElement): void {
  document.getElementById('skeleton')?.remove()
  root.role = 'alert'
  root.textContent = 'Tributary could not be loaded. Check your connection, then load this page again.'
}
