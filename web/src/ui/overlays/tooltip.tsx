/**
 * A word more on hover and on focus, which must not be the only place that says it. What draws hints comes with the first one shown.
 * Escape hides it, as do the pointer and the focus that leave.
 */
import {
  cloneElement,
  type ComponentType,
  type FocusEvent,
  type KeyboardEvent,
  lazy,
  type PointerEvent,
  type ReactElement,
  type Ref,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'

interface Pointed {
  ref?: Ref<HTMLElement>
  onPointerEnter?: (event: PointerEvent) => void
  onPointerLeave?: () => void
  onFocus?: (event: FocusEvent) => void
  onBlur?: () => void
  onKeyDown?: (event: KeyboardEvent) => void
}

interface HintProps {
  readonly label: string
  readonly position?: 'top' | 'right'
  readonly multiline?: boolean
}

export interface HintPopoverProps extends HintProps {
  readonly target: RefObject<HTMLElement | null>
}

interface PointedProps extends HintProps {
  /** Shown by a touch, too: for what does nothing else when touched. */
  readonly isTouchable?: boolean
  /** Shown without being asked for. */
  readonly isHeld?: boolean
  readonly children: ReactElement<Pointed>
}

/** Long enough that a pointer which only passes shows nothing. */
const delayMs = 200

// Swallows load failures: a missing tooltip must not break the page.
const LazyHintPopover = lazy<ComponentType<HintPopoverProps>>(() =>
  import('../popovers.tsx')
    .then(({ HintPopover }) => ({ default: HintPopover }))
    .catch(() => ({ default: () => null })),
)

export function Hint({ isTouchable = false, isHeld = false, children, ...shown }: PointedProps) {
  const target = useRef<HTMLElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isWanted, setWanted] = useState(false)
  useEffect(() => () => clearTimeout(timer.current), [])

  function show(afterMs: number) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setWanted(true), afterMs)
  }
  function hide() {
    clearTimeout(timer.current)
    setWanted(false)
  }
  return (
    <>
      {cloneElement(children, {
        ref: target,
        onPointerEnter: ({ pointerType }) => pointerType !== 'touch' && show(delayMs),
        onPointerLeave: hide,
        onFocus: ({ currentTarget }) => (isTouchable || currentTarget.matches(':focus-visible')) && show(0),
        onBlur: hide,
        onKeyDown: ({ key }) => key === 'Escape' && hide(),
      })}
      {isWanted || isHeld ? (
        <Suspense>
          <LazyHintPopover target={target} {...shown} />
        </Suspense>
      ) : null}
    </>
  )
}
