/** A button that opens a menu. What draws menus comes when one is first opened: most pages never need it. */
import { cloneElement, type ReactElement, type ReactNode, Suspense, useTransition, useState } from 'react'
import { later } from './later.tsx'

interface MenuChoice {
  readonly label: string
  readonly icon: ReactNode
  readonly isChosen?: boolean
  readonly onChoose: () => void
}

export interface MenuProps {
  /** An ActionIcon or a Button. */
  readonly button: ReactElement<{
    loading?: boolean
    autoFocus?: boolean
    'aria-haspopup'?: 'menu'
    'aria-expanded'?: boolean
    onClick?: () => void
  }>
  readonly choices: readonly MenuChoice[]
  readonly position: 'bottom-start' | 'bottom-end'
  readonly width: number
  readonly withinPortal: boolean
}

const OpenedMenu = later(async () => (await import('./floating.tsx')).OpenedMenu)

export function MenuButton(props: MenuProps) {
  const [isWanted, setWanted] = useState(false)
  const [isComing, begin] = useTransition()
  const button = cloneElement(props.button, {
    loading: isComing,
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => begin(() => setWanted(true)),
  })
  // The button stays where it is until the menu is there.
  return <Suspense>{isWanted ? <OpenedMenu {...props} /> : button}</Suspense>
}
