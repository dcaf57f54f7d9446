/** Lazy-loaded parts that a person opens: dialogs, menus, steps of a page. One whose chunk fails to load closes, and a toast says so. */
import { type ReactNode, useRef, useState } from 'react'
import { ChunkLoadError, loadChunk } from '../api/load-chunk.ts'
import { showToast } from './feedback/toasts.tsx'
import { type ComponentModule, lazyComponent, LazyBoundary, reload } from './lazy-component.tsx'

interface ClosingLazyBoundaryProps {
  readonly children: ReactNode
  /** Shown while the chunk loads. */
  readonly fallback?: ReactNode
  /** Called if the chunk cannot be loaded. */
  readonly onClose: () => void
}

/** Around a part that a person has opened. */
export function ClosingLazyBoundary({ onClose, ...props }: ClosingLazyBoundaryProps) {
  function close(error: ChunkLoadError) {
    announceLoadFailure(error)
    onClose()
  }
  return <LazyBoundary {...props} onLoadFailure={close} />
}

function announceLoadFailure({ message }: ChunkLoadError): void {
  showToast(message, { label: 'Load the page again', act: reload })
}

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
    function close() {
      Current = create()
      props.onClose?.()
    }
    return (
      <ClosingLazyBoundary fallback={<output className="loading-notice">One moment…</output>} onClose={close}>
        <Dialog {...props} />
      </ClosingLazyBoundary>
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
