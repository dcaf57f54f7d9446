/** Menu, tooltip and select dropdown. In one lazy-loaded module, because the positioning library they share is large. */
import { Menu, Select, type SelectProps, Tooltip } from '@mantine/core'
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

interface PopoverSelectProps extends SelectProps {
  readonly onChoose: (value: string) => void
}

/** A longer list has a search. */
const plainOptionsMax = 7
/** More are found by searching. */
const shownOptionsMax = 100

/**
 * A select without an empty choice; a long list is searched by typing. The fixed strategy keeps a scrolling ancestor
 * from clipping its list.
 */
export function PopoverSelect({ data = [], onChoose, ...props }: PopoverSelectProps) {
  return (
    <Select
      {...props}
      data={data}
      searchable={data.length > plainOptionsMax}
      limit={shownOptionsMax}
      selectFirstOptionOnChange
      nothingFoundMessage="None matches"
      // What is typed then replaces the name of the current choice.
      onFocus={({ currentTarget }) => currentTarget.select()}
      comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed' }}
      allowDeselect={false}
      withScrollArea={false}
      maxDropdownHeight={320}
      onChange={(value) => value !== null && onChoose(value)}
    />
  )
}
