/** What can be done with a column. The list of columns offers the same to the keyboard, except the order, which the heading toggles. */
import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconChartBar, IconDots, IconEyeOff, IconPin } from '@tabler/icons-react'
import type { DataColumn } from '@tributary/contract/data'
import { MenuButton } from '../../../ui/overlays/menu-button.tsx'
import type { GridColumn } from './grid-layout.ts'
import css from './grid.module.css'
import type { GridLayout } from './use-grid-layout.ts'

interface ColumnMenuProps {
  one: GridColumn
  layout: GridLayout
  onSort: (sort: string | null, isDescending: boolean) => void
  onDescribe: (column: DataColumn) => void
}

export function ColumnMenu({ one: { column, leftPx }, layout, onSort, onDescribe }: ColumnMenuProps) {
  const { Name } = column
  return (
    <MenuButton
      position="bottom-end"
      width={220}
      withinPortal
      button={
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          tabIndex={-1}
          className={css.menu ?? ''}
          aria-label={`Actions of ${Name}`}
        >
          <IconDots />
        </ActionIcon>
      }
      items={[
        { label: 'Sort ascending', icon: <IconArrowUp />, onSelect: () => onSort(Name, false) },
        { label: 'Sort descending', icon: <IconArrowDown />, onSelect: () => onSort(Name, true) },
        { label: 'Describe', icon: <IconChartBar />, onSelect: () => onDescribe(column) },
        {
          label: leftPx === null ? 'Pin to the left' : 'Unpin',
          icon: <IconPin />,
          onSelect: () => layout.togglePinned(Name),
        },
        { label: 'Hide', icon: <IconEyeOff />, onSelect: () => layout.toggleHidden(Name) },
      ]}
    />
  )
}
