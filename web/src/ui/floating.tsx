/** What is placed beside something else. In one module, as what places it is large: no page asks for it before something is to be shown. */
import { Menu, Select, type SelectProps, Tooltip } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { cloneElement, useEffect, useState } from 'react'
import type { TooltipPopoverProps } from './overlays/tooltip.tsx'
import type { MenuButtonProps } from './overlays/menu-button.tsx'

/** Somebody has asked for it: its button takes the place and the focus of the one that was pressed, so that it gets the focus back. */
export function OpenedMenu({ button, items: choices, position, width, withinPortal }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false)
  // oxlint-disable-next-line react/set-state-in-effect -- it remembers who has the focus when it opens, which the button must have by then.
  useEffect(() => setOpen(true), [])
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position={position}
      width={width}
      withinPortal={withinPortal}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>{cloneElement(button, { autoFocus: true })}</Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ label, icon, isSelected: isChosen = false, onSelect: onChoose }) => (
          <Menu.Item
            key={label}
            leftSection={icon}
            rightSection={isChosen ? <IconCheck size={16} aria-hidden /> : null}
            onClick={onChoose}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

export function ShownHint({ target, label, position = 'top', multiline = false }: TooltipPopoverProps) {
  return <Tooltip opened target={target} label={label} position={position} multiline={multiline} />
}

interface SideSelectProps extends SelectProps {
  readonly onChoose: (value: string) => void
}

const searchableFrom = 10

/** One must be chosen. Its list is not cut off by what scrolls around it. */
export function SideSelect({ data = [], onChoose, ...props }: SideSelectProps) {
  return (
    <Select
      {...props}
      data={data}
      searchable={data.length > searchableFrom}
      comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed' }}
      allowDeselect={false}
      withScrollArea={false}
      maxDropdownHeight={320}
      onChange={(value) => value !== null && onChoose(value)}
    />
  )
}
