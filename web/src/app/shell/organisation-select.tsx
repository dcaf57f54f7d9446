/**
 * The organisation select. Its list is lazy-loaded when it is opened; until then a text field that looks the same is
 * shown.
 */
import { TextInput } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { hasFocusStayed, useLoadOnPress } from '../../ui/lazy.tsx'
import css from './sidebar.module.css'
import type { ChosenWorkspace } from './use-chosen-workspace.ts'

const loadPopover = async () => (await import('./organisation-popover.tsx')).OrganisationPopover

const openingKeys = ['ArrowDown', 'ArrowUp', 'Enter', ' ']

const closedListbox = { role: 'combobox', 'aria-haspopup': 'listbox', 'aria-expanded': false } as const

export function OrganisationSelect({ chosen }: { chosen: ChosenWorkspace }) {
  const { workspace } = chosen
  const { loaded: OrganisationPopover, press, cancel, prefetch } = useLoadOnPress(loadPopover)
  const sharedProps = {
    'aria-label': 'Organisation',
    className: css.organisation ?? '',
    rightSection: <IconSelector />,
    disabled: workspace === null,
  }
  if (OrganisationPopover !== null) return <OrganisationPopover {...sharedProps} chosen={chosen} />
  const open = ({ currentTarget }: { readonly currentTarget: Element }) =>
    void press(() => hasFocusStayed(currentTarget))
  return (
    <TextInput
      {...sharedProps}
      {...closedListbox}
      readOnly
      pointer
      value={workspace?.organisation.CompanyName ?? ''}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      // On click, not on pointer down: the end of the same touch would close the list again.
      onClick={open}
      onKeyDown={(event: KeyboardEvent) => {
        if (openingKeys.includes(event.key)) open(event)
        if (event.key === 'Escape') cancel()
      }}
    />
  )
}
