/** The list of the organisation select. Lazy-loaded when it is opened; the server searches a list that is cut off. */
import type { SelectProps } from '@mantine/core'
import { useState } from 'react'
import { useFoundOrganisations } from '../../api/queries/organisation-queries.ts'
import { PopoverSelect } from '../../ui/popover-select.tsx'
import type { ChosenWorkspace } from './use-chosen-workspace.ts'

type SharedProps = Pick<SelectProps, 'aria-label' | 'className' | 'rightSection' | 'disabled'>

export function OrganisationPopover({ chosen, ...props }: { chosen: ChosenWorkspace } & SharedProps) {
  const { organisations, isCutOff, workspace, choose } = chosen
  const [term, setTerm] = useState('')
  const selected = workspace?.organisation
  // The select starts with the name of the selected organisation as the term.
  const found = useFoundOrganisations(term === selected?.CompanyName ? '' : term)
  const foundIds = new Set(found.map(({ Id }) => Id))
  // The selected organisation stays in the data, which the select takes its name from.
  const others = found.filter(({ Id }) => Id !== selected?.Id)
  const shown = isCutOff ? [...(selected === undefined ? [] : [selected]), ...others] : organisations
  return (
    <PopoverSelect
      {...props}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the text field that it replaces had the focus.
      autoFocus
      defaultDropdownOpened
      value={selected?.Id ?? null}
      data={shown.map(({ Id, CompanyName }) => ({ value: Id, label: CompanyName }))}
      {...(isCutOff && {
        onSearchChange: setTerm,
        filter: ({ options }) => options.filter((option) => 'value' in option && foundIds.has(option.value)),
      })}
      onChoose={choose}
    />
  )
}
