/** Composes the items of the command palette: pages, actions and organisations. Lazy-loaded with the palette. */
import type { Organisation } from '@tributary/contract/organisations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { catalogue, ownTypes } from '../../api/queries/common-queries.ts'
import { useFoundOrganisations } from '../../api/queries/organisation-queries.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import type { PaletteItem } from '../../features/search/palette-items.ts'
import { Palette } from '../../features/search/palette.tsx'
import { useTheme } from '../../ui/theme/use-theme.ts'
import { logOut } from '../shell/log-out.ts'
import type { ChosenWorkspace } from '../shell/use-chosen-workspace.ts'
import { listActionItems } from './action-items.ts'
import { listPageItems } from './page-items.ts'

interface CommandPaletteProps {
  readonly chosen: ChosenWorkspace
  readonly onShowHelp: () => void
  readonly onShowKeys: () => void
  readonly onClose: () => void
}

export function CommandPalette({ chosen, onShowHelp, onShowKeys, onClose }: CommandPaletteProps) {
  const { identity, organisation } = useWorkspace()
  const types = useQuery(ownTypes(organisation.Id)).data ?? []
  const connectableTypes = useQuery(catalogue).data ?? []
  const { choose: chooseTheme } = useTheme()
  const [term, setTerm] = useState('')
  const organisations = useFoundOrganisations(term)
  const actions = listActionItems({
    roleLevel: identity.roleLevel,
    connectableTypes,
    chooseTheme,
    showHelp: onShowHelp,
    showKeys: onShowKeys,
    logOut: () => void logOut(),
  })
  const items = [...listPageItems(identity, types), ...actions, ...listOrganisationItems(organisations, chosen)]
  return <Palette items={items} onSearch={setTerm} onClose={onClose} />
}

/** All but the selected one. */
function listOrganisationItems(
  organisations: readonly Organisation[],
  { workspace, choose }: ChosenWorkspace,
): readonly PaletteItem[] {
  return organisations
    .filter(({ Id }) => Id !== workspace?.organisation.Id)
    .map(({ Id, CompanyName }) => ({
      id: `organisation ${Id}`,
      group: 'Organisations',
      label: CompanyName,
      detail: 'Switch to this organisation',
      target: { act: () => choose(Id) },
    }))
}
