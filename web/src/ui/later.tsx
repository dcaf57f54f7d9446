/** What of a page comes in a file of its own. One that does not come is told, and takes nothing else away. */
import {
  Component,
  type ComponentType,
  lazy,
  type LazyExoticComponent,
  type ReactNode,
  Suspense,
  useRef,
  useState,
} from 'react'
import { ChunkLoadError, loadChunk } from '../api/load-chunk.ts'
import { showToast } from './feedback/toasts.tsx'
import { LoadFailure } from './feedback/empty-state.tsx'

/** A component in a file of its own, asked for when it is first drawn; to be drawn inside a `Part`. */
export function later<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => loadChunk(async () => ({ default: await load() })))
}

interface PartProps {
  readonly children: ReactNode
  /** Until it is there. */
  readonly fallback?: ReactNode
  /** Takes the wish for it back where it does not come, which a message tells; else its place tells it. */
  readonly onMissing?: () => void
}

export function Part({ children, fallback = null, onMissing }: PartProps) {
  return (
    <Arriving onMissing={onMissing}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </Arriving>
  )
}

interface Arrival {
  readonly error: unknown
}

class Arriving extends Component<{ children: ReactNode; onMissing: (() => void) | undefined }, Arrival> {
  override state: Arrival = { error: null }

  static getDerivedStateFromError(error: unknown): Arrival {
    return { error }
  }

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof ChunkLoadError) || this.props.onMissing === undefined) return
    tellMissing(error)
    this.props.onMissing()
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    // What went wrong in drawing is for the page's own failure.
    if (!(error instanceof ChunkLoadError)) throw error
    return this.props.onMissing === undefined ? <LoadFailure message={error.message} onRetry={reload} /> : null
  }
}

function tellMissing({ message }: ChunkLoadError): void {
  showToast(message, { label: 'Load the page again', act: reload })
}

const reload = () => window.location.reload()

/** A dialog: no page carries what it is made of, and nothing but the dialog itself waits for it. Where it does not come, it is closed. */
export function laterDialog<Component extends (props: never) => ReactNode>(load: () => Promise<Component>): Component {
  const both = async () =>
    (await Promise.all([load(), import('./dialogs/dialog-frame.tsx')]))[0] as unknown as ComponentType<object>
  let Latest = later(both)
  const Later = (props: { readonly onClose?: () => void }) => {
    // One that failed stays so for as long as it is shown; the next press tries anew.
    const [Loaded] = useState(() => Latest)
    const onMissing = () => {
      Latest = later(both)
      props.onClose?.()
    }
    return (
      <Part fallback={<output className="coming">One moment…</output>} onMissing={onMissing}>
        <Loaded {...props} />
      </Part>
    )
  }
  // As generic as what it stands for.
  return Later as unknown as Component
}

/** For what comes by a press. It stays away where nobody waits for it any more when its file is there. */
export function usePressed<Pressed>(load: () => Promise<Pressed>) {
  const [part, setPart] = useState<{ readonly shown: Pressed } | null>(null)
  const [isComing, setComing] = useState(false)
  const wishes = useRef(0)

  async function press(isWanted: () => boolean): Promise<void> {
    wishes.current += 1
    const wish = wishes.current
    setComing(true)
    try {
      const shown = await loadChunk(load)
      if (wish === wishes.current && isWanted()) setPart({ shown })
    } catch (error) {
      if (wish === wishes.current && error instanceof ChunkLoadError) tellMissing(error)
    }
    if (wish === wishes.current) setComing(false)
  }
  function giveUp(): void {
    wishes.current += 1
    setComing(false)
  }
  /** Its file may come already: somebody is about to press. */
  const warm = () => void load().catch(() => undefined)
  return { shown: part?.shown ?? null, isComing, press, giveUp, warm }
}

/** Whether the focus is still where somebody pressed; in Safari a press with the mouse leaves it nowhere. */
export function isStillAt(element: Element): boolean {
  return document.activeElement === element || document.activeElement === document.body
}
