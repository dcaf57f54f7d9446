import { type ComponentType, lazy, type LazyExoticComponent, type ReactNode, Suspense } from 'react'
import { loadChunk } from '../api/load-chunk.ts'

/** A component in a file of its own, asked for when it is first drawn; to be drawn inside a Suspense. */
export function later<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => loadChunk(async () => ({ default: await load() })))
}

/** The same for a dialog: no page carries what it is made of, and nothing but the dialog itself waits for it. */
export function laterDialog<Component extends (props: never) => ReactNode>(load: () => Promise<Component>): Component {
  const Loaded = later(load as unknown as () => Promise<ComponentType<object>>)
  const Later = (props: object) => (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
  // As generic as what it stands for.
  return Later as unknown as Component
}
