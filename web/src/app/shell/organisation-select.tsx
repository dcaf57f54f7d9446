/** Which organisation one works in. What draws its list comes when somebody opens it: until then it looks the same. */
import { TextInput } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { isStillAt, usePressed } from '../../ui/later.tsx'
import css from './sidebar.module.css'
import type { ChosenWorkspace } from './use-chosen-workspace.ts'

const sideSelect = async () => (await import('../../ui/floating.tsx')).SideSelect

const opening = ['ArrowDown', 'ArrowUp', 'Enter', ' ']

const closed = { role: 'combobox', 'aria-haspopup': 'listbox', 'aria-expanded': false } as const

export function OrganisationSelect({ chosen }: { chosen: ChosenWorkspace }) {
  const { organisations, workspace, choose } = chosen
  const { shown: SideSelect, press, giveUp, warm } = usePressed(sideSelect)
  const look = {
    'aria-label': 'Organisation',
    className: css.organisation ?? '',
    rightSection: <IconSelector size={16} aria-hidden />,
    disabled: workspace === null,
  }
  if (SideSelect !== null)
    return (
      <SideSelect
        {...look}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- what it takes the place of had the focus.
        autoFocus
        defaultDropdownOpened
        value={workspace?.organisation.Id ?? null}
        data={organisations.map(({ Id, CompanyName }) => ({ value: Id, label: CompanyName }))}
        onChoose={choose}
      />
    )
  const open = ({ currentTarget }: { readonly currentTarget: Element }) => void press(() => isStillAt(currentTarget))
  return (
    <TextInput
      {...look}
      {...closed}
      readOnly
      pointer
      value={workspace?.organisation.CompanyName ?? ''}
      onPointerEnter={warm}
      onFocus={warm}
      // Not when it is touched: the end of that touch would close the list again.
      onClick={open}
      onKeyDown={(event: KeyboardEvent) => {
        if (opening.includes(event.key)) open(event)
        if (event.key === 'Escape') giveUp()
      }}
    />
  )
}
