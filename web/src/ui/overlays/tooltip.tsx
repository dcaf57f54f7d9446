/**
 * Shows a tooltip on hover and on keyboard focus; Escape, pointer leave and blur hide it. Information must not be
 * available in a tooltip only. The component that positions it is loaded with the first tooltip shown.
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

interface TriggerElementProps {
  ref?: Ref<HTMLElement>
  onPointerEnter?: (event: PointerEvent) => void
  onPointerLeave?: () => void
  onFocus?: (event: FocusEvent) => void
  onBlur?: () => void
  onKeyDown?: (event: KeyboardEvent) => void
}

interface TooltipProps {
  readonly label: string
  readonly position?: 'top' | 'right'
  readonly multiline?: boolean
}

export interface TooltipPopoverProps extends TooltipProps {
  readonly target: RefObject<HTMLElement | null>
}

interface TooltipTriggerProps extends TooltipProps {
  /** Also shown on touch, because the element has no other action. */
  readonly isTouchable?: boolean
  /** Shown regardless of hover and focus. */
  readonly isHeld?: boolean
  readonly children: ReactElement<TriggerElementProps>
}

/** Long enough that a pointer passing over the element shows nothing. */
const delayMs = 200

// Swallows load failures: a missing tooltip must not break the page.
const LazyTooltipPopover = lazy<ComponentType<TooltipPopoverProps>>(() =>
  import('../popovers.tsx')
    .then(({ TooltipPopover }) => ({ default: TooltipPopover }))
    .catch(() => ({ default: () => null })),
)

export function Tooltip({ isTouchable = false, isHeld = false, children, ...shown }: TooltipTriggerProps) {
  const target = useRef<HTMLElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isTriggered, setTriggered] = useState(false)
  useEffect(() => () => clearTimeout(timer.current), [])

  function show(afterMs: number) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setTriggered(true), afterMs)
  }
  function hide() {
    clearTimeout(timer.current)
    setTriggered(false)
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
      {isTriggered || isHeld ? (
        <Suspense>
          <LazyTooltipPopover target={target} {...shown} />
        </Suspense>
      ) : null}
    </>
  )
}
