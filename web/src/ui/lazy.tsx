/** Lazy-loaded parts of a page. A part whose chunk fails to load shows an error; the rest of the page keeps working. */
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { ChunkLoadError, loadChunk } from '../api/load-chunk.ts'
import { showToast } from './feedback/toasts.tsx'
import { LoadFailure } from './feedback/empty-state.tsx'

/** A module that exports a component of this name. */
type ComponentModule<Name extends string> = Readonly<Record<Name, (props: never) => ReactNode>>

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
  /**
   * Called if the chunk cannot be loaded, after a message has said so; it closes what was opened. Without it, the error is shown
   * in place.
   */
  readonly onLoadFailure?: (() => void) | undefined
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
    if (!(error instanceof ChunkLoadError) || this.props.onLoadFailure === undefined) return
    announceLoadFailure(error)
    this.props.onLoadFailure()
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    // Any other rendering error belongs to the page's error element.
    if (!(error instanceof ChunkLoadError)) throw error
    return this.props.onLoadFailure === undefined ? <LoadFailure message={error.message} onRetry={reload} /> : null
  }
}

function announceLoadFailure({ message }: ChunkLoadError): void {
  showToast(message, { label: 'Load the page again', act: reload })
}

const reload = () => window.location.reload()

/** A dialog in a separate chunk, together with the dialog frame, so that no page waits for either. A load failure closes it. */
export function lazyDialog<Name extends string, Module extends ComponentModule<Name>>(
  load: () => Promise<Module>,
  name: Name,
): Module[Name] {
  const loadWithFrame = async () => {
    const [module] = await Promise.all([load(), import('./dialogs/dialog-frame.tsx')])
    return module as unknown as Readonly<Record<Name, (props: object) => ReactNode>>
  }
  const create = () => lazyComponent(loadWithFrame, name)
  let Current: (props: object) => ReactNode = create()
  const LazyDialog = (props: { readonly onClose?: () => void }) => {
    // React.lazy remembers a rejection for good, so the next time the dialog is opened it needs a new lazy component.
    const [Dialog] = useState(() => Current)
    const onLoadFailure = () => {
      Current = create()
      props.onClose?.()
    }
    return (
      <LazyBoundary fallback={<output className="loading-notice">One moment…</output>} onLoadFailure={onLoadFailure}>
        <Dialog {...props} />
      </LazyBoundary>
    )
  }
  return LazyDialog as unknown as Module[Name]
}

/** Loads a value, such as a component, when a button is pressed. `loaded` stays null if the user moved on before it arrived. */
export function useLoadOnPress<Value>(load: () => Promise<Value>) {
  // In an object, because React would call a component that is passed to a state setter.
  const [result, setResult] = useState<{ readonly value: Value } | null>(null)
  const [isLoading, setLoading] = useState(false)
  const latestPress = useRef(0)

  async function press(isStillWanted: () => boolean): Promise<void> {
    latestPress.current += 1
    const thisPress = latestPress.current
    setLoading(true)
    try {
      const value = await loadChunk(load)
      if (thisPress === latestPress.current && isStillWanted()) setResult({ value })
    } catch (error) {
      if (thisPress === latestPress.current && error instanceof ChunkLoadError) announceLoadFailure(error)
    }
    if (thisPress === latestPress.current) setLoading(false)
  }
  function cancel(): void {
    latestPress.current += 1
    setLoading(false)
  }
  /** Starts the download early, for example when the pointer enters the button. */
  const prefetch = () => void load().catch(() => undefined)
  return { loaded: result?.value ?? null, isLoading, press, cancel, prefetch }
}

/** True if the focus has not moved away from the pressed element. Safari leaves the focus on the body after a mouse click. */
export function hasFocusStayed(element: Element): boolean {
  return document.activeElement === element || document.activeElement === document.body
}
