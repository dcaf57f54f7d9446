import './style/base.css'
import './style/tokens.css'
import './style/fonts.css'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import type { DataRouter } from 'react-router'
import { Providers } from './app/providers.tsx'
import { createRouter } from './app/router.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root.')

const router = createRouter()
// An `await` here would never end: the first page's chunk imports this one, and would wait for it in turn.
// As a transition the first drawing is done in slices, between which a slow phone answers whoever touches it.
void firstPage(router).then(() => startTransition(() => createRoot(root).render(<Providers router={router} />)))

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
