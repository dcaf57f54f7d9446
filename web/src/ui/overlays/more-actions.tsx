/** The button `More actions` of a row or card, with a menu of the actions that are needed less often. */
import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { MenuButton, type MenuItem } from './menu-button.tsx'

interface MoreActionsProps {
  /** Id of the element that names the row or card. */
  describedBy: string
  /** In pixels, the height of the buttons next to it. */
  size: number
  items: readonly MenuItem[]
}

export function MoreActions({ describedBy, size, items }: MoreActionsProps) {
  return (
    <MenuButton
      position="bottom-end"
      width={220}
      withinPortal
      button={
        <ActionIcon variant="default" size={size} aria-label="More actions" aria-describedby={describedBy}>
          <IconDots />
        </ActionIcon>
      }
      items={items}
    />
  )
}
