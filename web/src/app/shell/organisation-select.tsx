/** Which organisation one works in. What draws its list comes when somebody turns to it: until then it looks the same. */
import { TextInput } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { type KeyboardEvent, Suspense, useState, useTransition } from 'react'
import { later } from '../../ui/later.tsx'
import css from './sidebar.module.css'
import type { ChosenWorkspace } from './use-chosen-workspace.ts'

const SideSelect = later(async () => (await import('../../ui/floating.tsx')).SideSelect)

/** As somebody left what only looks the same, when the list takes its place. */
interface Turned {
  readonly hasFocus: boolean
  readonly isOpen: boolean
}

const opening = ['ArrowDown', 'ArrowUp', 'Enter', ' ']

export function OrganisationSelect({ chosen }: { chosen: ChosenWorkspace }) {
  const { organisations, workspace, choose } = chosen
  const [turned, setTurned] = useState<Turned | null>(null)
  const [, begin] = useTransition()
  const turn = (change: Partial<Turned>) => begin(() => setTurned((was) => ({ hasFocus: false, isOpen: false, ...was, ...change })))
  const look = {
    'aria-label': 'Organisation',
    className: css.organisation ?? '',
    rightSection: <IconSelector size={16} aria-hidden />,
    disabled: workspace === null,
  }
  const closed = { role: 'combobox', 'aria-haspopup': 'listbox', 'aria-expanded': false } as const
  return (
    <Suspense>
      {turned === null ? (
        <TextInput
          {...look}
          {...closed}
          readOnly
          pointer
          value={workspace?.organisation.CompanyName ?? ''}
          onPointerEnter={() => turn({})}
          onPointerDown={() => turn({ isOpen: true })}
          onFocus={() => turn({ hasFocus: true })}
          onBlur={() => turn({ hasFocus: false })}
          onKeyDown={({ key }: KeyboardEvent) => opening.includes(key) && turn({ isOpen: true })}
        />
      ) : (
        <SideSelect
          {...look}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- what it takes the place of had the focus.
          autoFocus={turned.hasFocus}
          defaultDropdownOpened={turned.isOpen}
          value={workspace?.organisation.Id ?? null}
          data={organisations.map(({ Id, CompanyName }) => ({ value: Id, label: CompanyName }))}
          onChoose={choose}
        />
      )}
    </Suspense>
  )
}
