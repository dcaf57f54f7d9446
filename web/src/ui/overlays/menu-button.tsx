/** A button that opens a menu. The menu component is loaded on the first click, because most pages never open one. */
import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode } from 'react'
import { isStillAt, usePressed } from '../later.tsx'

interface MenuItem {
  readonly label: string
  readonly icon: ReactNode
  readonly isSelected?: boolean
  readonly onSelect: () => void
}

export interface MenuButtonProps {
  /** An ActionIcon or a Button. */
  readonly button: ReactElement<{
    autoFocus?: boolean
    'aria-busy'?: boolean
    'aria-haspopup'?: 'menu'
    'aria-expanded'?: boolean
    onClick?: (event: MouseEvent<HTMLButtonElement>) => void
    onKeyDown?: (event: KeyboardEvent) => void
  }>
  readonly items: readonly MenuItem[]
  readonly position: 'bottom-start' | 'bottom-end'
  readonly width: number
  readonly withinPortal: boolean
}

const openedMenu = async () => (await import('../floating.tsx')).OpenedMenu

export function MenuButton(props: MenuButtonProps) {
  const { shown: OpenedMenu, isComing, press, giveUp } = usePressed(openedMenu)
  if (OpenedMenu !== null) return <OpenedMenu {...props} />
  return cloneElement(props.button, {
    'aria-busy': isComing,
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    // The button keeps the focus while the menu loads. A second click or Escape cancels.
    onClick: ({ currentTarget }) => (isComing ? giveUp() : void press(() => isStillAt(currentTarget))),
    onKeyDown: ({ key }) => key === 'Escape' && giveUp(),
  })
}
