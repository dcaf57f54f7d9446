/** A button that opens a menu. The menu's code is loaded on the first press, because most pages never need it. */
import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode } from 'react'
import { hasFocusStayed, useLoadOnPress } from '../lazy.tsx'

interface MenuChoice {
  readonly label: string
  readonly icon: ReactNode
  readonly isChosen?: boolean
  readonly onChoose: () => void
}

export interface MenuProps {
  /** An ActionIcon or a Button. */
  readonly button: ReactElement<{
    autoFocus?: boolean
    'aria-busy'?: boolean
    'aria-haspopup'?: 'menu'
    'aria-expanded'?: boolean
    onClick?: (event: MouseEvent<HTMLButtonElement>) => void
    onKeyDown?: (event: KeyboardEvent) => void
  }>
  readonly choices: readonly MenuChoice[]
  readonly position: 'bottom-start' | 'bottom-end'
  readonly width: number
  readonly withinPortal: boolean
}

const loadMenuPopover = async () => (await import('../popovers.tsx')).MenuPopover

export function MenuButton(props: MenuProps) {
  const { loaded: MenuPopover, isLoading, press, cancel } = useLoadOnPress(loadMenuPopover)
  if (MenuPopover !== null) return <MenuPopover {...props} />
  return cloneElement(props.button, {
    'aria-busy': isLoading,
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    // The button keeps the focus while the menu loads; a second press or Escape cancels.
    onClick: ({ currentTarget }) => (isLoading ? cancel() : void press(() => hasFocusStayed(currentTarget))),
    onKeyDown: ({ key }) => key === 'Escape' && cancel(),
  })
}
