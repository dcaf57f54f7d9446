/** A button that opens a menu. What draws menus comes when one is first opened: most pages never need it. */
import { cloneElement, type KeyboardEvent, type MouseEvent, type ReactElement, type ReactNode } from 'react'
import { isStillAt, usePressed } from '../later.tsx'

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

const openedMenu = async () => (await import('../floating.tsx')).OpenedMenu

export function MenuButton(props: MenuProps) {
  const { shown: OpenedMenu, isComing, press, giveUp } = usePressed(openedMenu)
  if (OpenedMenu !== null) return <OpenedMenu {...props} />
  return cloneElement(props.button, {
    'aria-busy': isComing,
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    // It keeps the focus while the menu comes; a second press and Escape call it off.
    onClick: ({ currentTarget }) => (isComing ? giveUp() : void press(() => isStillAt(currentTarget))),
    onKeyDown: ({ key }) => key === 'Escape' && giveUp(),
  })
}
