/** Menu and tooltip. In one lazy-loaded module, because the positioning library they share is large. */
import { Menu, Tooltip } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { cloneElement, useEffect, useState } from 'react'
import type { TooltipPopoverProps } from './overlays/tooltip.tsx'
import type { MenuButtonProps, MenuChoices } from './overlays/menu-button.tsx'

/** Opens at once. Its button replaces the pressed one and takes its focus, so that the focus returns to it when the menu closes. */
export function MenuPopover({ button, choices = [], items, position, width, withinPortal }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false)
  // oxlint-disable-next-line react/set-state-in-effect -- the menu records the focused element when it opens, so the button must have the focus by then.
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
        {choices.map((group) => (
          <MenuChoiceGroup key={group.title} {...group} />
        ))}
        {items.map(({ label, icon, isSelected = false, onSelect }) => (
          <Menu.Item key={label} leftSection={icon} rightSection={isSelected ? <IconCheck /> : null} onClick={onSelect}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function MenuChoiceGroup({ title, kind, items }: MenuChoices) {
  const Item = kind === 'radio' ? Menu.RadioItem : Menu.CheckboxItem
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a menu may not contain a fieldset
    <div role="group" aria-label={title}>
      <Menu.Label aria-hidden>{title}</Menu.Label>
      {items.map(({ label, isChecked, onSelect }) => (
        <Item key={label} value={label} checked={isChecked} onChange={onSelect}>
          {label}
        </Item>
      ))}
    </div>
  )
}

export function TooltipPopover({ target, label, position = 'top', multiline = false }: TooltipPopoverProps) {
  return <Tooltip opened target={target} label={label} position={position} multiline={multiline} />
}
