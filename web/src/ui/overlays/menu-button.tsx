/** A button that opens a menu. The menu component is loaded on the first click, because most pages never open one. */
import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode } from 'react'
import { hasFocusStayed, useLoadOnPress } from '../lazy.tsx'

export interface MenuItem {
  readonly label: string
  readonly icon: ReactNode
  readonly isSelected?: boolean
  readonly onSelect: () => void
}

/** A titled group of which one item (`radio`) or any items (`checkbox`) are checked. The menu stays open. */
export interface MenuChoices {
  readonly title: string
  readonly kind: 'radio' | 'checkbox'
  readonly items: readonly { readonly label: string; readonly isChecked: boolean; readonly onSelect: () => void }[]
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
  /** Above the items. */
  readonly choices?: readonly MenuChoices[]
  readonly items: readonly MenuItem[]
  readonly position: 'bottom-start' | 'bottom-end'
  readonly width: number
  readonly withinPortal: boolean
}

const loadMenuPopover = async () => (await import('../popovers.tsx')).MenuPopover

export function MenuButton(props: MenuButtonProps) {
  const { loaded: MenuPopover, isLoading, press, cancel } = useLoadOnPress(loadMenuPopover)
  if (MenuPopover !== null) return <MenuPopover {...props} />
  return cloneElement(props.button, {
    'aria-busy': isLoading,
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    // The button keeps the focus while the menu loads. A second click or Escape cancels.
    onClick: ({ currentTarget }) => (isLoading ? cancel() : void press(() => hasFocusStayed(currentTarget))),
    onKeyDown: ({ key }) => key === 'Escape' && cancel(),
  })
}
