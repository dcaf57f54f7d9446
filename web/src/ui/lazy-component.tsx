/** Lazy-loaded parts of a page. A part whose chunk fails to load shows an error; the rest of the page keeps working. */
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { ChunkLoadError, loadChunk } from '../api/load-chunk.ts'
import { LoadFailure } from './feedback/empty-state.tsx'

/** A module that exports a component of this name. */
export type ComponentModule<Name extends string> = Readonly<Record<Name, (props: never) => ReactNode>>

/** A component in a separate chunk, loaded when it first renders. Render it inside a `LazyBoundary`. */
export function lazyComponent<Name extends string, Module extends ComponentModule<Name>>(
  load: () => Promise<Module>,
  name: Name,
): Module[Name] {
  const component = lazy(() => loadChunk(async () => ({ default: (await load())[name] as unknown as ComponentType })))
  // Keeps the type parameters of a generic component, which `ComponentType` cannot express.
  return component as unknown as Module[Name]
}

interface LazyBoundaryProps {
  readonly children: ReactNode
  /** Shown while the chunk loads. */
  readonly fallback?: ReactNode
  /** Called if the chunk cannot be loaded; it reports the error and removes the boundary. Without it, the error is shown in place. */
  readonly onLoadFailure?: ((error: ChunkLoadError) => void) | undefined
}

export function LazyBoundary({ children, fallback = null, onLoadFailure }: LazyBoundaryProps) {
  return (
    <LoadErrorBoundary onLoadFailure={onLoadFailure}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </LoadErrorBoundary>
  )
}

interface LoadErrorState {
  readonly error: unknown
}

class LoadErrorBoundary extends Component<Omit<LazyBoundaryProps, 'fallback'>, LoadErrorState> {
  override state: LoadErrorState = { error: null }

  static getDerivedStateFromError(error: unknown): LoadErrorState {
    return { error }
  }

  override componentDidCatch(error: unknown): void {
    if (error instanceof ChunkLoadError) this.props.onLoadFailure?.(error)
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    // Any other rendering error belongs to the page's error element.
    if (!(error instanceof ChunkLoadError)) throw error
    return this.props.onLoadFailure === undefined ? <LoadFailure message={error.message} onRetry={reload} /> : null
  }
}

export const reload = () => window.location.reload()
