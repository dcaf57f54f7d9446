/** Which organisation one works in. Until what draws its list is there, it looks the same and waits; on a phone it comes with the side bar. */
import { TextInput } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { loadChunk } from '../../api/load-chunk.ts'
import css from './sidebar.module.css'
import type { ChosenWorkspace } from './use-chosen-workspace.ts'

const SideSelect = lazy(() => loadChunk(async () => ({ default: (await import('../../ui/floating.tsx')).SideSelect })))

export function OrganisationSelect({ chosen }: { chosen: ChosenWorkspace }) {
  const { organisations, workspace, choose } = chosen
  const look = { 'aria-label': 'Organisation', className: css.organisation ?? '', rightSection: <IconSelector size={16} aria-hidden /> }
  return (
    <Suspense fallback={<TextInput {...look} disabled value={workspace?.organisation.CompanyName ?? ''} />}>
      <SideSelect
        {...look}
        value={workspace?.organisation.Id ?? null}
        disabled={workspace === null}
        data={organisations.map(({ Id, CompanyName }) => ({ value: Id, label: CompanyName }))}
        onChoose={choose}
      />
    </Suspense>
  )
}
